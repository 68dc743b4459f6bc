import type { Metrics } from './registry.ts'

/** From the shortest statement to the time budget of a report. */
export const statementBuckets = [
  0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
]

/** Hears of statements and of the rows that come from memory. */
export interface StatementObserver {
  /** @param failure why there is no answer */
  ended(query: string, ms: number, failure?: 'timeout' | 'away' | 'gone' | 'refused'): void
  frozen(isKnown: boolean): void
}

/** Statements as this process sends them: their times contain the wait for a turn. */
export function statementMetrics(metrics: Metrics): StatementObserver {
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
  const lookups = metrics.counter(
    'sightline_cache_lookups_total',
    'Look-ups in a cache of this process, by result: hit or miss.',
    'cache',
    'result',
  )
  for (const result of ['hit', 'miss']) lookups.inc({ cache: 'frozen_rows', result }, 0)
  return {
    ended(query, ms, failure) {
      seconds.observe({ query }, ms / 1000)
      if (failure) failed.inc({ query, reason: failure })
    },
    frozen: (isKnown) => lookups.inc({ cache: 'frozen_rows', result: isKnown ? 'hit' : 'miss' }),
  }
}
