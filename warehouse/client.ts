import { type ClickHouseClient, ClickHouseLogLevel, createClient } from '@clickhouse/client'
import { LRUCache } from 'lru-cache'
import { type Log, silent } from '../core/log.ts'

/** The store of facts: our own warehouse process or a ClickHouse server, which are the same from here. */
export interface Warehouse {
  readonly client: ClickHouseClient
  readonly log: Log
  /** Rows that can never change, as the engine wrote them; see `Query.frozen`. */
  readonly frozen: LRUCache<string, string>
  /** Resolves when the engine runs a query within 2 s. */
  ping(): Promise<void>
  close(): Promise<void>
}

/** Enough for some ten thousand reports. */
const frozenBytes = 32 * 1024 * 1024

interface LogLine {
  readonly module: string
  readonly message: string
  readonly args?: Record<string, unknown>
}

/** What the client has to say about itself is for debugging; a failed query is reported by whoever asked it. */
function loggerClass(log: Log) {
  const debug = ({ module, message, args }: LogLine) =>
    log.debug({ module, queryId: args?.query_id }, message)
  return class {
    trace = debug
    debug = debug
    info = debug
    warn = debug
    error = debug
  }
}

/**
 * Connects by URL, with the first query. Nothing is sent before.
 * @param options.url `http(s)://user:password@host:port/database`
 */
export function createWarehouse(options: { readonly url: string; readonly log?: Log }): Warehouse {
  const { url, log = silent } = options
  const client = createClient({
    url,
    application: 'sightline',
    // Lists of ids do not fit into a URL.
    use_multipart_params: true,
    max_open_connections: 32,
    // Bounds what nothing else does; queries have their own time budget.
    request_timeout: 600_000,
    // Below the shortest time that servers keep an idle socket (3 s), so that none is stale when used.
    keep_alive: { enabled: true, idle_socket_ttl: 2_000, eagerly_destroy_stale_sockets: true },
    log: { LoggerClass: loggerClass(log), level: ClickHouseLogLevel.WARN },
  })
  return {
    client,
    log,
    frozen: new LRUCache({ maxSize: frozenBytes, sizeCalculation: (rows) => rows.length + 64 }),
    async ping() {
      const result = await client.ping({ select: true, abort_signal: AbortSignal.timeout(2_000) })
      if (!result.success) throw result.error
    },
    close: () => client.close(),
  }
}
