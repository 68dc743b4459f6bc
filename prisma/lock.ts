import { createHash } from 'node:crypto'
import pg from 'pg'

/** Another session held the lock for longer than the caller would wait. */
export class LockBusyError extends Error {
  readonly key: string
  constructor(key: string) {
    super(`The lock "${key}" is held by another process.`)
    this.name = 'LockBusyError'
    this.key = key
  }
}

export interface LockOptions {
  /** How long to wait for another holder, in milliseconds. 0 does not wait. */
  waitMs: number
  /** Others may hold the lock too, as long as all hold it so. Default false. */
  shared?: boolean
}

/**
 * Runs `fn` while a session of PostgreSQL's holds the lock, which frees itself when we die.
 * @param fn gets a signal that fires when the connection, and so the lock, is lost
 * @throws {LockBusyError} when another holder keeps it for `waitMs`
 * @throws the loss of the connection, when the lock was lost before `fn` had ended
 */
export async function withAdvisoryLock<T>(
  databaseUrl: string,
  key: string,
  fn: (signal: AbortSignal) => Promise<T>,
  { waitMs, shared = false }: LockOptions,
): Promise<T> {
  const loss = new AbortController()
  const client = new pg.Client({
    connectionString: databaseUrl,
    connectionTimeoutMillis: 30_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
  })
  client.on('error', (error) => loss.abort(error))
  client.on('end', () => loss.abort(new Error('Connection terminated')))
  try {
    await client.connect()
    await acquire(client, key, waitMs, shared ? '_shared' : '')
    const result = await fn(loss.signal)
    loss.signal.throwIfAborted()
    return result
  } finally {
    // The lock goes with the session; a broken one has nothing left to end.
    await client.end().catch(() => undefined)
  }
}

async function acquire(
  client: pg.Client,
  key: string,
  waitMs: number,
  mode: '' | '_shared',
): Promise<void> {
  const id = createHash('sha256').update(key).digest().readBigInt64BE().toString()
  if (waitMs <= 0) {
    const { rows } = await client.query(`SELECT pg_try_advisory_lock${mode}($1::bigint) AS held`, [
      id,
    ])
    if (rows[0]?.held !== true) throw new LockBusyError(key)
    return
  }
  await client.query("SELECT set_config('lock_timeout', $1, false)", [String(Math.ceil(waitMs))])
  try {
    await client.query(`SELECT pg_advisory_lock${mode}($1::bigint)`, [id])
  } catch (error) {
    if ((error as { code?: string }).code === '55P03') throw new LockBusyError(key)
    throw error
  }
}
