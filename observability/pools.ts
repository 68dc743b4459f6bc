import type { Metrics } from './registry.ts'

/** Connections to PostgreSQL, and work that waits for one. */
export interface PoolLoad {
  readonly open: number
  readonly idle: number
  readonly waiting: number
}

export type PoolLoads = Readonly<Record<'reads' | 'writes', PoolLoad>>

/**
 * The pools of the catalog's client.
 * @returns takes the pools when the client connects
 */
export function poolMetrics(metrics: Metrics): (loads: () => PoolLoads) => void {
  let current: (() => PoolLoads) | undefined
  metrics.gauge(
    'sightline_postgresql_connections',
    'Connections to PostgreSQL by pool and state: open, or idle. The state waiting counts work without a connection.',
    ['pool', 'state'],
    (gauge) => {
      for (const [pool, load] of Object.entries(current?.() ?? {})) {
        for (const [state, count] of Object.entries(load)) gauge.set({ pool, state }, count)
      }
    },
  )
  return (loads) => {
    current = loads
  }
}
