-- What AI assistants answered. A row belongs to the import (`load_seq`) that wrote it; readers see a row
-- when the catalog says that the import is complete. Days are UTC. An absent location is the zero UUID,
-- an absent country or model the empty string.

CREATE TABLE IF NOT EXISTS answers (
  project_id UUID,
  day Date,
  id UUID,
  prompt_id UUID,
  platform LowCardinality(String),
  model LowCardinality(String),
  run UInt32,
  location_id UUID,
  country LowCardinality(String),
  collected_at DateTime64(3, 'UTC'),
  text String CODEC(ZSTD(3)),
  sentiment Nullable(Float32) COMMENT 'brought by the import, -1 to 1; null when it brought none',
  products_measured UInt8 COMMENT '1 when the import says that products were looked for',
  extra String COMMENT 'fields of the line that have no column, as JSON' CODEC(ZSTD(3)),
  load_seq UInt32
) ENGINE = MergeTree
PARTITION BY toYYYYMM(day)
ORDER BY (project_id, day, prompt_id, platform, id)
SETTINGS non_replicated_deduplication_window = 10000, fsync_after_insert = 1, fsync_part_directory = 1;

-- One row per answer and cited URL. `first_of_domain` and `first_of_type` mark the first row of a domain,
-- of a content type, within an answer, so that "answers that cite it" is a sum.
CREATE TABLE IF NOT EXISTS citations (
  project_id UUID,
  day Date,
  answer_id UUID,
  prompt_id UUID,
  platform LowCardinality(String),
  model LowCardinality(String),
  location_id UUID,
  country LowCardinality(String),
  position UInt32,
  url String CODEC(ZSTD(1)),
  host LowCardinality(String),
  domain LowCardinality(String),
  title String CODEC(ZSTD(1)),
  registry_type LowCardinality(String) COMMENT 'source type by the registry; brand and competitor are worked out when asked',
  content_type LowCardinality(String),
  first_of_domain UInt8,
  first_of_type UInt8,
  load_seq UInt32,
  loaded_at DateTime('UTC')
) ENGINE = MergeTree
PARTITION BY toYYYYMM(day)
ORDER BY (project_id, day, domain, url, answer_id)
SETTINGS non_replicated_deduplication_window = 10000, fsync_after_insert = 1, fsync_part_directory = 1;

-- One row per answer and tracked brand that it names. `rank` is the brand's place by first occurrence.
CREATE TABLE IF NOT EXISTS mentions (
  project_id UUID,
  day Date,
  analysis UInt32,
  answer_id UUID,
  prompt_id UUID,
  platform LowCardinality(String),
  model LowCardinality(String),
  location_id UUID,
  country LowCardinality(String),
  brand_id UUID COMMENT 'the competitor, or the project for its own brand',
  is_own UInt8,
  occurrences UInt32,
  rank UInt32,
  sentiment Nullable(Float32),
  load_seq UInt32
) ENGINE = MergeTree
PARTITION BY toYYYYMM(day)
ORDER BY (project_id, day, analysis, brand_id, answer_id)
SETTINGS non_replicated_deduplication_window = 10000, fsync_after_insert = 1, fsync_part_directory = 1;

CREATE TABLE IF NOT EXISTS fanout_queries (
  project_id UUID,
  day Date,
  answer_id UUID,
  prompt_id UUID,
  platform LowCardinality(String),
  model LowCardinality(String),
  location_id UUID,
  country LowCardinality(String),
  position UInt32,
  query String CODEC(ZSTD(1)),
  load_seq UInt32
) ENGINE = MergeTree
PARTITION BY toYYYYMM(day)
ORDER BY (project_id, day, prompt_id, answer_id, position)
SETTINGS non_replicated_deduplication_window = 10000, fsync_after_insert = 1, fsync_part_directory = 1;

CREATE TABLE IF NOT EXISTS product_mentions (
  project_id UUID,
  day Date,
  answer_id UUID,
  prompt_id UUID,
  platform LowCardinality(String),
  model LowCardinality(String),
  location_id UUID,
  country LowCardinality(String),
  product_id String COMMENT 'derived from brand and name',
  rank UInt32,
  brand String,
  name String,
  price String COMMENT 'as the import wrote it',
  load_seq UInt32
) ENGINE = MergeTree
PARTITION BY toYYYYMM(day)
ORDER BY (project_id, day, product_id, answer_id)
SETTINGS non_replicated_deduplication_window = 10000, fsync_after_insert = 1, fsync_part_directory = 1;
