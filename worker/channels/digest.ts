import type { JobData } from '../../core/queues.ts'
import { makeDigest } from '../../digest/digest.ts'
import { sendDigest } from '../../resolvers/channels/digests.ts'
import type { JobSteps } from '../job.ts'

/** Makes the digest of a week, and sends it. */
export const digestJob: JobSteps<JobData['digest']> = {
  run: async (data, work) => {
    await sendDigest(work.db, data, (projectId, now) =>
      makeDigest(work.settings, work, projectId, now),
    )
  },
  fail: async ({ digestId }, { log }) => {
    log.error({ digestId }, 'a digest could not be made')
  },
}
