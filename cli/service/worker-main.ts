// The worker as a child of the supervisor.
import pino from 'pino'
import type { Settings } from '../../core/settings.ts'
import { logOptions } from '../../observability/log-fields.ts'
import { openMetrics } from '../../observability/registry.ts'
import { startTracing } from '../../observability/tracing.ts'
import { openWorker } from '../../work/open-worker.ts'
import type { DataDir, Secrets } from '../folder/data-dir.ts'
import { workerSources } from '../worker-sources.ts'
import { runAsChild } from './child.ts'
import { answerMetrics } from './part-metrics.ts'

export interface BeginWorker {
  type: 'begin'
  settings: Settings
  databaseUrl: string
  clickhouseUrl: string
  secrets: Secrets
  dataDir: DataDir
}

await runAsChild<BeginWorker>(async ({ type: _, ...begin }) => {
  const log = pino({ ...logOptions, name: 'worker', level: begin.settings.LOG_LEVEL })
  const tracing = await startTracing('worker', begin.settings, log)
  const { dataDir, ...rest } = begin
  const metrics = openMetrics('worker')
  answerMetrics(metrics.text)
  const sources = workerSources(dataDir, begin.settings)
  const worker = await openWorker({ ...rest, ...sources, log, metrics })
  let isStopping = false
  const stop = async () => {
    if (isStopping) return
    isStopping = true
    await worker.stop().catch((err) => log.error({ err }, 'the worker did not stop in order'))
    await tracing.stop()
    process.exit()
  }
  process.on('message', ({ type }: { type: string }) => type === 'stop' && stop())
  process.on('SIGTERM', stop)
  process.send?.({ type: 'ready' })
})
