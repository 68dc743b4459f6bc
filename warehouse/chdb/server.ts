import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Log, silent } from '../../core/log.ts'
import { type EngineMetrics, engineMetrics } from '../../observability/engine.ts'
import { type Metrics, metricsType, openMetrics } from '../../observability/registry.ts'
import { type Authorizer, createAuthorizer } from './authorizer.ts'
import { type Answer, Engine, type Job } from './engine.ts'
import { type Exception, exception, fromEngine } from './exception.ts'
import { toJob } from './job.ts'
import { queryIdOf, readRequest } from './request.ts'
import { parallelQueries } from './threads.ts'

export interface WarehouseServer {
  readonly url: string
  readonly port: number
  /** Cuts off reads, lets writes end, and closes the folder. */
  close(): Promise<void>
}

const contentTypes: Record<string, string> = {
  JSON: 'application/json; charset=UTF-8',
  JSONCompact: 'application/json; charset=UTF-8',
  JSONEachRow: 'application/x-ndjson; charset=UTF-8',
  JSONCompactEachRow: 'application/x-ndjson; charset=UTF-8',
  CSV: 'text/csv; charset=UTF-8; header=absent',
  CSVWithNames: 'text/csv; charset=UTF-8; header=present',
  TabSeparated: 'text/tab-separated-values; charset=UTF-8',
}

function reply(response: ServerResponse, job: Job, answer: Answer): void {
  response.writeHead(200, {
    'Content-Type': contentTypes[job.format] ?? 'text/plain; charset=UTF-8',
    'Content-Length': answer.bytes.length,
    'X-ClickHouse-Format': job.format,
    'X-ClickHouse-Summary': JSON.stringify({
      read_rows: String(answer.rowsRead),
      written_rows: String(answer.rowsWritten),
      result_bytes: String(answer.bytes.length),
      elapsed_ns: String(Math.round(answer.seconds * 1e9)),
    }),
  })
  response.end(answer.bytes)
}

function fail(response: ServerResponse, error: Exception): void {
  if (response.headersSent || response.destroyed) return
  const body = `${error.message}\n`
  response.writeHead(error.status, {
    'Content-Type': 'text/plain; charset=UTF-8',
    'Content-Length': Buffer.byteLength(body),
    'X-ClickHouse-Exception-Code': error.code,
    // A body that was refused half read would be taken for the next request.
    ...(response.req.complete ? {} : { Connection: 'close' }),
  })
  response.end(body)
}

interface Service {
  readonly engine: Engine
  readonly isAuthorized: Authorizer
  readonly log: Log
  readonly metrics: Metrics
  readonly observer: EngineMetrics
}

async function answer(
  { engine, isAuthorized, log, metrics, observer }: Service,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const [path = '', query] = (request.url ?? '').split('?', 2)
  if (path === '/ping') {
    response.writeHead(200, { 'Content-Type': 'text/plain; charset=UTF-8' }).end('Ok.\n')
    return
  }
  const searchParams = new URLSearchParams(query)
  const queryId = queryIdOf(searchParams)
  response.setHeader('X-ClickHouse-Query-Id', queryId.replace(/[^\x20-\x7e]/g, '?'))
  const began = performance.now()
  const since = () => performance.now() - began
  const tell = (level: 'debug' | 'warn', fields: object, message: string) =>
    log[level]({ queryId, ms: Math.round(since()), ...fields }, message)
  const gone = new AbortController()
  response.on('close', () => {
    // To abort costs as much as all the rest, and nothing listens when the answer is sent.
    if (!response.writableFinished) gone.abort()
  })
  try {
    if (!isAuthorized(request, searchParams)) {
      throw exception(516, 'default: Authentication failed: password is incorrect, or no such user')
    }
    if (path === '/metrics') {
      response.writeHead(200, { 'Content-Type': metricsType }).end(await metrics.text())
      return
    }
    const job = toJob(await readRequest(request, searchParams, queryId), gone.signal)
    const readyMs = since()
    const result = await engine.run(job, () => observer.waited(since() - readyMs))
    reply(response, job, result)
    observer.ended({ queryId, ms: since(), rowsRead: result.rowsRead })
    tell('debug', { rowsRead: result.rowsRead, rowsWritten: result.rowsWritten }, 'query')
  } catch (error) {
    const failure = fromEngine(error)
    fail(response, failure)
    observer.ended({ queryId, ms: since(), rowsRead: 0, code: String(failure.code) })
    // The text may hold what a person typed: the code says enough.
    tell(failure.status >= 500 ? 'warn' : 'debug', { code: failure.code }, 'query failed')
  }
}

/**
 * Opens a chDB folder and serves it as ClickHouse's HTTP interface.
 * @throws {Error} when another process has the folder open, or the port is taken
 * @see https://clickhouse.com/docs/interfaces/http
 */
export async function startWarehouse(options: {
  readonly dataDir: string
  readonly host: string
  /** 0 for any free port. */
  readonly port: number
  readonly password: string
  readonly log?: Log
  readonly metrics?: Metrics
}): Promise<WarehouseServer> {
  const { dataDir, host, password, log = silent, metrics = openMetrics('warehouse') } = options
  const engine = new Engine(dataDir, parallelQueries)
  const observer = engineMetrics(metrics, () => engine.load)
  const service = { engine, isAuthorized: createAuthorizer(password), log, metrics, observer }
  const server = createServer(
    // Longer than clients keep a socket idle, so that the client is the one who closes it.
    { keepAliveTimeout: 30_000, maxHeaderSize: 2 ** 20 },
    (request, response) => {
      response.on('finish', () => {
        if (!server.listening) request.socket.end()
      })
      answer(service, request, response).catch((error: unknown) => {
        log.error({ err: error }, 'the warehouse could not answer')
        response.destroy()
      })
    },
  )
  try {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    server.once('error', reject).listen(options.port, host, resolve)
    await promise
  } catch (error) {
    await engine.close()
    throw error
  }
  const { port } = server.address() as AddressInfo
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${port}`,
    port,
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve))
      await engine.close()
      server.closeIdleConnections()
      await closed
    },
  }
}
