-- The import that a row came with, so that it can be undone. Rows from before this file have the zero UUID.
ALTER TABLE search_console ADD COLUMN IF NOT EXISTS import_id UUID COMMENT 'of the catalog' CODEC(ZSTD(1));
ALTER TABLE web_analytics ADD COLUMN IF NOT EXISTS import_id UUID COMMENT 'of the catalog' CODEC(ZSTD(1));
ALTER TABLE page_contents ADD COLUMN IF NOT EXISTS import_id UUID COMMENT 'of the catalog; zero for texts of audits' CODEC(ZSTD(1));
