-- Requests of AI crawlers to a site. A row names its crawler as the registry did when it came, so that a
-- changed registry changes no past number. Absent texts are empty. Addresses come anonymised.
CREATE TABLE IF NOT EXISTS crawler_hits (
  project_id UUID,
  timestamp DateTime64(3, 'UTC'),
  day Date DEFAULT toDate(timestamp),
  source LowCardinality(String) COMMENT 'tracker, cdn or log',
  event_name LowCardinality(String),
  bot_id UInt16,
  bot_name LowCardinality(String),
  bot_vendor LowCardinality(String),
  bot_category LowCardinality(String) COMMENT 'ai_training, ai_search, ai_assistant, ai_agent or search_engine',
  platform LowCardinality(String) COMMENT 'the AI platform that the crawler serves',
  method LowCardinality(String),
  host LowCardinality(String) COMMENT 'lower case, without a port',
  path String COMMENT 'without query string' CODEC(ZSTD(1)),
  status_code UInt16,
  response_time_ms UInt32,
  user_agent LowCardinality(String),
  ip_address String COMMENT 'IPv4 without its last octet, IPv6 without its last 80 bits' CODEC(ZSTD(1)),
  referrer String CODEC(ZSTD(1)),
  referrer_domain LowCardinality(String),
  country LowCardinality(String),
  region LowCardinality(String),
  city LowCardinality(String),
  utm_source LowCardinality(String),
  utm_medium LowCardinality(String),
  utm_campaign LowCardinality(String),
  utm_term LowCardinality(String),
  utm_content LowCardinality(String),
  headers Map(LowCardinality(String), String) CODEC(ZSTD(1)),
  query_parameters Map(LowCardinality(String), String) CODEC(ZSTD(1)),
  custom_properties Map(LowCardinality(String), String) CODEC(ZSTD(1))
) ENGINE = MergeTree
PARTITION BY toYYYYMM(day)
ORDER BY (project_id, day, timestamp)
SETTINGS non_replicated_deduplication_window = 10000, fsync_after_insert = 1, fsync_part_directory = 1;
