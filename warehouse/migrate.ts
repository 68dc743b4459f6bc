import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { splitStatements } from './chdb/statement.ts'
import type { Warehouse } from './client.ts'
import { distributedTables } from './cluster.ts'
import { command, insert, run } from './run.ts'

const folder = new URL('./migrations/', import.meta.url)

// Several processes may record the same file; the token of the insert keeps it to one row.
const createTable = `
  CREATE TABLE IF NOT EXISTS schema_migrations (
    name String,
    checksum String,
    applied_at DateTime64(3, 'UTC') DEFAULT now64(3)
  ) ENGINE = MergeTree ORDER BY name
  SETTINGS non_replicated_deduplication_window = 1000, fsync_after_insert = 1`

/**
 * Applies the files of warehouse/migrations that are not applied yet, in the order of their names.
 * Their statements can be repeated (`IF NOT EXISTS`), so that two processes may do this at once, and one
 * that was cut off is taken up again.
 * @param only applies no file but these
 * @returns the names of the files that were applied
 * @throws {Error} that names the file, when one was changed after it was applied
 */
export async function migrateWarehouse(
  warehouse: Warehouse,
  from: URL = folder,
  only?: ReadonlySet<string>,
): Promise<string[]> {
  await command(warehouse, { id: 'migrate.prepare', sql: createTable })
  const applied = new Map(
    await run(warehouse, {
      id: 'migrate.applied',
      sql: 'SELECT name, checksum FROM schema_migrations',
      row: (raw): [string, string] => [String(raw.name), String(raw.checksum)],
    }),
  )
  const names = (await readdir(from)).filter((name) => name.endsWith('.sql')).sort()
  const done: string[] = []
  for (const name of names) {
    if (only && !only.has(name)) continue
    const script = await readFile(new URL(name, from), 'utf8')
    const checksum = createHash('sha256').update(script).digest('hex')
    const before = applied.get(name)
    if (before === checksum) continue
    if (before !== undefined) {
      throw new Error(
        `The warehouse migration ${name} was changed after it was applied. Restore it, and put the change into a new file.`,
      )
    }
    for (const sql of statementsOf(script, warehouse.cluster)) {
      await command(warehouse, { id: `migrate.${name}`, sql, timeoutMs: 600_000 })
    }
    await insert(warehouse, {
      table: 'schema_migrations',
      rows: [{ name, checksum }],
      token: `${name}:${checksum}`,
    })
    done.push(name)
  }
  return done
}

/** The statements of a file, and on a cluster the tables of all shards after them. */
function statementsOf(script: string, cluster: string | undefined): string[] {
  const statements = splitStatements(script)
  return cluster === undefined
    ? statements
    : [...statements, ...distributedTables(statements, cluster)]
}
