import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { LRUCache } from 'lru-cache'
import type { Logger } from 'pino'
import { version } from './cli/package.ts'
import { hashApiKey, isSessionToken } from './core/access.ts'
import { type Fault, notFound } from './core/errors.ts'
import { liveChannel } from './core/live/events.ts'
import { onFirstCall } from './core/load/first-call.ts'
import { replyMemory } from './core/load/under-load.ts'
import { loopTurns } from './core/load/work.ts'
import { mailSettingsOf } from './core/mail/settings.ts'
import { clientAddress } from './core/proxies.ts'
import { baseUrlOf, retentionOf, type Settings, trackerUrlOf } from './core/settings.ts'
import { whyNoSignIn } from './core/tool-sign-in.ts'
import { answerUnparsed, expectationFault } from './core/unparsed.ts'
import { toolDoor } from './mcp/door.ts'
import { isConnect, isOAuth, openOAuth } from './oauth/door.ts'
import { type Named, noteUnparsed, watchAnswer } from './observability/answers.ts'
import { apiMetrics, cacheMetrics } from './observability/api.ts'
import { poolMetrics } from './observability/pools.ts'
import { type Metrics, openMetrics } from './observability/registry.ts'
import { inRequest } from './observability/spans.ts'
import { cacheLookups, statementMetrics } from './observability/statements.ts'
import { disregardAccept } from './plugins/accept.ts'
import { authenticate, isAlive } from './plugins/authentication.ts'
import { readDocumentList } from './plugins/document-list.ts'
import { faultOf } from './plugins/errors.ts'
import { graphqlPlugins, restPlugins } from './plugins/index.ts'
import { keepAnswers } from './plugins/kept/answers.ts'
import { type GraphHandler, keptFirst } from './plugins/kept/door.ts'
import { memoryLimiter, requestsPerWindow } from './plugins/limiter.ts'
import { admit, admitApart, takeRequest } from './plugins/rate-limit.ts'
import { createRequestState, type RequestState } from './plugins/request-state.ts'
import { createRunIdempotent } from './plugins/run-idempotent.ts'
import { makeYoga } from './plugins/yoga.ts'
import { createCatalog, createPrepared, writesEnded } from './prisma/client.ts'
import { listenTo, shareListener } from './prisma/listen.ts'
import { followLink, showLink } from './resolvers/channels/links.ts'
import { googleReturnPath } from './resolvers/connections/google.ts'
import { redeemPageCode } from './resolvers/keys/page-codes.ts'
import { rememberAccess } from './resolvers/keys/remembered.ts'
import { createLive } from './resolvers/live/live.ts'
import { limitGuesses } from './resolvers/members/guesses.ts'
import {
  acceptByLink,
  invitedPasskeyOptions,
  showInvitation,
} from './resolvers/members/invitation-links.ts'
import { askForReset, limitResets, resetPassword } from './resolvers/members/mails.ts'
import {
  addPasskey,
  ownPasskeyOptions,
  passkeyOptions,
  signInByPasskey,
} from './resolvers/members/passkeys.ts'
import { changePassword, personOf, signInByPassword } from './resolvers/members/passwords.ts'
import {
  beginSession,
  renewSession,
  signIn,
  signInUser,
  signOut,
} from './resolvers/members/sessions.ts'
import { logoAt } from './resolvers/projects/logo.ts'
import { previewedPage, sharedPage } from './resolvers/reports/share.ts'
import type { Snapshot } from './resolvers/shared/scope.ts'
import { addressFault, headerOfWrite, pathOf, twoKeysFault } from './rest/handler/address.ts'
import { readBody } from './rest/handler/body.ts'
import { largestRowBytes } from './rest/handler/budget.ts'
import { corsOf } from './rest/handler/cors.ts'
import { restHandler } from './rest/handler/handler.ts'
import { holdOf } from './rest/handler/hold.ts'
import { useOmitNulls } from './rest/handler/omit-nulls.ts'
import { serveRawQueries } from './rest/handler/raw-query.ts'
import { sendReadiness } from './rest/handler/readiness.ts'
import { keepReplies } from './rest/handler/remembered.ts'
import { rawProblem, responder, sendProblem } from './rest/handler/reply.ts'
import { endSilentBody, serverOptions } from './rest/handler/timeouts.ts'
import {
  authorize,
  documentFaults,
  fieldCharge,
  listSizes,
  publicSchema,
  restSchema,
  scriptSchema,
  variableError,
} from './schema/index.ts'
import type { Services } from './schema/kit/context.ts'
import { keptRules } from './schema/kit/kept/documents.ts'
import { createWarehouse } from './warehouse/client.ts'
import { createReaders } from './warehouse/readers.ts'
import { serveMissing, type Visits } from './web/dashboard.ts'
import { googleReturnHandler } from './web/google-return.ts'
import { mailLinkHandler } from './web/mail-links.ts'
import { servePage } from './web/serve.ts'
import { isShared, maskedPath, shareHandler, sharePrefix } from './web/share/serve.ts'
import { openSignIn } from './web/sign-in/open.ts'
import { requireOwnPage, signInPosts } from './web/sign-in/posts.ts'

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

/** Passwords that may be tried on the link of one report in a minute, by all readers and from one address. */
const triesOfReport = 60
const triesOfAddress = 10

/** Beside one reply of the largest size, this much of others may be under way: a byte of rows takes five of memory. */
const otherReplyBytes = 8 * 1024 * 1024

/** A request may make as many times the bytes of its response in memory. */
const workOfResponse = 4

type Incoming = {
  readonly requestState: RequestState
  readonly services: Services
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
  const clientOf = ({ socket, headers }: IncomingMessage) =>
    clientAddress(socket.remoteAddress ?? '', headers['x-forwarded-for'], settings.TRUST_PROXY)
  const db = createCatalog(options.databaseUrl, { onPools: poolMetrics(metrics) })
  const looked = cacheLookups(metrics)
  const observer = statementMetrics(metrics, looked)
  const warehouse = createWarehouse({ url: options.clickhouseUrl, log, observer })
  const reads = createPrepared(options.databaseUrl)
  const access = rememberAccess(reads, writesEnded)
  const listen = shareListener((events) => listenTo(options.databaseUrl, liveChannel, events))
  // Before live events: a notice makes them check access, which memory must have forgotten by then.
  const forget = () => {
    access.forget()
    replies?.forget()
    answers?.forget()
  }
  const notices = listen({ onNotice: access.onNotice, onLost: forget, onResumed: forget })
  const live = createLive({ listen, warehouse, log })
  const snapshots = new LRUCache<string, Snapshot>({ max: 10_000, ttl: snapshotMinutes * 60_000 })
  const noSignIn = whyNoSignIn(settings)
  if (noSignIn !== undefined) {
    log.warn({ baseUrl, reason: noSignIn }, 'AI clients connect with API keys alone')
  }
  const services: Services = {
    db,
    projects: { db, load: access.projects },
    live,
    databaseUrl: options.databaseUrl,
    warehouse,
    warehouseFor: createReaders(warehouse, settings.QUERIES_PER_KEY),
    baseUrl,
    connectsClients: noSignIn === undefined,
    trackerUrl: trackerUrlOf(settings),
    cursorSecret: options.secrets.cursorSecret,
    signingSecrets: options.secrets.signingSecrets,
    snapshots,
    privateHosts: settings.ALLOW_PRIVATE_HOSTS,
    googleUrl: settings.GOOGLE_API_URL,
    retention: retentionOf(settings),
    mail: mailSettingsOf(settings),
    maxResponseBytes: settings.MAX_RESPONSE_MB * 1024 ** 2,
    log,
  }
  const observed = { log, metrics: apiMetrics(metrics) }
  const { refused, streams } = observed.metrics
  const shared = settings.REDIS_URL ? await sharedLimiter(settings.REDIS_URL, log) : undefined
  const hold = holdOf(replyMemory(services.maxResponseBytes + otherReplyBytes))
  const limiter = shared?.limiter ?? memoryLimiter()
  const runIdempotent = createRunIdempotent({ ...services, log })
  const parts = {
    turn: loopTurns(),
    maxWorkBytes: services.maxResponseBytes * workOfResponse,
    noteUse: access.noteUse,
    keyByHash(hash: string) {
      // Without the connection, memory is right for as long as it keeps.
      notices.ready().catch(() => undefined)
      return access.keyByHash(hash)
    },
    limiter,
    authorize,
    runIdempotent,
    baseUrl,
    log,
    refused,
    streams,
    streamsPerKey: settings.STREAMS_PER_KEY,
  }
  const maxBytes = services.maxResponseBytes + largestRowBytes
  const graphql = {
    ...parts,
    ...persisted,
    schema: publicSchema,
    documentFaults,
    variableError,
    maxBytes,
    fieldCharge,
    listSizes,
    maxQueryCost: settings.MAX_QUERY_COST,
    charged: observed.metrics.charged,
  }
  // Half of the memory is for each door.
  const maxReplyBytes = (settings.REPLY_MEMORY_MB * 1024 ** 2) / 2
  const answers = maxReplyBytes
    ? keepAnswers({
        maxBytes: maxReplyBytes,
        ...keptRules(services),
        onLookup: (isKnown) => looked('answers', isKnown),
      })
    : undefined
  const yoga = makeYoga<Incoming>(publicSchema, graphqlPlugins(graphql, answers))
  const askYoga: GraphHandler = (request, response, requestState) =>
    yoga(request, response, { requestState, services })
  const askGraph = answers ? keptFirst({ ...graphql, find: answers.find }, askYoga) : askYoga
  const door = {
    services,
    baseUrl,
    faultOf: (error: unknown, requestId: string) =>
      faultOf(error, { requestId, baseUrl, log, refused }),
  }
  const inner = [useOmitNulls()]
  const replies = maxReplyBytes
    ? keepReplies({
        maxBytes: maxReplyBytes,
        // Each request of REST comes with the state that is made below.
        admit: (state) => admit(parts, state as RequestState),
        onLookup: (isKnown) => looked('replies', isKnown),
      })
    : undefined
  cacheMetrics(metrics, { frozen_rows: warehouse.frozen, snapshots, replies, answers })
  const restParts = { ...door, schema: restSchema, plugins: restPlugins(parts, inner) }
  const rest = restHandler({ ...restParts, replies })
  // Its router would take a third of the start.
  const graph = onFirstCall(async () => {
    const { graphHandler } = await import('./rest/graph/handler.ts')
    return graphHandler({ ...door, schema: scriptSchema, plugins: restPlugins(parts, []) })
  })

  // The protocol and its tools take a tenth of a second to load, which few services need.
  const tools = onFirstCall(async () => {
    const { toolServer } = await import('./mcp/server.ts')
    return toolServer({
      graph: (request, requestState) => yoga.fetch(request, { requestState, services }),
      schema: publicSchema,
      baseUrl,
      version,
      onError: (err, requestId) => log.error({ requestId, err }, 'a tool failed'),
    })
  })
  const count = async (request: IncomingMessage, headers: Record<string, string> = {}) => {
    const refused = await takeRequest(limiter, `address:${clientOf(request)}`, headers)
    return refused?.fault.headers['Retry-After']
  }
  const oauth =
    noSignIn === undefined
      ? openOAuth({ ...services, reads, clientOf, count, readBody })
      : undefined
  const toolReply = toolDoor({
    baseUrl,
    origins: settings.CORS_ORIGINS,
    callsPerKey: settings.MCP_CALLS_PER_KEY,
    async admit(state) {
      try {
        await oauth?.readToken(state)
        await admitApart(parts, state, 'mcp')
      } catch (error) {
        throw oauth ? oauth.challenged(error, state) : error
      }
    },
    readBody,
    serve: tools,
  })
  const answerTools = responder(door, (request, state) => toolReply(request, state as RequestState))

  const share = shareHandler({
    find: (token) => sharedPage(services, token, (shown) => `${baseUrl}${sharePrefix}${shown}`),
    preview: (token) => previewedPage(services, token),
    logo: (token) => logoAt(services, token),
    secret: services.signingSecrets[0],
    isSecure: baseUrl.startsWith('https:'),
    count,
    async countTry(request, reportId) {
      for (const [bucket, tries] of [
        [`password:${reportId}`, triesOfReport],
        [`password:${reportId}:${clientOf(request)}`, triesOfAddress],
      ] as const) {
        const refused = await takeRequest(limiter, bucket, {}, requestsPerWindow / tries)
        if (refused) return refused.fault.headers['Retry-After']
      }
      return undefined
    },
    onError: (err) => log.error({ err }, 'a shared report was not shown'),
  })
  const signingIn = openSignIn(settings, {
    signIn: (address, invitation, { headers }) =>
      signIn(db, address, invitation, headers['user-agent']),
    count,
    log,
  })
  const mailLinks = mailLinkHandler({
    show: (act, token) => showLink(db, services, act, token),
    follow: (act, token) => followLink(db, services, act, token),
    count,
    onError: (err) => log.error({ err }, 'a link of a mail was not followed'),
  })
  // Few people connect Google, and its client is much.
  const googleEnd = onFirstCall(async () => {
    const { finishGoogleSignIn } = await import('./schema/connections/google-return.ts')
    return (asked: Parameters<typeof finishGoogleSignIn>[1]) => finishGoogleSignIn(services, asked)
  })
  const googleReturn = googleReturnHandler({
    baseUrl,
    visitor: (request) =>
      authenticate(
        parts,
        createRequestState({
          requestId: randomUUID(),
          session: signingIn.tokenOf(request),
          authorization: undefined,
          address: clientOf(request),
          idempotencyKeys: [],
          ifMatch: [],
        }),
      ).catch(() => undefined),
    finish: (principal, returned, state) => googleEnd({ principal, returned, state }),
    count,
    onError: (err) => log.error({ err }, 'a sign-in with Google failed'),
  })
  const guesses = limitGuesses()
  const resets = limitResets()
  const posts = signInPosts({
    clientOf,
    signIn: signingIn,
    byPassword: (input, from) => signInByPassword(db, guesses, input, from),
    ...(services.mail && {
      askForReset: (input: unknown, client: string) => askForReset(db, resets, input, client),
    }),
    resetPassword: (input, browser) => resetPassword(db, services, input, browser),
    changePassword: (principal, input, address) =>
      changePassword(db, guesses, principal, input, address),
    passkeyOptions: (place) => passkeyOptions(db, place),
    byPasskey: (place, input, browser) => signInByPasskey(db, place, input, browser),
    newPasskeyOptions: (principal, place) => ownPasskeyOptions(db, place, personOf(principal)),
    addPasskey: (principal, place, input) => addPasskey(db, place, personOf(principal), input),
    showInvitation: (token, visitor) => showInvitation(db, services, token, visitor),
    invitedPasskeyOptions: (token, place) => invitedPasskeyOptions(db, services, token, place),
    acceptByLink: (token, input, by) => acceptByLink(db, services, token, input, by),
    redeem: (code) => redeemPageCode(db, code),
    beginForUser: (userId, browser) => signInUser(db, userId, browser),
    beginForKey: (keyId, browser) => beginSession(db, keyId, browser),
    end: (token) => signOut(db, token),
  })
  const post = responder(door, async (request, state) => {
    const address = `address:${clientOf(request)}`
    const refused = await takeRequest(limiter, address, state.headers)
    if (refused) throw refused.fault
    requireOwnPage(signingIn, request)
    const posted = await posts[pathOf(request)]?.({
      request,
      body: () => readBody(request),
      keyId: async () => (await authenticate(parts, state as RequestState)).keyId,
      visitor: () =>
        signingIn.sessionOf(request) === undefined
          ? Promise.resolve(undefined)
          : authenticate(parts, state as RequestState).catch(() => undefined),
    })
    const { status = 404, body, cookie } = posted ?? {}
    const headers = cookie === undefined ? {} : { 'Set-Cookie': cookie }
    const text = body ? JSON.stringify(body) : ''
    return { status, contentType: 'application/json', body: text, headers }
  })
  const consent = responder(door, async (request, state) => {
    const address = `address:${clientOf(request)}`
    const refused = await takeRequest(limiter, address, state.headers)
    if (refused) throw refused.fault
    requireOwnPage(signingIn, request)
    if (!oauth) throw notFound()
    const principal = await authenticate(parts, state as RequestState)
    const body =
      request.method === 'POST'
        ? await oauth.decideConsent(request, principal, await readBody(request))
        : await oauth.showConsent(request, principal)
    return { status: 200, contentType: 'application/json', body: JSON.stringify(body) }
  })
  const visits: Visits = {
    hasOrganisation: signingIn.hasOrganisation,
    hasMail: services.mail !== null,
    async isSignedIn(request, response) {
      const token = signingIn.tokenOf(request)
      if (token === undefined || !isSessionToken(token)) return false
      try {
        const found = await parts.keyByHash(hashApiKey(token))
        if (!found?.sessionId || !found.rotatedAt || !isAlive(found)) return false
        const { sessionId: id, rotatedAt } = found
        const renewed = await renewSession(db, token, { id, rotatedAt })
        if (renewed) response.setHeader('Set-Cookie', signingIn.cookieOf(renewed))
      } catch (err) {
        // The page is shown all the same, and says that its numbers did not load.
        log.warn({ err }, 'a session was not renewed')
      }
      return true
    },
  }

  const refuseRequest = (
    request: IncomingMessage,
    response: ServerResponse,
    fault: Fault,
    requestId: string,
  ) => {
    const path = maskedPath(pathOf(request))
    watchAnswer(observed, { request, response, path }, { requestId })
    refused(fault.code)
    sendProblem(request, response, fault, { requestId, baseUrl })
  }
  const cors = corsOf(settings.CORS_ORIGINS)
  const answer = async (request: IncomingMessage, response: ServerResponse, requestId: string) => {
    const path = pathOf(request)
    const watch = (named: Named) =>
      watchAnswer(observed, { request, response, path: maskedPath(path) }, named)
    const fault = addressFault(request) ?? twoKeysFault(request)
    if (fault) return refuseRequest(request, response, fault, requestId)
    if (cors(request, response, path)) return
    if (oauth && isOAuth(path)) {
      watch({ requestId })
      return oauth.serve(request, response, path)
    }
    if (path === '/mcp') {
      // The key alone counts here: a cookie would let a foreign page call.
      const state = createRequestState({
        requestId,
        authorization: request.headers.authorization,
        address: request.socket.remoteAddress ?? '',
        idempotencyKeys: [],
        ifMatch: [],
      })
      watch(state)
      return answerTools(request, response, state)
    }
    const isPage = !path.startsWith('/api/')
    if (isPage && (await servePage(request, response, path, visits))) return
    if (isPage && path.startsWith('/mail/')) {
      watch({ requestId })
      if (await mailLinks(request, response, path)) return
    }
    if (path === googleReturnPath) {
      watch({ requestId })
      return googleReturn(request, response)
    }
    if (isShared(path)) {
      watch({ requestId })
      return share(request, response, path)
    }
    if (path === '/readyz') return sendReadiness(response, services, options.parts)
    const requestState = createRequestState({
      requestId,
      hold: hold(response),
      authorization: request.headers.authorization,
      session: signingIn.sessionOf(request),
      address: clientOf(request),
      idempotencyKeys: headerOfWrite(request, 'idempotency-key'),
      ifMatch: headerOfWrite(request, 'if-match'),
    })
    watch(requestState)
    if (isPage && (await signingIn.serve(request, response, path))) return
    if (request.method === 'POST' && path in posts) return post(request, response, requestState)
    if (isConnect(path)) return consent(request, response, requestState)
    if (path === '/graphql') {
      disregardAccept(request.headers)
      return askGraph(request, response, requestState)
    }
    if (isPage && (await serveMissing(request, response, visits))) return
    const isGraph = path.startsWith('/api/graph/')
    return (isGraph ? graph : rest.handle)(request, response, requestState)
  }
  const server = createServer(serverOptions, (request, response) => {
    endSilentBody(request, response)
    const requestId = randomUUID()
    const work = () => answer(request, response, requestId)
    // Probes come each second, and nobody reads their traces.
    return pathOf(request) === '/readyz' ? work() : inRequest(request, requestId, work)
  })
  server.on('checkExpectation', (request, response) =>
    refuseRequest(request, response, expectationFault(), randomUUID()),
  )
  const refuseUnparsed = (fault: Fault, reason: string) => {
    const requestId = randomUUID()
    noteUnparsed(observed, { requestId, status: fault.status, reason })
    refused(fault.code)
    return rawProblem(fault, { requestId, baseUrl })
  }
  answerUnparsed(server, refuseUnparsed, serveRawQueries(server, serverOptions))

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
      await Promise.all([db.$disconnect(), reads.close(), warehouse.close()])
    },
  }
}
