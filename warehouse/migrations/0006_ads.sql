-- Ads in answers. An answer whose import says that ads were looked for counts as measured, also without any.
ALTER TABLE answers ADD COLUMN IF NOT EXISTS ads_measured UInt8 COMMENT '1 when the import says that ads were looked for' AFTER products_measured;

CREATE TABLE IF NOT EXISTS ad_impressions (
  project_id UUID,
  day Date,
  answer_id UUID,
  prompt_id UUID,
  platform LowCardinality(String),
  model LowCardinality(String),
  location_id UUID,
  country LowCardinality(String),
  ad_id UUID COMMENT 'derived from project, prompt, platform, advertiser, domain, title and URL: of one id all these are the same',
  position UInt32,
  advertiser String,
  domain LowCardinality(String) COMMENT 'as the import wrote it, else that of the URL; empty where it tells neither',
  title String CODEC(ZSTD(1)),
  url String COMMENT 'normalised; empty where it tells none' CODEC(ZSTD(1)),
  collected_at DateTime64(3, 'UTC'),
  load_seq UInt32
) ENGINE = MergeTree
PARTITION BY toYYYYMM(day)
ORDER BY (project_id, day, prompt_id, answer_id, position)
SETTINGS non_replicated_deduplication_window = 10000, fsync_after_insert = 1, fsync_part_directory = 1;
