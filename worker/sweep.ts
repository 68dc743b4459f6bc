import { type JobData, jobKey, type QueueName, queueNames } from '../core/queues.ts'
import { sendJob } from '../resolvers/shared/jobs.ts'
import type { Handlers, JobHandler, WorkSources } from './job.ts'
import { jobStates } from './sweep.sql.ts'
import { hasUnfinishedImports } from './unfinished.ts'

interface JobState {
  readonly key: string
  readonly live: boolean
  readonly failed: boolean
}

async function sweepQueue<Queue extends QueueName>(
  queue: Queue,
  handler: JobHandler<JobData[Queue]>,
  sources: WorkSources,
): Promise<void> {
  const { db, log } = sources
  const jobs = await handler.unfinished(db)
  if (jobs.length === 0) return
  const keys = jobs.map((data) => jobKey<Queue>(data))
  const rows = await db.$queryRawUnsafe<JobState[]>(jobStates, queue, keys)
  const states = new Map(rows.map((row) => [row.key, row]))
  for (const [index, data] of jobs.entries()) {
    const key = keys[index] ?? ''
    const state = states.get(key)
    if (state?.live) continue
    log.warn({ queue, key, failed: state?.failed ?? false }, 'a record has lost its job')
    // The worker died with the last attempt, and so has marked nothing.
    if (state?.failed) await handler.fail(data, sources)
    else await sendJob(db, queue, data)
  }
}

/**
 * Sends a job for each record that is queued or running without one. Its worker was killed between two jobs, or
 * another worker still held the record. Ends imports whose process was killed.
 */
export async function sweep(handlers: Handlers, sources: WorkSources): Promise<void> {
  for (const queue of queueNames) {
    const handler = handlers[queue]
    if (handler) await sweepQueue(queue, handler as JobHandler<JobData[typeof queue]>, sources)
  }
  if (!(await hasUnfinishedImports(sources.db))) return
  const { settleKilledImports } = await import('../imports/loads/settle.ts')
  await settleKilledImports(sources)
}
