// The worker as a child of the supervisor.
import type { Settings } from '../../core/settings.ts'
import { openWorker } from '../../worker/open-worker.ts'
import type { DataDir, Secrets } from '../folder/data-dir.ts'
import { workerSources } from '../worker-sources.ts'
import { runAsChild } from './child.ts'
import { observeChild } from './observed.ts'

export interface BeginWorker {
  type: 'begin'
  settings: Settings
  databaseUrl: string
  clickhouseUrl: string
  secrets: Secrets
  dataDir: DataDir
}

await runAsChild<BeginWorker>(async ({ type: _, ...begin }) => {
  const observed = await observeChild('worker', begin.settings)
  const { log, metrics } = observed
  const { dataDir, ...rest } = begin
  const sources = {
    ...workerSources(dataDir, begin.settings),
    backUp: async () => {
      const { nightlyBackup } = await import('../backup/scheduled.ts')
      return nightlyBackup({ settings: begin.settings, dataDir, asJson: true })
    },
  }
  const worker = await openWorker({ ...rest, ...sources, log, metrics })
  let isStopping = false
  const stop = async () => {
    if (isStopping) return
    isStopping = true
    await worker.stop().catch((err) => log.error({ err }, 'the worker did not stop in order'))
    await observed.stop()
    process.exit()
  }
  process.on('message', ({ type }: { type: string }) => type === 'stop' && stop())
  process.on('SIGTERM', stop)
  process.send?.({ type: 'ready' })
})
