-- The URLs that an assistant read for an answer, and that the answer does not cite.
CREATE TABLE IF NOT EXISTS retrieved_urls (
  project_id UUID,
  day Date,
  answer_id UUID,
  prompt_id UUID,
  platform LowCardinality(String),
  model LowCardinality(String),
  location_id UUID,
  country LowCardinality(String),
  position UInt32,
  url String COMMENT 'normalised; once per answer' CODEC(ZSTD(1)),
  domain LowCardinality(String) COMMENT 'registrable domain of the URL',
  title String CODEC(ZSTD(1)),
  load_seq UInt32
) ENGINE = MergeTree
PARTITION BY toYYYYMM(day)
ORDER BY (project_id, day, prompt_id, answer_id, position)
SETTINGS non_replicated_deduplication_window = 10000, fsync_after_insert = 1, fsync_part_directory = 1;
