-- What an answer adds to a response, in bytes: a list that reads no text knows by it where to stop. Rows from before
-- this file have the bytes of their text.
ALTER TABLE answers ADD COLUMN IF NOT EXISTS size_bytes UInt32 DEFAULT length(text) COMMENT 'text and citations as JSON' AFTER text;
ALTER TABLE answers MATERIALIZE COLUMN size_bytes;
