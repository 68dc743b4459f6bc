-- Rows by day of imports that have not ended. An import copies its rows from here when it has all of them, and then drops
-- its partition: readers never read these tables. The columns are those of the tables without `_staged`, in the same order.
CREATE TABLE IF NOT EXISTS search_console_staged (
  project_id UUID,
  day Date,
  query String CODEC(ZSTD(1)),
  page String CODEC(ZSTD(1)),
  country LowCardinality(String),
  device LowCardinality(String),
  part String CODEC(ZSTD(1)),
  shape LowCardinality(String),
  clicks UInt32,
  impressions UInt32,
  position Float64,
  loaded_at DateTime64(3, 'UTC'),
  import_id UUID COMMENT 'of the catalog' CODEC(ZSTD(1))
) ENGINE = ReplacingMergeTree(loaded_at)
PARTITION BY import_id
ORDER BY (project_id, day, query, page, country, device, part)
SETTINGS non_replicated_deduplication_window = 10000, fsync_after_insert = 1, fsync_part_directory = 1;

CREATE TABLE IF NOT EXISTS web_analytics_staged (
  project_id UUID,
  day Date,
  host LowCardinality(String),
  page String CODEC(ZSTD(1)),
  source LowCardinality(String),
  medium LowCardinality(String),
  part String CODEC(ZSTD(1)),
  shape LowCardinality(String),
  platform LowCardinality(String),
  sessions UInt32,
  users UInt32,
  bounced_sessions Float64,
  duration_seconds Float64,
  conversions Nullable(Float64),
  loaded_at DateTime64(3, 'UTC'),
  import_id UUID COMMENT 'of the catalog' CODEC(ZSTD(1))
) ENGINE = ReplacingMergeTree(loaded_at)
PARTITION BY import_id
ORDER BY (project_id, day, host, page, source, medium, part)
SETTINGS non_replicated_deduplication_window = 10000, fsync_after_insert = 1, fsync_part_directory = 1;
