-- Which insert brought a row, by its token: so that whoever lost the answer to an insert can count what it
-- stored. The engine's own memory of tokens is not enough: killed at the wrong moment it knows a token whose rows it lost.
ALTER TABLE crawler_hits
  ADD COLUMN IF NOT EXISTS batch UInt64
  MATERIALIZED cityHash64(getSetting('insert_deduplication_token')) CODEC(ZSTD(1));
