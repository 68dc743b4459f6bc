import { setTimeout as sleep } from 'node:timers/promises'
import type { QueueName } from '../core/queues.ts'
import { openPartLog } from '../observability/part-log.ts'
import { handlers } from '../worker/handlers.ts'
import type { Handlers } from '../worker/job.ts'
import { startWorker, type Worker } from '../worker/worker.ts'
import type { Context } from './run.ts'
import type { Stores } from './stores.ts'
import { workerSources } from './worker-sources.ts'

export interface AwaitedJob {
  readonly queue: QueueName
  readonly signal: AbortSignal
  /** Reads the state of the record, and shows it. */
  readonly look: () => Promise<'waiting' | 'running' | 'over'>
}

const lookMs = 250
const patienceMs = 2000

/** Waits for the end of a job. This process does the job when no worker begins it within two seconds. */
export async function awaitJob(
  { settings, dataDir }: Context,
  stores: Stores,
  { queue, signal, look }: AwaitedJob,
): Promise<void> {
  const began = performance.now()
  let own: Worker | undefined
  try {
    for (;;) {
      const state = await look()
      if (state === 'over') return
      if (state === 'waiting' && !own && performance.now() - began > patienceMs) {
        const log = openPartLog({ name: 'worker', level: 'error', fd: 2 })
        const only: Handlers = { [queue]: handlers[queue] }
        const sources = { ...stores, settings, log, ...workerSources(dataDir, settings) }
        own = await startWorker(sources, { handlers: only, supervises: false })
      }
      await sleep(lookMs, undefined, { signal })
    }
  } finally {
    await own?.stop()
  }
}
