import type { Metrics } from './registry.ts'

/** From the shortest statement to the time budget of a report. */
export const statementBuckets = [
  0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
]

/** Why a statement has no answer. `memory`: other statements hold it. `large`: the statement needs too much. */
export type StatementFailure = 'timeout' | 'away' | 'gone' | 'memory' | 'large' | 'refused'

/** Hears of statements and of the rows that come from memory. */
export interface StatementObserver {
  /** @param failure why there is no answer */
  ended(query: string, ms: number, failure?: StatementFailure): void
  frozen(isKnown: boolean): void
}

export type CacheLookups = (cache: 'frozen_rows' | 'replies' | 'answers', isKnown: boolean) => void

/** Counts look-ups in the caches of this process. */
export function cacheLookups(metrics: Metrics): CacheLookups {
  const lookups = metrics.counter(
    'sightline_cache_lookups_total',
    'Look-ups in a cache of this process, by result: hit or miss.',
    'cache',
    'result',
  )
  for (const cache of ['frozen_rows', 'replies', 'answers']) {
    for (const result of ['hit', 'miss']) lookups.inc({ cache, result }, 0)
  }
  return (cache, isKnown) => lookups.inc({ cache, result: isKnown ? 'hit' : 'miss' })
}

/** Statements as this process sends them: their times contain the wait for a turn. */
export function statementMetrics(
  metrics: Metrics,
  looked: CacheLookups = cacheLookups(metrics),
): StatementObserver {
  const seconds = metrics.histogram(
    'sightline_statement_seconds',
    'Seconds from sending a statement to its rows, by query id.',
    statementBuckets,
    'query',
  )
  const failed = metrics.counter(
    'sightline_statements_failed_total',
    'Statements without an answer, by query id and reason.',
    'query',
    'reason',
  )
  return {
    ended(query, ms, failure) {
      seconds.observe({ query }, ms / 1000)
      if (failure) failed.inc({ query, reason: failure })
    },
    frozen: (isKnown) => looked('frozen_rows', isKnown),
  }
}
