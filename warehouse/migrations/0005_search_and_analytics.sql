-- Rows of a search console, by all that it tells apart. A row that comes again replaces the one before: read
-- them with FINAL. A day holds rows of one shape: those of another would count the same impressions again.
CREATE TABLE IF NOT EXISTS search_console (
  project_id UUID,
  day Date,
  query String COMMENT 'empty where the search console keeps it to itself' CODEC(ZSTD(1)),
  page String CODEC(ZSTD(1)),
  country LowCardinality(String) COMMENT 'ISO 3166-1 alpha-3, as the search console writes it, in lower case',
  device LowCardinality(String) COMMENT 'desktop, mobile or tablet',
  part String COMMENT 'what else tells the row apart, and no report reads' CODEC(ZSTD(1)),
  shape LowCardinality(String) COMMENT 'what its rows are told apart by',
  clicks UInt32,
  impressions UInt32,
  position Float64 COMMENT 'mean place over the impressions, from 1',
  loaded_at DateTime64(3, 'UTC')
) ENGINE = ReplacingMergeTree(loaded_at)
PARTITION BY toYYYYMM(day)
ORDER BY (project_id, day, query, page, country, device, part)
SETTINGS non_replicated_deduplication_window = 10000, fsync_after_insert = 1, fsync_part_directory = 1;

-- Sessions by day, page and source. Read with FINAL, as above.
CREATE TABLE IF NOT EXISTS web_analytics (
  project_id UUID,
  day Date,
  host LowCardinality(String) COMMENT 'lower case; empty where the export has none',
  page String COMMENT 'path on which the session began, without query string; empty where it is not known' CODEC(ZSTD(1)),
  source LowCardinality(String),
  medium LowCardinality(String),
  part String COMMENT 'what else tells the row apart, such as the query string, and no report reads' CODEC(ZSTD(1)),
  shape LowCardinality(String) COMMENT 'what its rows are told apart by',
  platform LowCardinality(String) COMMENT 'the AI platform that the source is of, or empty',
  sessions UInt32,
  users UInt32,
  bounced_sessions Float64 COMMENT 'sessions that were not engaged: sessions times bounce rate',
  duration_seconds Float64 COMMENT 'of all sessions together',
  conversions Nullable(Float64) COMMENT 'null where the export has none',
  loaded_at DateTime64(3, 'UTC')
) ENGINE = ReplacingMergeTree(loaded_at)
PARTITION BY toYYYYMM(day)
ORDER BY (project_id, day, host, page, source, medium, part)
SETTINGS non_replicated_deduplication_window = 10000, fsync_after_insert = 1, fsync_part_directory = 1;
