import { inject } from 'vitest'
import type { QueueName } from '../../core/queues.ts'
import { handlers as allHandlers } from '../../worker/handlers.ts'
import type { Handlers, WorkSources } from '../../worker/job.ts'
import { sweep } from '../../worker/sweep.ts'
import { startWorker, type Worker } from '../../worker/worker.ts'
import type { TestApi } from './api.ts'
import { until } from './service.ts'

/** A real worker in the process of the test. It starts no job by the clock. */
export interface TestWorker extends Worker {
  /** Resolves when no job waits or runs, except jobs that start later. */
  idle(): Promise<void>
  /** Sends again what has lost its job, as the worker does each minute. */
  sweep(): Promise<void>
}

export interface JobRow {
  readonly name: QueueName
  readonly key: string
  readonly state: 'created' | 'retry' | 'active' | 'completed' | 'cancelled' | 'failed'
  readonly data: object
}

/** The jobs of a database, the oldest first. */
export function jobsOf({ db }: TestApi, key?: string): Promise<JobRow[]> {
  return db.$queryRaw<JobRow[]>`
    SELECT name, singleton_key AS key, state::text, data FROM pgboss.job
     WHERE ${key ?? null}::text IS NULL OR singleton_key = ${key ?? null}
     ORDER BY created_on, id`
}

/**
 * Starts a worker for the tests of a file, with the settings of its API. The API needs `ownDatabase`, so that no
 * worker takes the jobs of other tests:
 *
 *     const api = useApi({}, undefined, { ownDatabase: true })
 *     beforeAll(async () => { worker = await startTestWorker(api) })
 *     test('…', async () => { await post(…); await worker.idle(); expect(await get(…)).toEqual(…) })
 *
 * It stops after the last test, or earlier by `stop`.
 */
export async function startTestWorker(
  api: TestApi & Pick<WorkSources, 'serveSite' | 'serveProvider' | 'crawlers'>,
  handlers: Handlers = allHandlers,
): Promise<TestWorker> {
  const { db } = api
  if (api.databaseUrl === inject('databaseUrl')) {
    throw new Error('A worker takes the jobs of all tests of a catalog: ask for `ownDatabase`.')
  }
  const worker = await startWorker(api, { handlers, supervises: false })
  // Jobs that are sent for later become due while a slow file of tests runs. Others than ours stay.
  const ours = Object.keys(handlers)
  const isIdle = async () => {
    const [row] = await db.$queryRaw<{ busy: boolean }[]>`
      SELECT EXISTS (SELECT 1 FROM pgboss.job
        WHERE name = ANY (${ours})
          AND (state IN ('retry', 'active')
               OR state = 'created' AND start_after <= now() + interval '1 second')) AS busy`
    return row?.busy === false
  }
  // Vitest ignores `afterAll` in a hook: the worker would poll for jobs until the process ends.
  api.atEnd(() => worker.stop())
  return {
    stop: worker.stop,
    idle: async () => {
      await until(isIdle).catch(async (error: Error) => {
        const jobs = (await jobsOf(api)).filter(({ state }) => state !== 'completed')
        throw new Error(`${error.message}\n${JSON.stringify(jobs)}`)
      })
    },
    sweep: () => sweep(handlers, api),
  }
}
