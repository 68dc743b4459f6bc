-- The place that a question was asked from, as JSON; empty without one.
ALTER TABLE raw_answers ADD COLUMN IF NOT EXISTS place String DEFAULT '' CODEC(ZSTD(3)) AFTER repetition;
