-- Who signed the request of a hit: the host of the agent's directory of keys. A signed hit is verified, whatever its address.
ALTER TABLE crawler_hits ADD COLUMN IF NOT EXISTS signed_by LowCardinality(String) DEFAULT '' COMMENT 'empty: not signed, or by nobody that is known' AFTER verification;
