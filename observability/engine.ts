import type { Metrics } from './registry.ts'
import { statementBuckets } from './statements.ts'

/** The sessions of the embedded warehouse. */
export interface EngineLoad {
  readonly slots: number
  readonly busy: number
  readonly waiting: number
}

export interface EngineMetrics {
  ended(statement: {
    readonly queryId: string
    readonly ms: number
    readonly rowsRead: number
    /** The engine's code of an error. */
    readonly code?: string
  }): void
  waited(ms: number): void
}

/** The ids of the service's own statements are `name:random`; others are of other programs. */
const namedId = /^([a-z][\w.-]{0,60}):/

/** Far above the names that the service has: a program that invents names must not fill the memory. */
const mostNames = 500

export function engineMetrics(metrics: Metrics, load: () => EngineLoad): EngineMetrics {
  const seconds = metrics.histogram(
    'sightline_warehouse_statement_seconds',
    'Seconds of a statement in the embedded warehouse, with its wait for a slot, by query id.',
    statementBuckets,
    'query',
  )
  const failed = metrics.counter(
    'sightline_warehouse_statements_failed_total',
    "Statements that the embedded warehouse refused or ended, by the engine's code.",
    'code',
  )
  const rows = metrics.counter(
    'sightline_warehouse_rows_read_total',
    'Rows that statements have read, by query id.',
    'query',
  )
  const waits = metrics.histogram(
    'sightline_warehouse_wait_seconds',
    'Seconds that a statement waited for a slot.',
    statementBuckets,
  )
  metrics.gauge(
    'sightline_warehouse_slots',
    'Slots for statements in the embedded warehouse, by state: all or busy.',
    ['state'],
    (gauge) => {
      gauge.set({ state: 'all' }, load().slots)
      gauge.set({ state: 'busy' }, load().busy)
    },
  )
  metrics.gauge(
    'sightline_warehouse_waiting',
    'Statements that wait for a slot now.',
    [],
    (gauge) => gauge.set(load().waiting),
  )
  const names = new Set<string>()
  const nameOf = (queryId: string) => {
    const name = namedId.exec(queryId)?.[1]
    if (name === undefined || (names.size >= mostNames && !names.has(name))) return 'other'
    names.add(name)
    return name
  }
  return {
    ended({ queryId, ms, rowsRead, code }) {
      const query = nameOf(queryId)
      seconds.observe({ query }, ms / 1000)
      if (rowsRead > 0) rows.inc({ query }, rowsRead)
      if (code !== undefined) failed.inc({ code })
    },
    waited: (ms) => waits.observe(ms / 1000),
  }
}
