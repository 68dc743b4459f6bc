-- Which rules counted a mention and rated it. Rows from before this file have version 1.
ALTER TABLE mentions ADD COLUMN IF NOT EXISTS names_version UInt16 DEFAULT 1 COMMENT 'version of the rules that found the name' AFTER sentiment;
ALTER TABLE mentions ADD COLUMN IF NOT EXISTS tone_version UInt16 DEFAULT 1 COMMENT 'version of the rules that rated the sentiment' AFTER names_version;
