-- The text of a cited page, as last fetched.
CREATE TABLE IF NOT EXISTS page_contents (
  project_id UUID,
  url String,
  title String,
  content String CODEC(ZSTD(3)),
  fetched_at DateTime64(3, 'UTC')
) ENGINE = ReplacingMergeTree(fetched_at)
ORDER BY (project_id, url)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1;
