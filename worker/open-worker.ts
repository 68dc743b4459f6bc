import { setPriority } from 'node:os'
import { setFlagsFromString } from 'node:v8'
import { jobMetrics } from '../observability/jobs.ts'
import { poolMetrics } from '../observability/pools.ts'
import { type Metrics, openMetrics } from '../observability/registry.ts'
import { statementMetrics } from '../observability/statements.ts'
import { createCatalog } from '../prisma/client.ts'
import { createWarehouse } from '../warehouse/client.ts'
import { backlogOf } from './backlog.ts'
import type { WorkSources } from './job.ts'
import { startWorker, type Worker } from './worker.ts'

export interface WorkerProcess extends Omit<WorkSources, 'db' | 'warehouse'> {
  readonly clickhouseUrl: string
  /** Default: metrics of its own. */
  readonly metrics?: Metrics
}

/** Less than the minute of the sweep, which would else keep its connections open for ever. */
const idleMs = 10_000

/** Of `nice`: about a third of the processor when the API wants all of it. */
const priority = 5

/**
 * Makes this process a modest neighbour of the API: it gets the processor after others, and clears its memory before it
 * takes more. Reading pages makes much garbage, for which V8 would take some hundred megabytes.
 */
function yieldToOthers(): void {
  setPriority(priority)
  setFlagsFromString('--optimize-for-size')
}

/** Starts a worker with connections of its own, which end with it. The process should have no other work. */
export async function openWorker({
  clickhouseUrl,
  metrics = openMetrics('worker'),
  ...options
}: WorkerProcess): Promise<Worker> {
  yieldToOthers()
  const db = createCatalog(options.databaseUrl, { idleMs, onPools: poolMetrics(metrics) })
  const observer = statementMetrics(metrics)
  const warehouse = createWarehouse({ url: clickhouseUrl, log: options.log, observer })
  const jobs = jobMetrics(metrics, () => backlogOf(db))
  const close = () => Promise.all([db.$disconnect(), warehouse.close()])
  try {
    const worker = await startWorker({ ...options, db, warehouse }, { onEnd: jobs.ended })
    return {
      stop: async () => {
        await worker.stop()
        await close()
      },
    }
  } catch (error) {
    await close()
    throw error
  }
}
