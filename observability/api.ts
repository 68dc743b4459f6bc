import type { LRUCache } from 'lru-cache'
import type { Metrics } from './registry.ts'

/** From an answer out of memory to the time budget of a report, and what comes beyond. */
const requestBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

/** The part of the API that a path leads to. */
export type Door = 'graphql' | 'rest' | 'graph' | 'share' | 'none'

export function doorOf(path: string): Door {
  if (path.startsWith('/api/')) return path.startsWith('/api/graph/') ? 'graph' : 'rest'
  if (path.startsWith('/graphql')) return 'graphql'
  return path.startsWith('/share/') ? 'share' : 'none'
}

export interface Answered {
  readonly door: Door
  /** A name out of the schema, the routes or the listed documents: never text of a client. */
  readonly operation: string
  /** The HTTP status, or `closed` when the client left before the end. */
  readonly status: number | 'closed'
  readonly seconds: number
  /** Whether it was a stream of live events, which has no end of its own. */
  readonly isStream: boolean
}

export interface ApiMetrics {
  began(door: Door): void
  answered(request: Answered): void
  /** Counts an error of the catalogue, also one of a single field. */
  refused(code: string): void
  /** Counts what a GraphQL document costs. */
  charged(cost: number): void
  /** Counts an open stream of live events. */
  streams(change: 1 | -1): void
}

export function apiMetrics(metrics: Metrics): ApiMetrics {
  const requests = metrics.counter(
    'sightline_api_requests_total',
    'Requests that ended, by door, operation and status.',
    'door',
    'operation',
    'status',
  )
  const seconds = metrics.histogram(
    'sightline_api_request_seconds',
    'Seconds from the header of a request to the end of its answer, without streams of live events.',
    requestBuckets,
    'door',
    'operation',
  )
  const underway = metrics.gauge(
    'sightline_api_requests_underway',
    'Requests without an end yet, by door.',
    ['door'],
    () => undefined,
  )
  for (const door of ['graphql', 'rest', 'graph']) underway.set({ door }, 0)
  const refusals = metrics.counter(
    'sightline_api_errors_total',
    'Errors in answers, by code of the catalogue.',
    'code',
  )
  const cost = metrics.counter(
    'sightline_api_query_cost_total',
    'Cost of the GraphQL documents that ran. A request to REST costs 1.',
  )
  const streams = metrics.gauge(
    'sightline_api_streams',
    'Open streams of live events.',
    [],
    () => undefined,
  )
  for (const code of ['rate_limited', 'unauthorized', 'internal_error', 'query_timeout']) {
    refusals.inc({ code }, 0)
  }
  return {
    began: (door) => underway.inc({ door }),
    answered({ door, operation, status, isStream, ...times }) {
      underway.dec({ door })
      requests.inc({ door, operation, status })
      if (!isStream) seconds.observe({ door, operation }, times.seconds)
    },
    refused: (code) => refusals.inc({ code }),
    charged: (amount) => cost.inc(amount),
    streams: (change) => streams.inc(change),
  }
}

type CacheSize = Pick<LRUCache<never, never>, 'size' | 'calculatedSize'>

/** Sizes of the caches of this process, by name. A cache that the settings switch off is absent. */
export function cacheMetrics(
  metrics: Metrics,
  caches: Readonly<Record<string, CacheSize | undefined>>,
): void {
  const each = (value: (cache: CacheSize) => number) => {
    return (gauge: { set(labels: { cache: string }, value: number): void }) => {
      for (const [cache, kept] of Object.entries(caches))
        if (kept) gauge.set({ cache }, value(kept))
    }
  }
  metrics.gauge(
    'sightline_cache_entries',
    'Entries of a cache of this process.',
    ['cache'],
    each(({ size }) => size),
  )
  metrics.gauge(
    'sightline_cache_bytes',
    'Bytes that a cache of this process counts; 0 for a cache that counts entries alone.',
    ['cache'],
    each(({ calculatedSize }) => calculatedSize),
  )
}
