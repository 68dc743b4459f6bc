import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createYoga } from 'graphql-yoga'
import { LRUCache } from 'lru-cache'
import type { Logger } from 'pino'
import { z } from 'zod'
import { check } from './core/check.ts'
import { liveChannel } from './core/live/events.ts'
import { baseUrlOf, type Settings } from './core/settings.ts'
import { type Named, watchAnswer } from './observability/answers.ts'
import { apiMetrics, cacheMetrics } from './observability/api.ts'
import { poolMetrics } from './observability/pools.ts'
import { type Metrics, openMetrics } from './observability/registry.ts'
import { inRequest } from './observability/spans.ts'
import { statementMetrics } from './observability/statements.ts'
import { documentCaches } from './plugins/document-caches.ts'
import { readDocumentList } from './plugins/document-list.ts'
import { faultOf } from './plugins/errors.ts'
import { graphqlPlugins, restPlugins } from './plugins/index.ts'
import { memoryLimiter, takeRequest } from './plugins/rate-limit.ts'
import { createRequestState, type RequestState } from './plugins/request-state.ts'
import { createRunIdempotent } from './plugins/run-idempotent.ts'
import { createCatalog } from './prisma/client.ts'
import { listenTo } from './prisma/listen.ts'
import { redeemPageCode } from './resolvers/keys/page-codes.ts'
import { createLive } from './resolvers/live/live.ts'
import { windowOf } from './resolvers/reports/reports.ts'
import { sharedBody, sharedReport } from './resolvers/reports/share.ts'
import { addressFault } from './rest/handler/address.ts'
import { readBody } from './rest/handler/body.ts'
import { corsOf } from './rest/handler/cors.ts'
import { restHandler } from './rest/handler/handler.ts'
import { useOmitNulls } from './rest/handler/omit-nulls.ts'
import { sendReadiness } from './rest/handler/readiness.ts'
import { responder, sendProblem } from './rest/handler/reply.ts'
import { endSilentBody, serverTimeouts } from './rest/handler/timeouts.ts'
import {
  authorize,
  documentFault,
  publicSchema,
  restSchema,
  scriptSchema,
  variableError,
} from './schema/index.ts'
import type { Services } from './schema/kit/context.ts'
import { createWarehouse } from './warehouse/client.ts'
import { pageKeyPath } from './web/key.ts'
import { servePage } from './web/serve.ts'
import { maskedPath, type SharedPage, shareHandler, sharePrefix } from './web/share/serve.ts'

export interface ApiOptions {
  readonly settings: Settings
  readonly databaseUrl: string
  readonly clickhouseUrl: string
  readonly secrets: Pick<Services, 'cursorSecret' | 'signingSecrets'>
  readonly log: Logger
  /** The states of the parts of the service, by name, for `/readyz`. Default: none is shown. */
  readonly parts?: () => Readonly<Record<string, string>>
  /** Default: metrics of its own. */
  readonly metrics?: Metrics
}

export interface Api {
  /** Not listening yet: whoever owns the socket decides how connections reach it. */
  readonly server: Server
  /** Ends live events, which have no end of their own. Call it before you wait for requests under way. */
  endStreams(): void
  close(): Promise<void>
}

const snapshotMinutes = 5

const pageCode = z.object({ code: z.string() })

interface Incoming {
  readonly requestState: RequestState
  readonly services: Services
}

function makeYoga(plugins: ReturnType<typeof graphqlPlugins>) {
  return createYoga<Incoming>({
    schema: publicSchema,
    graphqlEndpoint: '/graphql',
    plugins,
    graphiql: false,
    landingPage: false,
    batching: false,
    extraParamNames: ['documentId'],
    cors: false,
    // The stack renders and masks errors itself, with the request id.
    maskedErrors: false,
    logging: false,
    multipart: false,
    // A plugin limits bodies by operation.
    maxRequestBodySize: false,
    parserAndValidationCache: documentCaches(),
  })
}

function pathOf(request: IncomingMessage): string {
  return (request.url ?? '/').split('?', 1)[0] ?? '/'
}

/** Loads a handler with its first request: the router of `/api/graph` would take a third of the start. */
function onFirstCall<Args extends unknown[]>(
  load: () => Promise<(...args: Args) => Promise<void>>,
) {
  let loaded: ReturnType<typeof load> | undefined
  return async (...args: Args) => {
    loaded ??= load()
    return (await loaded)(...args)
  }
}

/** The report that a link opens; null for every link that opens none. */
async function findShared(
  { db, baseUrl, signingSecrets }: Services,
  token: string,
): Promise<SharedPage | null> {
  const found = await sharedReport(db, signingSecrets, token)
  if (!found) return null
  const { report, content, branding } = found
  const { id, title, createdAt } = report
  const body = sharedBody(report, `${baseUrl}${sharePrefix}${token}`)
  return { id, body, branding, report: { title, createdAt, dateRange: windowOf(report), content } }
}

/** Loaded only for those who have Redis: its client takes a tenth of the start. */
async function sharedLimiter(url: string, log: Logger) {
  const { redisLimiter } = await import('./plugins/redis-limiter.ts')
  return redisLimiter(url, log)
}

/**
 * The API: GraphQL at `/graphql`, REST under `/api`, `/healthz` and `/readyz`, shared reports at `/share`.
 * It opens its connections with the first request.
 */
export async function startApi(options: ApiOptions): Promise<Api> {
  const { settings, log, metrics = openMetrics('api') } = options
  const persisted = {
    documents: await readDocumentList(settings, publicSchema),
    listedOnly: settings.PERSISTED_DOCUMENTS_ONLY === '1',
  }
  const baseUrl = baseUrlOf(settings)
  const db = createCatalog(options.databaseUrl, { onPools: poolMetrics(metrics) })
  const warehouse = createWarehouse({
    url: options.clickhouseUrl,
    log,
    observer: statementMetrics(metrics),
  })
  const live = createLive({
    listen: (events) => listenTo(options.databaseUrl, liveChannel, events),
    warehouse,
    log,
  })
  const services: Services = {
    db,
    live,
    databaseUrl: options.databaseUrl,
    warehouse,
    baseUrl,
    cursorSecret: options.secrets.cursorSecret,
    signingSecrets: options.secrets.signingSecrets,
    snapshots: new LRUCache({ max: 10_000, ttl: snapshotMinutes * 60_000 }),
    privateHosts: settings.ALLOW_PRIVATE_HOSTS,
    log,
  }
  const observed = { log, metrics: apiMetrics(metrics) }
  const { refused, streams } = observed.metrics
  cacheMetrics(metrics, { frozen_rows: warehouse.frozen, snapshots: services.snapshots })
  const shared = settings.REDIS_URL ? await sharedLimiter(settings.REDIS_URL, log) : undefined
  const limiter = shared?.limiter ?? memoryLimiter()
  const runIdempotent = createRunIdempotent(db, log)
  const { STREAMS_PER_KEY: streamsPerKey } = settings
  const parts = {
    db,
    limiter,
    authorize,
    runIdempotent,
    baseUrl,
    log,
    streamsPerKey,
    refused,
    streams,
  }
  const graphql = { ...parts, ...persisted, schema: publicSchema, documentFault, variableError }
  const yoga = makeYoga(graphqlPlugins(graphql))
  const door = {
    services,
    baseUrl,
    faultOf: (error: unknown, requestId: string) =>
      faultOf(error, { requestId, baseUrl, log, refused }),
  }
  const inner = [useOmitNulls()]
  const rest = restHandler({ ...door, schema: restSchema, plugins: restPlugins(parts, inner) })
  const graph = onFirstCall(async () => {
    const { graphHandler } = await import('./rest/graph/handler.ts')
    return graphHandler({ ...door, schema: scriptSchema, plugins: restPlugins(parts, []) })
  })

  const share = shareHandler({
    find: (token) => findShared(services, token),
    count: async ({ socket }, headers) => {
      const refused = await takeRequest(limiter, `address:${socket.remoteAddress}`, headers)
      return refused?.fault.headers['Retry-After']
    },
    onError: (err) => log.error({ err }, 'a shared report was not shown'),
  })

  const pageKey = responder(door, async (request, state) => {
    const address = `address:${request.socket.remoteAddress}`
    const refused = await takeRequest(limiter, address, state.headers)
    if (refused) throw refused.fault
    const { code } = check(pageCode, await readBody(request))
    const body = JSON.stringify({ key: await redeemPageCode(db, code) })
    return { status: 200, contentType: 'application/json', body }
  })

  const cors = corsOf(settings.CORS_ORIGINS)
  // A request without a host gets a problem too.
  const serverOptions = { ...serverTimeouts, requireHostHeader: false }
  const answer = async (request: IncomingMessage, response: ServerResponse, requestId: string) => {
    const path = pathOf(request)
    const watch = (named: Named) =>
      watchAnswer(observed, { request, response, path: maskedPath(path) }, named)
    const fault = addressFault(request)
    if (fault) {
      watch({ requestId })
      refused(fault.code)
      return sendProblem(request, response, fault, { requestId, baseUrl })
    }
    if (cors(request, response, path)) return
    if (await servePage(request, response, path)) return
    if (path.startsWith(sharePrefix)) {
      watch({ requestId })
      return share(request, response, path)
    }
    if (path === '/readyz') return sendReadiness(response, services, options.parts)
    const requestState = createRequestState({
      requestId,
      authorization: request.headers.authorization,
      address: request.socket.remoteAddress ?? '',
      idempotencyKeys: request.headersDistinct['idempotency-key'] ?? [],
      ifMatch: request.headersDistinct['if-match'] ?? [],
    })
    watch(requestState)
    if (path === pageKeyPath && request.method === 'POST') {
      return pageKey(request, response, requestState)
    }
    if (path === '/graphql') return yoga(request, response, { requestState, services })
    const isGraph = path.startsWith('/api/graph/')
    return (isGraph ? graph : rest)(request, response, requestState)
  }
  const server = createServer(serverOptions, (request, response) => {
    endSilentBody(request, response)
    const requestId = randomUUID()
    const work = () => answer(request, response, requestId)
    // Probes come each second, and nobody reads their traces.
    return pathOf(request) === '/readyz' ? work() : inRequest(request, requestId, work)
  })

  return {
    server,
    endStreams: live.endStreams,
    async close() {
      await live.close()
      server.closeIdleConnections()
      await new Promise<void>((resolve) =>
        server.listening ? server.close(() => resolve()) : resolve(),
      )
      shared?.close()
      await Promise.all([db.$disconnect(), warehouse.close()])
    },
  }
}
