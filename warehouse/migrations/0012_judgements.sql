-- Whether the import brought the sentiment of a mention. The sentiment of an answer is about the own brand.
ALTER TABLE mentions ADD COLUMN IF NOT EXISTS imported UInt8 DEFAULT 0 COMMENT '1 when the import brought the sentiment' AFTER sentiment;
ALTER TABLE mentions UPDATE imported = 1
 WHERE is_own = 1 AND imported = 0 AND answer_id IN (SELECT id FROM answers WHERE sentiment IS NOT NULL);

-- The tone of mentions as a model at a provider rated them. A row belongs to the mention of its analysis. The hash
-- names the passage that the model read, which no row holds.
CREATE TABLE IF NOT EXISTS judgements (
  project_id UUID,
  judge_version LowCardinality(String) COMMENT 'the model and the hash of the prompt',
  analysis UInt32,
  day Date,
  answer_id UUID,
  brand_id UUID,
  passage_hash String COMMENT 'of the name of the brand and the passage; empty where there was none to ask about',
  verdict LowCardinality(String) COMMENT 'positive, neutral, negative, none',
  sentiment Nullable(Float32) COMMENT '1, 0, -1; null for none',
  load_seq UInt32 COMMENT 'of the mention',
  judged_at DateTime64(3, 'UTC')
) ENGINE = MergeTree
PARTITION BY toYYYYMM(day)
ORDER BY (project_id, judge_version, analysis, day, answer_id, brand_id)
SETTINGS non_replicated_deduplication_window = 10000, fsync_after_insert = 1, fsync_part_directory = 1;

-- Runs that asked about all mentions of a project. Reports show the version of the newest run.
CREATE TABLE IF NOT EXISTS judge_runs (
  project_id UUID,
  judge_version LowCardinality(String),
  analysis UInt32,
  finished_at DateTime64(3, 'UTC'),
  judged UInt32 COMMENT 'mentions with a verdict of this run',
  failed UInt32 COMMENT 'mentions for which the judge gave no valid verdict'
) ENGINE = MergeTree
ORDER BY (project_id, finished_at)
SETTINGS non_replicated_deduplication_window = 10000, fsync_after_insert = 1;
