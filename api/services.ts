import type { IncomingMessage } from 'node:http'
import { LRUCache } from 'lru-cache'
import type { Logger } from 'pino'
import { type ApiLimits, apiLimits } from '../core/limits.ts'
import { liveChannel } from '../core/live/events.ts'
import { replyMemory } from '../core/load/under-load.ts'
import { loopTurns } from '../core/load/work.ts'
import { mailSettingsOf } from '../core/mail/settings.ts'
import { clientAddress } from '../core/proxies.ts'
import { baseUrlOf, retentionOf, type Settings, trackerUrlOf } from '../core/settings.ts'
import { whyNoSignIn } from '../core/tool-sign-in.ts'
import { apiMetrics } from '../observability/api.ts'
import { poolMetrics } from '../observability/pools.ts'
import type { Metrics } from '../observability/registry.ts'
import { cacheLookups, statementMetrics } from '../observability/statements.ts'
import { faultOf } from '../plugins/errors.ts'
import { memoryLimiter } from '../plugins/limiter.ts'
import { takeRequest } from '../plugins/rate-limit.ts'
import { createRunIdempotent } from '../plugins/run-idempotent.ts'
import { createCatalog, createPrepared, writesEnded } from '../prisma/client.ts'
import { listenTo, shareListener } from '../prisma/listen.ts'
import { cacheAccess } from '../resolvers/keys/access-cache.ts'
import { createLive } from '../resolvers/live/live.ts'
import type { Snapshot } from '../resolvers/shared/scope.ts'
import { holdOf } from '../rest/handler/hold.ts'
import { authorize, publicSchema } from '../schema/index.ts'
import type { Services } from '../schema/kit/context.ts'
import { createWarehouse } from '../warehouse/client.ts'
import { createReaders } from '../warehouse/readers.ts'

export interface ServiceOptions {
  readonly settings: Settings
  readonly databaseUrl: string
  readonly clickhouseUrl: string
  readonly secrets: Pick<Services, 'cursorSecret' | 'signingSecrets'>
  readonly log: Logger
  readonly metrics: Metrics
  /** In place of the usual ones. */
  readonly limits?: Partial<ApiLimits>
  /** What stands in the place of Google's addresses, and of Bing's. */
  readonly googleUrl?: string | undefined
  readonly bingUrl?: string | undefined
}

const snapshotMinutes = 5

/** Beside one reply of the largest size, this much of others may be under way: a byte of rows takes five of memory. */
const otherReplyBytes = 8 * 1024 * 1024

/** A request may make as many times the bytes of its response in memory. */
const workOfResponse = 4

/** Loaded only for those who have Redis: its client takes a tenth of the start. */
async function sharedLimiter(url: string, log: Logger) {
  const { redisLimiter } = await import('../plugins/redis-limiter.ts')
  return redisLimiter(url, log)
}

/** The stores, caches and limits of the API. They connect with the first request. */
export async function openServices(options: ServiceOptions) {
  const { settings, databaseUrl, log, metrics } = options
  const limits = { ...apiLimits, ...options.limits }
  const baseUrl = baseUrlOf(settings)
  const db = createCatalog(databaseUrl, { onPools: poolMetrics(metrics) })
  const lookedUp = cacheLookups(metrics)
  const observer = statementMetrics(metrics, lookedUp)
  const warehouse = createWarehouse({ url: options.clickhouseUrl, log, observer })
  const reads = createPrepared(databaseUrl)
  const access = cacheAccess(reads, writesEnded)
  const caches = [access.forget]
  const forget = () => {
    for (const forgetCache of caches) forgetCache()
  }
  const listen = shareListener((events) => listenTo(databaseUrl, liveChannel, events))
  // Before live events: a notice makes them check access, which memory must have forgotten by then.
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
    databaseUrl,
    warehouse,
    warehouseFor: createReaders(warehouse, limits.queriesPerKey),
    baseUrl,
    connectsClients: noSignIn === undefined,
    trackerUrl: trackerUrlOf(settings),
    cursorSecret: options.secrets.cursorSecret,
    signingSecrets: options.secrets.signingSecrets,
    snapshots,
    privateHosts: settings.ALLOW_PRIVATE_HOSTS,
    googleUrl: options.googleUrl,
    bingUrl: options.bingUrl,
    retention: retentionOf(settings),
    mail: mailSettingsOf(settings),
    maxResponseBytes: limits.maxResponseBytes,
    schema: publicSchema,
    log,
  }
  const observed = { log, metrics: apiMetrics(metrics) }
  const { refused, streams } = observed.metrics
  const shared = settings.REDIS_URL ? await sharedLimiter(settings.REDIS_URL, log) : undefined
  const limiter = shared?.limiter ?? memoryLimiter()
  const clientOf = ({ socket, headers }: IncomingMessage) =>
    clientAddress(socket.remoteAddress ?? '', headers['x-forwarded-for'], settings.TRUST_PROXY)

  return {
    services,
    settings,
    limits,
    metrics,
    observed,
    snapshots,
    /** Reads of single rows by statements that stay prepared. */
    reads,
    /** Counts a lookup of a cache. */
    lookedUp,
    /** Bounds the memory of large replies. */
    hold: holdOf(replyMemory(services.maxResponseBytes + otherReplyBytes)),
    /** Empties a cache when a write of another process may have been missed. */
    onForget: (forgetCache: () => void) => caches.push(forgetCache),
    /** What the plugins of all doors need. */
    parts: {
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
      runIdempotent: createRunIdempotent({ ...services, log }),
      baseUrl,
      log,
      refused,
      streams,
      streamsPerKey: limits.streamsPerKey,
    },
    /** What an answer outside GraphQL needs. */
    door: {
      services,
      baseUrl,
      faultOf: (error: unknown, requestId: string) =>
        faultOf(error, { requestId, baseUrl, log, refused }),
    },
    clientOf,
    /** Counts a request of an address without a key. @returns the seconds to wait, where it is refused */
    async count(request: IncomingMessage, headers: Record<string, string> = {}) {
      const refusal = await takeRequest(limiter, `address:${clientOf(request)}`, headers)
      return refusal?.fault.headers['Retry-After']
    },
    /** The same, as a fault. @throws {Fault} `rate_limited` */
    async admitAddress(request: IncomingMessage, headers: Record<string, string>) {
      const refusal = await takeRequest(limiter, `address:${clientOf(request)}`, headers)
      if (refusal) throw refusal.fault
    },
    async close() {
      shared?.close()
      await Promise.all([db.$disconnect(), reads.close(), warehouse.close()])
    },
  }
}

/** What the doors of the API are made from. */
export type Running = Awaited<ReturnType<typeof openServices>>
