import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Settings } from '../../core/settings.ts'
import { joinMetrics, metricsType } from '../../observability/registry.ts'
import { listen, urlOf } from './listener.ts'

/** The metrics of all parts, at one address for the operator. */
export interface MetricsPort {
  /** Undefined without `METRICS_PORT`. */
  readonly url: string | undefined
  /** Shows these texts from then on. */
  show(texts: () => Promise<readonly string[]>): void
  close(): Promise<void>
}

const none: MetricsPort = { url: undefined, show: () => undefined, close: async () => undefined }

/** A scraper needs one; more are a mistake or an attack. */
const maxConnections = 32
const timeoutMs = 5000

/**
 * Listens on `METRICS_PORT`, apart from the ports of clients; without `METRICS_PORT`, nowhere. It asks for
 * no key: who reaches the port may read the figures, which name operations and no customer.
 * @throws {CliError} `port_in_use`, `port_not_allowed`, `host_not_available`
 */
export async function openMetricsPort(settings: Settings): Promise<MetricsPort> {
  if (settings.METRICS_PORT === undefined) return none
  const { host, port: asked } = settings.METRICS_PORT
  let texts = async (): Promise<readonly string[]> => []
  let underway: Promise<string> | undefined
  // Scrapes at the same time share one answer.
  const collect = () => {
    underway ??= texts()
      .then(joinMetrics)
      .finally(() => {
        underway = undefined
      })
    return underway
  }
  const server = createServer(
    { requestTimeout: timeoutMs, headersTimeout: timeoutMs },
    async (request, response) => {
      request.resume()
      const path = request.url?.split('?', 1)[0]
      const isRead = request.method === 'GET' || request.method === 'HEAD'
      if (path !== '/metrics') return void response.writeHead(404).end('Metrics are at /metrics.\n')
      if (!isRead) return void response.writeHead(405, { Allow: 'GET, HEAD' }).end()
      const body = await collect().catch(() => undefined)
      if (body === undefined) return void response.writeHead(500).end()
      response.writeHead(200, { 'Content-Type': metricsType, 'Cache-Control': 'no-store' })
      response.end(request.method === 'HEAD' ? undefined : body)
    },
  )
  server.maxConnections = maxConnections
  await listen(server, host, asked, 'METRICS_PORT')
  const { port } = server.address() as AddressInfo
  return {
    url: `${urlOf(host, port)}/metrics`,
    show: (next) => {
      texts = next
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
