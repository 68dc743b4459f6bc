import { PrismaPg } from '@prisma/adapter-pg'
import type { PoolLoads } from '../observability/pools.ts'
import { type Prisma, PrismaClient } from './generated/client.ts'
import { CatalogPool, sessionUrl, turnWaitMs } from './pools.ts'
import { SerialClient } from './serial-client.ts'
import { statementNames } from './statement-names.ts'
import { traced } from './traced.ts'

export { isEngineDown, isLockBusy } from './engine-down.ts'
export { LockBusyError, withAdvisoryLock } from './lock.ts'
export { patiently } from './patiently.ts'
export { createPrepared, type Prepared } from './prepared.ts'
export { asWriter, writesEnded } from './writes.ts'

/**
 * The catalog's client. It connects with the first query. `$connect()` only loads the query
 * compiler, which needs no server: call it while PostgreSQL starts. End it with `$disconnect()`.
 */
export type Catalog = PrismaClient

/** What resolvers read and write through: the client, or a transaction of it. */
export type Db = Prisma.TransactionClient

export interface CatalogOptions {
  /** Connections for reads at most; writes have half as many of their own. Default 20. */
  poolSize?: number
  /** How long a connection without work stays open. Default a minute. */
  idleMs?: number
  /** Takes the pools at each connection of the client, for metrics. */
  onPools?: (loads: () => PoolLoads) => void
}

const WAIT_MS = 10_000
const TRANSACTION_MS = 30_000

/**
 * A client with its own pools. It replaces broken connections, so it survives a restart of PostgreSQL.
 * @param databaseUrl postgresql://…; it is never logged
 */
export function createCatalog(
  databaseUrl: string,
  { poolSize = 20, idleMs = 60_000, onPools }: CatalogOptions = {},
): Catalog {
  const pool = {
    connectionString: sessionUrl(databaseUrl),
    Client: SerialClient,
    max: poolSize,
    connectionTimeoutMillis: WAIT_MS,
    idleTimeoutMillis: idleMs,
    keepAlive: true,
  }
  const nameOf = statementNames()
  const options = {
    statementNameGenerator: ({ sql }: { sql: string }) => nameOf(sql),
    disposeExternalPool: true,
  }
  const adapter = {
    provider: 'postgres' as const,
    adapterName: '@prisma/adapter-pg',
    // Pools of their own for each connection of the client: it may connect again after `$disconnect()`.
    connect: async () => {
      const pools = new CatalogPool(pool)
      onPools?.(() => pools.loads)
      return traced(await new PrismaPg(pools, options).connect())
    },
  }
  return new PrismaClient({
    adapter,
    // The other formats read our source files and print them into messages.
    errorFormat: 'minimal',
    // Prisma's own 2 s refuse half of a hundred writes that come at once.
    transactionOptions: { maxWait: turnWaitMs + WAIT_MS, timeout: TRANSACTION_MS },
  })
}
