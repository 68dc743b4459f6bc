-- The engine whose search console a row is of. Numbers of two engines are never added up: Bing reports days, and weeks of queries and
-- pages. Rows from before this file are Google's, the first of the enum. Rows that are the same but for the engine stay two.
ALTER TABLE search_console ADD COLUMN IF NOT EXISTS engine Enum8('google' = 0, 'bing' = 1), MODIFY ORDER BY (project_id, day, query, page, country, device, part, engine);
ALTER TABLE search_console_staged ADD COLUMN IF NOT EXISTS engine Enum8('google' = 0, 'bing' = 1), MODIFY ORDER BY (project_id, day, query, page, country, device, part, engine);
