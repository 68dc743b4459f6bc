-- Bodies of providers as they sent them, for each question of a run that got a reply.
CREATE TABLE IF NOT EXISTS raw_answers (
  project_id UUID,
  run_id UUID,
  ask_id UUID,
  day Date,
  asked_at DateTime64(3, 'UTC'),
  prompt String CODEC(ZSTD(3)),
  provider LowCardinality(String),
  platform LowCardinality(String),
  model LowCardinality(String) COMMENT 'as asked',
  repetition UInt32,
  adapter_version UInt32 COMMENT 'of the reading that counted the answer',
  body String CODEC(ZSTD(3)),
  redirects Map(String, String) COMMENT 'pages by the redirects of the body' CODEC(ZSTD(3))
) ENGINE = MergeTree
PARTITION BY toYYYYMM(day)
ORDER BY (project_id, run_id, ask_id)
SETTINGS non_replicated_deduplication_window = 10000, fsync_after_insert = 1, fsync_part_directory = 1;
