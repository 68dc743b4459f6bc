/** Tables of facts with their columns. The rows of the migrations are made by a restore. */
export const tablesOfFacts = `
SELECT t.name AS name, c.columns AS columns
  FROM system.tables AS t
  JOIN (SELECT table, groupArray(name) AS columns
          FROM (SELECT table, name FROM system.columns
                 WHERE database = currentDatabase() AND default_kind NOT IN ('ALIAS', 'EPHEMERAL')
                 ORDER BY table, position)
         GROUP BY table) AS c ON c.table = t.name
 WHERE t.database = currentDatabase() AND t.engine LIKE '%MergeTree' AND t.name != 'schema_migrations'
 ORDER BY t.name`

export const appliedFiles = 'SELECT DISTINCT name, checksum FROM schema_migrations ORDER BY name'

/** The parts of a table in the order of their inserts, each with its visible rows, its rows, and its mean size. */
export const partsOf = (table: string) => `
SELECT p.name AS part, p.partition_id AS partition, coalesce(v.visible, 0) AS rows, p.rows AS offsets,
       ceil(p.data_uncompressed_bytes / p.rows) AS bytesPerRow
  FROM system.parts AS p
  LEFT JOIN (SELECT _part AS part, count() AS visible FROM ${table} GROUP BY _part) AS v ON v.part = p.name
 WHERE p.database = {database:String} AND p.table = {table:String} AND p.active AND p.rows > 0
 ORDER BY p.partition_id, p.min_block_number`

export const rowsOfPart = (table: string, columns: readonly string[]) => `
SELECT ${columns.join(', ')}
  FROM ${table}
 WHERE _part = {part:String} AND _part_offset >= {from:UInt64} AND _part_offset < {to:UInt64}
FORMAT TabSeparated`

/** Columns that the engine fills by itself: a table that takes rows of a backup has a plain column there. */
export const materializedColumns = `
SELECT table, name, type
  FROM system.columns
 WHERE database = currentDatabase() AND default_kind = 'MATERIALIZED'`
