import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { BodyBudget } from './body.ts'
import { botsPage } from './bots-page.ts'
import { type Intake, receiveEvents } from './events.ts'
import { createMetrics } from './metrics.ts'
import { json, type Reply, refuse, send } from './replies.ts'

export interface TrackerOptions extends Pick<Intake, 'log' | 'bots' | 'verifier' | 'logger'> {
  /** What bodies of requests may take up in memory together. Default 64 MB. */
  readonly maxHeldBytes?: number
  /** Default 4,000. */
  readonly maxConnections?: number
  /** How long a client may take to send a request, headers and body. Default 30 s. */
  readonly requestTimeoutMs?: number
}

export interface Tracker {
  /** Not listening yet: whoever owns the socket decides how connections reach it. */
  readonly server: Server
  /** No new connections; resolves when what is being answered has its answer, in 5 s at most. */
  close(): Promise<void>
}

const headersTimeoutMs = 10_000
/** Longer than the minute after which load balancers give up an idle connection: they must be first. */
const keepAliveMs = 72_000
/** For clients that do not read their answers. */
const silenceMs = 60_000
const closeMs = 5000

type Answer = (
  request: IncomingMessage,
  response: ServerResponse,
) => Reply | Promise<Reply | undefined>

interface Route {
  readonly methods: readonly string[]
  readonly answer: Answer
}

const reading = ['GET', 'HEAD']

function routesOf(intake: Intake, isClosing: () => boolean): ReadonlyMap<string, Route> {
  const { log, metrics, bots } = intake
  const ready = () => {
    const reason = isClosing() ? 'stopping' : log.isOverloaded ? 'overloaded' : undefined
    return reason ? json(503, { status: 'not ready', reason }) : json(200, { status: 'ready' })
  }
  const measured = async () => {
    const { contentType } = metrics
    return { status: 200, contentType, body: await metrics.text() }
  }
  const events: Answer = (request, response) => receiveEvents(request, response, intake)
  return new Map<string, Route>([
    ['/v1/events', { methods: ['POST'], answer: events }],
    ['/v1/bots.json', { methods: reading, answer: botsPage(bots) }],
    ['/healthz', { methods: reading, answer: () => json(200, { status: 'ok' }) }],
    ['/readyz', { methods: reading, answer: ready }],
    ['/metrics', { methods: reading, answer: measured }],
  ])
}

function pathOf({ url = '/' }: IncomingMessage): string {
  const query = url.indexOf('?')
  return query < 0 ? url : url.slice(0, query)
}

/** Answers requests, whatever becomes of them. */
function listenerOf(intake: Intake, isClosing: () => boolean) {
  const { metrics, logger } = intake
  const routes = routesOf(intake, isClosing)

  async function replyTo(request: IncomingMessage, response: ServerResponse) {
    const route = routes.get(pathOf(request))
    if (route === undefined) return refuse('not_found')
    if (!route.methods.includes(request.method ?? '')) {
      return refuse('method_not_allowed', { headers: { Allow: route.methods.join(', ') } })
    }
    return route.answer(request, response)
  }
  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const reply = await replyTo(request, response).catch((error: unknown) => {
      logger.error({ err: error }, 'A request failed.')
      return refuse('internal_error')
    })
    if (reply === undefined) return
    metrics.answered(reply.status)
    if (isClosing()) response.setHeader('Connection', 'close')
    send(request, response, reply)
  }
}

/**
 * The endpoint that events come in by, and what tells how it fares: `POST /v1/events`,
 * `/v1/bots.json`, `/healthz`, `/readyz`, `/metrics`.
 */
export function createTracker(options: TrackerOptions): Tracker {
  const { log, bots, verifier, logger, requestTimeoutMs: requestTimeout = 30_000 } = options
  const budget = new BodyBudget(options.maxHeldBytes ?? 64 * 1_048_576)
  const metrics = createMetrics(log, () => budget.heldBytes)
  let isClosing = false

  const server = createServer({
    headersTimeout: Math.min(headersTimeoutMs, requestTimeout),
    requestTimeout,
    connectionsCheckingInterval: Math.min(1000, requestTimeout),
    keepAliveTimeout: keepAliveMs,
  })
  server.timeout = silenceMs
  const intake = { log, bots, verifier, logger, budget, metrics }
  server.on(
    'request',
    listenerOf(intake, () => isClosing),
  )
  // A request like any other to those who count them.
  server.on('checkContinue', (...both) => server.emit('request', ...both))
  boundConnections(server, options.maxConnections ?? 4000, metrics.connectionRefused)

  async function close(): Promise<void> {
    isClosing = true
    const closed = new Promise((resolve) => server.close(resolve))
    const timer = setTimeout(() => server.closeAllConnections(), closeMs)
    await closed
    clearTimeout(timer)
  }
  return { server, close }
}

/** Not `maxConnections`, which does not count connections that another process hands over. */
function boundConnections(server: Server, most: number, onRefused: () => void): void {
  let open = 0
  server.on('connection', (socket) => {
    open++
    socket.once('close', () => open--)
    if (open <= most) return
    onRefused()
    socket.destroy()
  })
}

/**
 * Starts a tracker that listens.
 * @throws {Error} of the system, such as EADDRINUSE
 */
export async function startTracker(
  options: TrackerOptions & { host: string; port: number },
): Promise<{ port: number; url: string; close(): Promise<void> }> {
  const { host, port, logger } = options
  const { server, close } = createTracker(options)
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, host, resolve)
  })
  server.on('error', (error) => logger.warn({ err: error }, 'A connection could not be accepted.'))
  const { port: actual } = server.address() as AddressInfo
  const name = host.includes(':') ? `[${host}]` : host
  return { port: actual, url: `http://${name}:${actual}`, close }
}
