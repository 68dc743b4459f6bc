-- What gave a brand its rank. Rows from before this file rank by first mention.
ALTER TABLE mentions ADD COLUMN IF NOT EXISTS rank_basis LowCardinality(String) DEFAULT 'text' COMMENT 'list, table or text' AFTER rank;
