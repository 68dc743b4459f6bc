-- Whether the address of a hit, before it was cut, lay in the ranges that the vendor of the crawler publishes.
ALTER TABLE crawler_hits ADD COLUMN IF NOT EXISTS verification Enum8('claimed' = 0, 'verified' = 1, 'impostor' = 2) DEFAULT 'claimed' COMMENT 'claimed also for rows from before this file' AFTER platform;
