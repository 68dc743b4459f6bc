import pg from 'pg'
import { Turns } from '../core/turns.ts'
import type { PoolLoads } from '../observability/pools.ts'
import { endWrite, writerName } from './writes.ts'

/** How long a statement waits for the lock of another transaction, in milliseconds. */
const lockWaitMs = 2000

/** Options of a session with the catalog. The adapter drops the offset of a timestamp, so a session must have none. */
export const sessionOptions = `-c TimeZone=UTC -c lock_timeout=${lockWaitMs}`

/** After this time PostgreSQL ends a transaction whose client has vanished, and frees its locks. */
const GONE_MS = 60_000

/** The URL of the catalog for sessions of a client: with the options of our sessions. */
export function sessionUrl(databaseUrl: string): string {
  const url = new URL(databaseUrl)
  const given = url.searchParams.get('options')
  const ours = `${sessionOptions} -c idle_in_transaction_session_timeout=${GONE_MS}`
  url.searchParams.set('options', [given, ours].filter(Boolean).join(' '))
  return url.href
}

/** How long a write waits for a connection, in milliseconds. */
export const turnWaitMs = 20_000
/** The code of PostgreSQL for a lock that was not free in time. */
const lockNotAvailable = '55P03'

function noTurn(): Error {
  const error = new pg.DatabaseError('no connection was free for the write', 0, 'error')
  return Object.assign(error, { code: lockNotAvailable, severity: 'ERROR' })
}

const beginsRead = /^\s*(?:SELECT|WITH)\b/i
const writes =
  /\b(?:FOR\s+(?:NO\s+KEY\s+)?(?:UPDATE|SHARE)|FOR\s+KEY\s+SHARE|INSERT|UPDATE|DELETE|pg_notify|set_config)\b/i

/** Whether a statement reads only: it never waits for a lock of a row. */
function isRead(sql: string): boolean {
  return beginsRead.test(sql) && !writes.test(sql)
}

type Callback = (error: Error | undefined, client?: pg.PoolClient, release?: unknown) => void

/**
 * Two pools behind one. Statements that read have connections of their own, so they never wait for writes. Transactions
 * and other statements share the rest by the name of `asWriter`.
 */
export class CatalogPool extends pg.Pool {
  readonly #reads: pg.Pool
  readonly #turns: Turns

  constructor({ max = 10, ...config }: pg.PoolConfig) {
    const most = Math.max(2, Math.ceil(max / 2))
    super({ ...config, max: most })
    this.#reads = new pg.Pool({ ...config, max })
    // The idle connection is replaced; a query reports its own error.
    this.#reads.on('error', () => undefined)
    const perName = Math.max(2, Math.floor(most * 0.4))
    this.#turns = new Turns({ total: most, perName })
  }

  /** The connections now. A write waits for its turn, and then for a connection. */
  get loads(): PoolLoads {
    const { totalCount, idleCount, waitingCount } = this.#reads
    return {
      reads: { open: totalCount, idle: idleCount, waiting: waitingCount },
      writes: {
        open: this.totalCount,
        idle: this.idleCount,
        waiting: this.waitingCount + this.#turns.waiting,
      },
    }
  }

  override query = ((...args: unknown[]) => {
    const [asked] = args as [string | { text?: string }]
    const sql = typeof asked === 'string' ? asked : (asked.text ?? '')
    const query = isRead(sql) ? this.#reads.query.bind(this.#reads) : super.query.bind(this)
    return (query as (...given: unknown[]) => unknown)(...args)
  }) as pg.Pool['query']

  /** A connection for writes. The pool calls it too, with a callback, for each of its own statements. */
  override connect(): Promise<pg.PoolClient>
  override connect(callback: Callback): void
  override connect(callback?: Callback): unknown {
    const connecting = this.#connect()
    if (callback === undefined) return connecting
    connecting.then(
      (client) => callback(undefined, client, client.release),
      (error: Error) => callback(error),
    )
    return undefined
  }

  async #connect(): Promise<pg.PoolClient> {
    const name = writerName()
    const giveBack = await this.#turns.take(name, turnWaitMs).catch(() => Promise.reject(noTurn()))
    try {
      const client = await super.connect()
      const { release } = client
      client.release = (error) => {
        endWrite()
        release(error)
        giveBack()
      }
      return client
    } catch (error) {
      giveBack()
      throw error
    }
  }

  override end = (async () => {
    await Promise.all([super.end(), this.#reads.end()])
  }) as pg.Pool['end']
}
