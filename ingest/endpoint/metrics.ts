import { Counter, Gauge, Histogram, Registry } from 'prom-client'
import { type DropReason, dropReasons } from '../event/event.ts'
import type { EventLog } from '../log/event-log.ts'

/** The events of a body: how many were kept, and how many dropped by reason. */
export interface Tally {
  kept: number
  readonly dropped: Record<DropReason, number>
}

export const emptyTally = (): Tally => ({
  kept: 0,
  dropped: { not_a_crawler: 0, malformed: 0, timestamp_out_of_range: 0 },
})

export interface TrackerMetrics {
  readonly contentType: string
  /** In Prometheus' text format. */
  text(): Promise<string>
  answered(status: number): void
  bodyRead(bytes: number): void
  counted(tally: Tally): void
  appended(seconds: number): void
  connectionRefused(): void
}

const prefix = 'sightline_tracker_'

/**
 * Metrics in a registry of their own, so that trackers in one process do not share counters.
 * @param process number of the tracker's process, a label; absent for an only process
 */
export function createMetrics(
  log: Pick<EventLog, 'backlog'>,
  heldBytes: () => number,
  process?: number,
): TrackerMetrics {
  const registry = new Registry()
  if (process !== undefined) registry.setDefaultLabels({ process })
  const registers = [registry]
  const counter = <Label extends string>(name: string, help: string, ...labelNames: Label[]) =>
    new Counter({ name: prefix + name, help, labelNames, registers })
  const gauge = (name: string, help: string, read: () => number) =>
    new Gauge({
      name: prefix + name,
      help,
      registers,
      collect() {
        this.set(read())
      },
    })

  const requests = counter('requests_total', 'Requests answered, by status.', 'status')
  const kept = counter('events_kept_total', 'Events of known crawlers that were kept.')
  const dropped = counter('events_dropped_total', 'Events not kept, by reason.', 'reason')
  const bodyBytes = counter('body_bytes_total', 'Bytes of bodies that were read whole.')
  const refused = counter('connections_refused_total', 'Connections over the bound.')
  const appendSeconds = new Histogram({
    name: `${prefix}append_seconds`,
    help: 'Seconds until the events of a request were on disk.',
    buckets: [0.0005, 0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers,
  })
  gauge('backlog_bytes', 'Bytes on disk that are not in the warehouse yet.', () => {
    return log.backlog().bytes
  })
  gauge('backlog_segments', 'Segments on disk that are not in the warehouse yet.', () => {
    return log.backlog().segments
  })
  gauge('held_body_bytes', 'Bytes of bodies in memory.', heldBytes)
  for (const reason of dropReasons) dropped.inc({ reason }, 0)
  // A counter that begins above 0 hides its first rise from an alert.
  for (const status of [202, 503]) requests.inc({ status }, 0)

  return {
    contentType: registry.contentType,
    text: () => registry.metrics(),
    answered: (status) => requests.inc({ status }),
    bodyRead: (bytes) => bodyBytes.inc(bytes),
    counted(tally) {
      kept.inc(tally.kept)
      for (const reason of dropReasons) {
        if (tally.dropped[reason] > 0) dropped.inc({ reason }, tally.dropped[reason])
      }
    },
    appended: (seconds) => appendSeconds.observe(seconds),
    connectionRefused: () => refused.inc(),
  }
}
