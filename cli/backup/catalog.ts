import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { from, to } from 'pg-copy-streams'
import { withSession } from '../../prisma/session.ts'
import { CliError } from '../errors.ts'
import { columnsOfTables, foreignKeys, sequences, tableNames } from './catalog.sql.ts'
import { type BackupWriter, readBackupFile } from './files.ts'
import type { Manifest } from './manifest.ts'

type Tables = Manifest['catalog']['tables']

const quoted = (name: string) => pg.escapeIdentifier(name)
const fileOf = (name: string) => `catalog/${name}.copy.zst`

/**
 * Writes that wait for these locks give up after 2 s. And PostgreSQL looks for deadlocks after 1 s, and ends whoever
 * looks first: within less, the backup gives way, and no write is lost.
 */
const lockWaitMs = 700
const lockTries = 40
const queryCanceled = '57014'
const deadlock = '40P01'

/**
 * Does the work while no transaction changes the catalog. Reads go on, and writes wait for it: keep it short.
 * @throws {CliError} `catalog_busy` when transactions of others hold the tables each time
 */
export async function whileUnchanged<T>(
  databaseUrl: string,
  work: (session: pg.Client) => Promise<T>,
): Promise<T> {
  return withSession(databaseUrl, async (session) => {
    for (let left = lockTries; ; left--) {
      try {
        const fault = await lockCatalog(session)
        if (!fault) return await work(session)
        if (left === 1) throw busy(fault)
      } finally {
        // Nothing was written: this only ends the locks.
        await session.query('ROLLBACK').catch(() => undefined)
      }
      await sleep(lockWaitMs * (1 + Math.random()))
    }
  })
}

/** Begins a transaction that keeps others from changing the catalog. Returns the error when their locks prevent it. */
async function lockCatalog(session: pg.Client): Promise<unknown> {
  try {
    await session.query(`BEGIN; SET LOCAL statement_timeout = ${lockWaitMs}`)
    const { rows } = await session.query<{ name: string }>(tableNames)
    const names = rows.map(({ name }) => quoted(name)).join(', ')
    await session.query(`LOCK TABLE ${names} IN SHARE MODE`)
    await session.query('SET LOCAL statement_timeout TO DEFAULT')
    return undefined
  } catch (error) {
    const { code } = error as { code?: string }
    if (code === queryCanceled || code === deadlock) return error
    throw error
  }
}

function busy(cause: unknown): CliError {
  const message = 'Transactions of others held the tables of the catalog for a minute. Try again.'
  return new CliError('catalog_busy', message, { cause })
}

/** Begins a transaction that reads the catalog as it is now, however long it takes. */
export async function beginSnapshot(session: pg.Client): Promise<Date> {
  await session.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
  const { rows } = await session.query<{ now: Date }>('SELECT now()')
  return rows[0]?.now ?? new Date()
}

/** Copies all tables of the session's snapshot, as PostgreSQL's COPY writes them. */
export async function copyCatalogOut(
  session: pg.Client,
  writer: BackupWriter,
): Promise<Manifest['catalog']> {
  const { rows } = await session.query<{ name: string; columns: string[] }>(columnsOfTables)
  const columns = new Map(rows.map(({ name, columns: names }) => [name, names]))
  const tables: Tables = {}
  for (const name of await inOrder(session, [...columns.keys()])) {
    const names = columns.get(name) ?? []
    const stream = session.query(to(`COPY ${quoted(name)} (${names.map(quoted)}) TO STDOUT`))
    // The loss of the connection reaches the reader, also before it begins.
    stream.on('error', (error) => stream.destroy(error))
    await writer.write(fileOf(name), stream)
    tables[name] = { columns: names, rows: stream.rowCount }
  }
  const next = await session.query<{ name: string; last: string }>(sequences)
  return {
    tables,
    sequences: Object.fromEntries(next.rows.map(({ name, last }) => [name, last])),
  }
}

/** Tables, each after those that it refers to. */
async function inOrder(session: pg.Client, names: readonly string[]): Promise<string[]> {
  const { rows } = await session.query<{ table: string; target: string }>(foreignKeys)
  const done: string[] = []
  while (done.length < names.length) {
    const next = names.filter(
      (name) =>
        !done.includes(name) &&
        rows.every(({ table, target }) => table !== name || done.includes(target)),
    )
    if (next.length === 0) throw new Error('The tables of the catalog refer to each other.')
    done.push(...next)
  }
  return done
}

/**
 * Fills the empty tables of a catalog in one transaction, which the caller ends.
 * @throws {CliError} `backup_damaged` when a table gets another number of rows
 */
export async function copyCatalogIn(
  session: pg.Client,
  dir: string,
  { tables, sequences: last }: Manifest['catalog'],
): Promise<void> {
  await session.query('BEGIN')
  for (const [name, { columns, rows }] of Object.entries(tables)) {
    // Triggers announce changes to live readers, and there are none.
    await session.query(`ALTER TABLE ${quoted(name)} DISABLE TRIGGER USER`)
    const stream = session.query(from(`COPY ${quoted(name)} (${columns.map(quoted)}) FROM STDIN`))
    await pipeline(Readable.from(readBackupFile(dir, fileOf(name))), stream)
    await session.query(`ALTER TABLE ${quoted(name)} ENABLE TRIGGER USER`)
    if (stream.rowCount !== rows) {
      const message = `The table ${name} got ${stream.rowCount} rows of ${rows}. Use another backup.`
      throw new CliError('backup_damaged', message)
    }
  }
  for (const [name, value] of Object.entries(last)) {
    await session.query('SELECT setval($1::regclass, $2::bigint)', [quoted(name), value])
  }
}
