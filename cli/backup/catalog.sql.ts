const ownTables = `
  FROM pg_class c
 WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r'`

/**
 * All tables of the catalog. Those of the jobs are in a schema of their own. The versions of data come last: triggers
 * write them after the table of a change. Locked before it, they would wait for each other.
 */
export const tableNames = `
SELECT c.relname AS name ${ownTables} ORDER BY c.relname = 'DataVersion', c.relname`

/** The columns of each table, without those of the migrations, which a restore runs. */
export const columnsOfTables = `
SELECT c.relname AS name,
       (SELECT array_agg(a.attname::text ORDER BY a.attnum) FROM pg_attribute a
         WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = '') AS columns
  ${ownTables} AND c.relname <> '_prisma_migrations'
 ORDER BY c.relname`

export const foreignKeys = `
SELECT c.relname AS "table", t.relname AS target
  FROM pg_constraint f
  JOIN pg_class c ON c.oid = f.conrelid
  JOIN pg_class t ON t.oid = f.confrelid
 WHERE f.contype = 'f' AND f.connamespace = current_schema()::regnamespace AND c.oid <> t.oid`

/** Sequences are not part of a snapshot: their values are those of now, and never lower. */
export const sequences = `
SELECT sequencename AS name, last_value::text AS last
  FROM pg_sequences
 WHERE schemaname = current_schema() AND last_value IS NOT NULL`

export const appliedMigrations = `
SELECT migration_name AS name, checksum
  FROM "_prisma_migrations"
 WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL
 ORDER BY started_at`
