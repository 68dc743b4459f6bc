import { LRUCache } from 'lru-cache'
import { clusterOf } from '../core/clickhouse-url.ts'
import { type Log, silent } from '../core/log.ts'
import type { StatementObserver } from '../observability/statements.ts'
import { clusterSettings, onCluster } from './cluster.ts'
import { type Connection, connect, newQueryId } from './http.ts'

/** The store of facts: our own warehouse process or a ClickHouse server, which are the same from here. */
export interface Warehouse {
  /** Sends one statement. `run`, `command` and `insert` give it a time budget, a query id and errors of ours. */
  readonly send: Connection['send']
  readonly log: Log
  /** The name of the cluster, when the tables are on several servers. */
  readonly cluster?: string | undefined
  /** Hears of each statement. Default: nobody does. */
  readonly observer?: StatementObserver | undefined
  /** Called for each query whose rows may change while the versions of the project's data stay. */
  readonly onChangeable?: () => void
  /** Hears the bytes of the rows that each query is about to read into memory. */
  readonly onRows?: (bytes: number) => void
  /** Rows that can never change, as the engine wrote them; see `Query.frozen`. */
  readonly frozen: LRUCache<string, string>
  /** Such rows that are being read, by the same key. Undefined becomes of a reading that cannot be shared. */
  readonly underway: Map<string, Promise<string | undefined>>
  /** Resolves when the engine runs a query within 2 s. */
  ping(): Promise<void>
  close(): void
}

/** Enough for some ten thousand reports. */
const frozenBytes = 32 * 1024 * 1024

/**
 * Connects by URL, with the first query. Nothing is sent before.
 * @param options.url `http(s)://user:password@host:port/database`, with `?cluster=name` for a cluster
 */
export function createWarehouse(options: {
  readonly url: string
  readonly log?: Log
  readonly observer?: StatementObserver
}): Warehouse {
  const { url, log = silent, observer } = options
  const { send: sendOne, close } = connect(url)
  const cluster = clusterOf(url)
  const send: Connection['send'] =
    cluster === undefined
      ? sendOne
      : async (request) => {
          const settings = { ...clusterSettings, ...request.settings }
          return sendOne({ ...request, sql: onCluster(request.sql, cluster), settings })
        }
  return {
    send,
    log,
    cluster,
    observer,
    frozen: new LRUCache({ maxSize: frozenBytes, sizeCalculation: (rows) => rows.length + 64 }),
    underway: new Map(),
    async ping() {
      await send({ queryId: newQueryId('ping'), sql: 'SELECT 1', timeoutMs: 2_000 })
    },
    close,
  }
}
