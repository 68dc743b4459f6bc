-- Which rules named a cited page, and the address as the answer has it. Rows from before this file have version 1.
ALTER TABLE citations ADD COLUMN IF NOT EXISTS given_url String DEFAULT '' COMMENT 'address as it came; empty when it is url' CODEC(ZSTD(1)) AFTER url;
ALTER TABLE citations ADD COLUMN IF NOT EXISTS pages_version UInt16 DEFAULT 1 COMMENT 'version of the rules that named the page and its type' AFTER first_of_type;
ALTER TABLE retrieved_urls ADD COLUMN IF NOT EXISTS given_url String DEFAULT '' COMMENT 'address as it came; empty when it is url' CODEC(ZSTD(1)) AFTER url;
ALTER TABLE retrieved_urls ADD COLUMN IF NOT EXISTS pages_version UInt16 DEFAULT 1 COMMENT 'version of the rules that named the page' AFTER title;
