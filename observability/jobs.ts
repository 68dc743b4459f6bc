import type { Metrics } from './registry.ts'

/** From a job that finds nothing to do to the longest time of a queue. */
const jobBuckets = [0.1, 0.5, 1, 5, 10, 30, 60, 120, 300, 1800, 3600]

/** The jobs of one queue. */
export interface Backlog {
  readonly queue: string
  /** Jobs that could start now. */
  readonly waiting: number
  readonly running: number
  /** How long the oldest of those that wait could have started. */
  readonly oldestSeconds: number
}

export interface JobMetrics {
  ended(queue: string, ms: number, result: 'done' | 'failed'): void
}

/** @param backlogOf reads the jobs of all queues, of every worker */
export function jobMetrics(
  metrics: Metrics,
  backlogOf: () => Promise<readonly Backlog[]>,
): JobMetrics {
  let reading: Promise<readonly Backlog[]> | undefined
  // Both gauges are read at once. Without the catalog they have no values, and the other metrics stay.
  const read = () => {
    reading ??= backlogOf()
      .catch(() => [])
      .finally(() => {
        reading = undefined
      })
    return reading
  }
  const seconds = metrics.histogram(
    'sightline_job_seconds',
    'Seconds of a job of this worker, by queue and result.',
    jobBuckets,
    ...(['queue', 'result'] as const),
  )
  metrics.gauge(
    'sightline_jobs_oldest_seconds',
    'How long the oldest waiting job of a queue could have started.',
    ['queue'],
    async (gauge) => {
      gauge.reset()
      for (const { queue, oldestSeconds } of await read()) gauge.set({ queue }, oldestSeconds)
    },
  )
  metrics.gauge(
    'sightline_jobs',
    'Jobs of a queue in the catalog, by state: waiting or running.',
    ['queue', 'state'],
    async (gauge) => {
      gauge.reset()
      for (const { queue, waiting, running } of await read()) {
        gauge.set({ queue, state: 'waiting' }, waiting)
        gauge.set({ queue, state: 'running' }, running)
      }
    },
  )
  return { ended: (queue, ms, result) => seconds.observe({ queue, result }, ms / 1000) }
}
