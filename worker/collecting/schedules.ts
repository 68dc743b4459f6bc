import type { JobData } from '../../core/queues.ts'
import { startDueRuns } from '../../resolvers/collecting/due.ts'
import type { JobSteps } from '../job.ts'

/** Starts the runs of all schedules that are due. The next minute looks again, so no job is repeated. */
export const schedulesJob: JobSteps<JobData['schedules']> = {
  run: async (_data, { db, log }) => {
    const count = await startDueRuns(db, new Date())
    if (count > 0) log.info({ schedules: count }, 'schedules were due')
  },
  fail: async () => undefined,
}
