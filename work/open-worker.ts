import { createCatalog } from '../prisma/client.ts'
import { createWarehouse } from '../warehouse/client.ts'
import type { WorkSources } from './job.ts'
import { startWorker, type Worker } from './worker.ts'

export interface WorkerProcess extends Omit<WorkSources, 'db' | 'warehouse'> {
  readonly clickhouseUrl: string
}

/** Starts a worker with connections of its own, which end with it. */
export async function openWorker({ clickhouseUrl, ...options }: WorkerProcess): Promise<Worker> {
  const db = createCatalog(options.databaseUrl)
  const warehouse = createWarehouse({ url: clickhouseUrl, log: options.log })
  const close = () => Promise.all([db.$disconnect(), warehouse.close()])
  try {
    const worker = await startWorker({ ...options, db, warehouse })
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
