import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Fault } from '../../core/errors.ts'
import { answerUnparsed, expectationFault } from '../../core/unparsed.ts'
import { BodyBudget } from './body.ts'
import { botsPage } from './bots-page.ts'
import { type EventContext, receiveEvents } from './events.ts'
import { createSeenRequests, fastlyChallenge, receiveLogs, vercelReady } from './logs.ts'
import { createMetrics, type TrackerMetrics } from './metrics.ts'
import { json, type Reply, refuse, refuseUnparsed, send } from './replies.ts'

export interface TrackerOptions
  extends Pick<EventContext, 'log' | 'bots' | 'ranges' | 'agents' | 'verifier' | 'logger'> {
  /** Memory of all request bodies together. Default 64 MB. */
  readonly maxHeldBytes?: number
  /** Default 4,000. */
  readonly maxConnections?: number
  /** Time to send a request with its body. Default 30 s. */
  readonly requestTimeoutMs?: number
  /** Number of the process, which labels its metrics. Absent for an only process. */
  readonly process?: number | undefined
}

export interface Tracker {
  /** Not listening: the owner of the socket decides how connections reach it. */
  readonly server: Server
  readonly metrics: Pick<TrackerMetrics, 'text'>
  /** Accepts no more connections. Resolves when requests under way are answered, after 5 s at most. */
  close(): Promise<void>
}

const headersTimeoutMs = 10_000
/** Longer than the idle timeout of load balancers, a minute: they must close a connection first. */
const keepAliveMs = 72_000
/** For clients that do not read their responses. */
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

function routesOf(context: EventContext, isClosing: () => boolean): ReadonlyMap<string, Route> {
  const { log, metrics, bots } = context
  const ready = () => {
    const away = log.isAway ? 'NATS does not answer' : undefined
    const reason = isClosing()
      ? 'stopping'
      : (away ?? (log.isOverloaded ? 'overloaded' : undefined))
    return reason ? json(503, { status: 'not ready', reason }) : json(200, { status: 'ready' })
  }
  const measured = async () => {
    const { contentType } = metrics
    return { status: 200, contentType, body: await metrics.text() }
  }
  const events: Answer = (request, response) => receiveEvents(request, response, context)
  const seen = createSeenRequests()
  const logs: Answer = (request, response) =>
    request.method === 'POST'
      ? receiveLogs(request, response, { ...context, seen }, sourceOf(request))
      : vercelReady(request)
  return new Map<string, Route>([
    ['/v1/events', { methods: ['POST'], answer: events }],
    [logsPath, { methods: ['POST'], answer: logs }],
    [`${logsPath}vercel`, { methods: ['POST', ...reading], answer: logs }],
    ['/.well-known/fastly/logging/challenge', { methods: reading, answer: fastlyChallenge }],
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

const logsPath = '/v1/logs/'

/** The part of `/v1/logs/{source}` that names the source. */
const sourceOf = (request: IncomingMessage) => pathOf(request).slice(logsPath.length)

/** Answers every request, also after an error. */
function listenerOf(context: EventContext, isClosing: () => boolean) {
  const { metrics, logger } = context
  const routes = routesOf(context, isClosing)

  async function replyTo(request: IncomingMessage, response: ServerResponse) {
    const path = pathOf(request)
    const route = routes.get(path) ?? (path.startsWith(logsPath) ? routes.get(logsPath) : undefined)
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
 * The HTTP server of the tracker: `POST /v1/events`, `POST /v1/logs/{source}`, `/v1/bots.json`, `/healthz`, `/readyz`, `/metrics`.
 */
export function createTracker(options: TrackerOptions): Tracker {
  const {
    log,
    bots,
    ranges,
    agents,
    verifier,
    logger,
    requestTimeoutMs: requestTimeout = 30_000,
  } = options
  const budget = new BodyBudget(options.maxHeldBytes ?? 64 * 1_048_576)
  const metrics = createMetrics(log, () => budget.heldBytes, options.process)
  let isClosing = false

  const server = createServer({
    headersTimeout: Math.min(headersTimeoutMs, requestTimeout),
    requestTimeout,
    connectionsCheckingInterval: Math.min(1000, requestTimeout),
    keepAliveTimeout: keepAliveMs,
  })
  server.timeout = silenceMs
  const context = { log, bots, ranges, agents, verifier, logger, budget, metrics }
  server.on(
    'request',
    listenerOf(context, () => isClosing),
  )
  // Counted like every other request.
  server.on('checkContinue', (...both) => server.emit('request', ...both))
  const refused = (fault: Fault) => {
    metrics.answered(fault.status)
    return refuseUnparsed(fault)
  }
  server.on('checkExpectation', (request, response) =>
    send(request, response, refused(expectationFault())),
  )
  answerUnparsed(server, (fault, reason) => {
    logger.info({ status: fault.status, reason }, 'A request was not valid HTTP.')
    const { status, contentType = '', headers = {}, body = '' } = refused(fault)
    return { status, headers: { 'Content-Type': contentType, ...headers }, body }
  })
  limitConnections(server, options.maxConnections ?? 4000, metrics.connectionRefused)

  async function close(): Promise<void> {
    isClosing = true
    const closed = new Promise((resolve) => server.close(resolve))
    const timer = setTimeout(() => server.closeAllConnections(), closeMs)
    await closed
    clearTimeout(timer)
  }
  return { server, metrics, close }
}

/** Unlike `maxConnections`, counts connections that another process hands off. */
function limitConnections(server: Server, most: number, onRefused: () => void): void {
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
 * Starts a listening tracker.
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
