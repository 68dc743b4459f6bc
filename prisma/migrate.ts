import { createHash, randomUUID } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { fillQuestionKeys } from './question-keys.ts'
import { migrateQueues } from './queues.ts'

export interface Migration {
  /** Folder, such as `20260101000000_catalog`; their order is the order of applying. */
  readonly name: string
  readonly sql: string
  /** SHA-256 of the text, in hexadecimal. */
  readonly checksum: string
}

interface AppliedRow {
  migration_name: string
  checksum: string
  finished_at: Date | null
  logs: string | null
}

export const MIGRATIONS_DIR = join(import.meta.dirname, 'migrations')

// The number, table and checksum of `prisma migrate deploy`, which then finds nothing to do.
const LOCK = 72707369
const LOCK_WAIT_MS = 120_000
const TABLE = `CREATE TABLE IF NOT EXISTS "_prisma_migrations" (
  "id" VARCHAR(36) PRIMARY KEY NOT NULL,
  "checksum" VARCHAR(64) NOT NULL,
  "finished_at" TIMESTAMPTZ,
  "migration_name" VARCHAR(255) NOT NULL,
  "logs" TEXT,
  "rolled_back_at" TIMESTAMPTZ,
  "started_at" TIMESTAMPTZ NOT NULL DEFAULT now(),
  "applied_steps_count" INTEGER NOT NULL DEFAULT 0
)`

/** The migrations of a folder in their order. */
export async function readMigrations(folder: string = MIGRATIONS_DIR): Promise<Migration[]> {
  const entries = await readdir(folder, { withFileTypes: true })
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name)
  return Promise.all(
    names.sort().map(async (name) => {
      const sql = await readFile(join(folder, name, 'migration.sql'), 'utf8')
      return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') }
    }),
  )
}

/**
 * Brings the catalog's tables, the keys of its questions and the worker's queues up to date. Safe when several processes start at once.
 * @returns the names of the migrations that it applied
 * @throws when an applied migration has changed, has failed or is unknown; or when a migration fails now. PostgreSQL
 *   then rolls that migration back, and the next start runs it again.
 */
export async function migrateCatalog(
  databaseUrl: string,
  migrations?: readonly Migration[],
): Promise<string[]> {
  const wanted = migrations ?? (await readMigrations())
  const client = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: 30_000 })
  let loss: Error | undefined
  client.on('error', (error) => {
    loss = error
  })
  try {
    await client.connect()
    await client.query(`SET lock_timeout = ${LOCK_WAIT_MS}`)
    await client.query(`SELECT pg_advisory_lock(${LOCK})`)
    await client.query(TABLE)
    const pending = await findPending(client, wanted)
    for (const migration of pending) await apply(client, migration)
    await fillQuestionKeys(client)
    await migrateQueues(client)
    return pending.map(({ name }) => name)
  } catch (error) {
    throw loss ?? error
  } finally {
    await client.end().catch(() => undefined)
  }
}

async function findPending(
  client: pg.Client,
  wanted: readonly Migration[],
): Promise<readonly Migration[]> {
  const { rows } = await client.query<AppliedRow>(
    `SELECT migration_name, checksum, finished_at, logs FROM "_prisma_migrations"
     WHERE rolled_back_at IS NULL ORDER BY started_at`,
  )
  for (const row of rows) {
    const migration = wanted.find(({ name }) => name === row.migration_name)
    if (row.finished_at === null) {
      const why = row.logs ? `: ${row.logs}` : '.'
      throw new Error(`The migration ${row.migration_name} was begun and never finished${why}`)
    }
    if (!migration) {
      throw new Error(
        `The catalog has the migration ${row.migration_name}, which this version of Sightline ` +
          'does not know. Start the newer version.',
      )
    }
    if (migration.checksum !== row.checksum) {
      throw new Error(
        `The migration ${migration.name} was changed after it had been applied. ` +
          'Restore its file, and put the change into a new migration.',
      )
    }
  }
  const done = new Set(rows.map((row) => row.migration_name))
  return wanted.filter(({ name }) => !done.has(name))
}

// One transaction for the script and its row: a process killed in the middle leaves neither.
async function apply(client: pg.Client, { name, sql, checksum }: Migration): Promise<void> {
  try {
    await client.query('BEGIN')
    await client.query(
      `INSERT INTO "_prisma_migrations" (id, checksum, migration_name) VALUES ($1, $2, $3)`,
      [randomUUID(), checksum, name],
    )
    await client.query(sql)
    await client.query(
      `UPDATE "_prisma_migrations" SET finished_at = clock_timestamp(), applied_steps_count = 1
       WHERE migration_name = $1 AND rolled_back_at IS NULL`,
      [name],
    )
    await client.query('COMMIT')
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined)
    const { message, position } = error as Error & { position?: string }
    const line = position ? ` (line ${sql.slice(0, Number(position)).split('\n').length})` : ''
    throw new Error(`The migration ${name} failed${line}: ${message}`, { cause: error })
  }
}
