-- Texts of pages that audits read, beside texts that people import: neither replaces the other. ClickHouse adds a
-- column to a key only without a default, so `import` is the first value of the type.
ALTER TABLE page_contents
  ADD COLUMN IF NOT EXISTS origin Enum8('import' = 0, 'audit' = 1),
  MODIFY ORDER BY (project_id, url, origin);
