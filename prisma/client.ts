import { PrismaPg } from '@prisma/adapter-pg'
import { type Prisma, PrismaClient } from './generated/client.ts'
import { SerialClient } from './serial-client.ts'
import { statementName } from './statement-names.ts'

export { isEngineDown } from './engine-down.ts'
export { LockBusyError, withAdvisoryLock } from './lock.ts'

/**
 * The catalog's client. It connects with the first query. `$connect()` only loads the query
 * compiler, which needs no server: call it while PostgreSQL starts. End it with `$disconnect()`.
 */
export type Catalog = PrismaClient

/** What resolvers read and write through: the client, or a transaction of it. */
export type Db = Prisma.TransactionClient

export interface CatalogOptions {
  /** Connections at most. Default 20. */
  poolSize?: number
}

const WAIT_MS = 10_000
const TRANSACTION_MS = 30_000
/** After this time PostgreSQL ends a transaction whose client has vanished, and frees its locks. */
const GONE_MS = 60_000

/**
 * A client with its own pool. It replaces broken connections, so it survives a restart of PostgreSQL.
 * @param databaseUrl postgresql://…; it is never logged
 */
export function createCatalog(databaseUrl: string, options: CatalogOptions = {}): Catalog {
  const pool = {
    connectionString: withOptions(databaseUrl),
    Client: SerialClient,
    max: options.poolSize ?? 20,
    connectionTimeoutMillis: WAIT_MS,
    idleTimeoutMillis: 60_000,
    keepAlive: true,
  }
  const adapter = new PrismaPg(pool, { statementNameGenerator: ({ sql }) => statementName(sql) })
  return new PrismaClient({
    adapter,
    // The other formats read our source files and print them into messages.
    errorFormat: 'minimal',
    // Prisma's own 2 s refuse half of a hundred writes that come at once.
    transactionOptions: { maxWait: WAIT_MS, timeout: TRANSACTION_MS },
  })
}

function withOptions(databaseUrl: string): string {
  const url = new URL(databaseUrl)
  const given = url.searchParams.get('options')
  // The adapter drops the offset of a timestamp, so a session must have none.
  const ours = `-c TimeZone=UTC -c idle_in_transaction_session_timeout=${GONE_MS}`
  url.searchParams.set('options', [given, ours].filter(Boolean).join(' '))
  return url.href
}
