-- Response times keep the fraction that senders measure: reports round the last.
ALTER TABLE crawler_hits MODIFY COLUMN response_time_ms Float64;
