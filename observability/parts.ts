import type { Metrics } from './registry.ts'

export interface PartMetrics {
  restarted(of: string): void
  /** Counts a connection that was refused, by the limit that it met. */
  refused(port: string, limit: string): void
}

/** What the supervisor knows of the parts and the ports. */
export function partMetrics(
  metrics: Metrics,
  known: {
    /** The state of each part, by name. */
    readonly parts: () => Readonly<Record<string, string>>
    /** The open connections of each port, by name. */
    readonly connections: () => Readonly<Record<string, number>>
  },
): PartMetrics {
  metrics.gauge(
    'sightline_part_up',
    '1 for a part that answers, 0 for one that starts or is silent.',
    ['of'],
    (gauge) => {
      for (const [of, state] of Object.entries(known.parts())) {
        gauge.set({ of }, state === 'up' ? 1 : 0)
      }
    },
  )
  metrics.gauge('sightline_connections', 'Open connections to a port.', ['port'], (gauge) => {
    for (const [port, open] of Object.entries(known.connections())) gauge.set({ port }, open)
  })
  const restarts = metrics.counter(
    'sightline_part_restarts_total',
    'Starts of a part after its death.',
    'of',
  )
  const refused = metrics.counter(
    'sightline_connections_refused_total',
    'Connections over a limit of a port, by limit: all, or perAddress.',
    'port',
    'limit',
  )
  return {
    restarted: (of) => restarts.inc({ of }),
    refused: (port, limit) => refused.inc({ port, limit }),
  }
}
