import { PrismaPg } from '@prisma/adapter-pg'
import { type Prisma, PrismaClient } from './generated/client.ts'

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

/**
 * A client with a pool of its own. Connections that break are dropped and made anew, so it
 * outlives a restart of PostgreSQL.
 * @param databaseUrl postgresql://…; it is never logged
 */
export function createCatalog(databaseUrl: string, options: CatalogOptions = {}): Catalog {
  const adapter = new PrismaPg({
    connectionString: inUtc(databaseUrl),
    max: options.poolSize ?? 20,
    connectionTimeoutMillis: WAIT_MS,
    idleTimeoutMillis: 60_000,
    keepAlive: true,
  })
  return new PrismaClient({
    adapter,
    // The other formats read our source files and print them into messages.
    errorFormat: 'minimal',
    // Prisma's own 2 s refuse half of a hundred writes that come at once.
    transactionOptions: { maxWait: WAIT_MS, timeout: TRANSACTION_MS },
  })
}

/** The adapter drops the offset of a timestamp, so a session must have none. */
function inUtc(databaseUrl: string): string {
  const url = new URL(databaseUrl)
  const given = url.searchParams.get('options')
  url.searchParams.set('options', [given, '-c TimeZone=UTC'].filter(Boolean).join(' '))
  return url.href
}
