-- Exports of web analytics may lack users, bounces or durations: null, where 0 would be a number that nobody counted.
ALTER TABLE web_analytics MODIFY COLUMN users Nullable(UInt32);
ALTER TABLE web_analytics MODIFY COLUMN bounced_sessions Nullable(Float64);
ALTER TABLE web_analytics MODIFY COLUMN duration_seconds Nullable(Float64);
ALTER TABLE web_analytics_staged MODIFY COLUMN users Nullable(UInt32);
ALTER TABLE web_analytics_staged MODIFY COLUMN bounced_sessions Nullable(Float64);
ALTER TABLE web_analytics_staged MODIFY COLUMN duration_seconds Nullable(Float64);
