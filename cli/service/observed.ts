import type { Logger } from 'pino'
import { fixedSettings } from '../../core/gone-settings.ts'
import type { Settings } from '../../core/settings.ts'
import { logOptions } from '../../observability/log-fields.ts'
import { openPartLog } from '../../observability/part-log.ts'
import { type Metrics, openMetrics } from '../../observability/registry.ts'
import { startTracing } from '../../observability/tracing.ts'
import { openMetricsPort } from './metrics-port.ts'
import { answerMetrics } from './part-metrics.ts'

/** How a part of the service is seen from outside: its log, its metrics and its spans. */
export interface Observed {
  readonly log: Logger
  readonly metrics: Metrics
  /** Sends the last spans. Call it when the part has ended. */
  stop(): Promise<void>
}

async function observe(part: string, settings: Settings, fd: 1 | 2): Promise<Observed> {
  const metrics = openMetrics(part)
  const log = openPartLog({ ...logOptions, name: part, level: settings.LOG_LEVEL, fd, metrics })
  const { stop } = await startTracing(part, settings, log)
  return { log, metrics, stop }
}

/** Observes a child of the supervisor, which asks for the metrics. */
export async function observeChild(part: string, settings: Settings): Promise<Observed> {
  const observed = await observe(part, settings, 1)
  answerMetrics(observed.metrics.text)
  return observed
}

/**
 * Observes a part that runs alone: it logs to standard error, and has `METRICS_PORT` to itself.
 * @throws as `openMetricsPort` does
 */
export async function observeAlone(part: string, settings: Settings): Promise<Observed> {
  const port = await openMetricsPort(settings)
  const observed = await observe(part, settings, 2)
  for (const line of fixedSettings(process.env)) observed.log.warn(line)
  port.show(async () => [await observed.metrics.text()])
  return {
    ...observed,
    async stop() {
      await port.close()
      await observed.stop()
    },
  }
}
