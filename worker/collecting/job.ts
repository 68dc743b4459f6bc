import type { JobData } from '../../core/queues.ts'
import { endRun } from '../../resolvers/collecting/asks.ts'
import type { JobSteps } from '../job.ts'
import { collectRun, runTerms } from './collect.ts'

/** Does one run: asks its questions, and imports the answers. */
export const collectJob: JobSteps<JobData['collect']> = {
  run: ({ runId }, work) => collectRun(runId, work, runTerms),
  fail: ({ runId }, { db }) => endRun(db, runId, 'internal'),
}
