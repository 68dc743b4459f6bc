import type { JobData } from '../../core/queues.ts'
import { wakeChannels } from '../../resolvers/channels/deliveries.ts'
import { wakeDigests } from '../../resolvers/channels/digests.ts'
import { sendDueFeeds } from '../../resolvers/connections/feeds.ts'
import { startReports } from '../../resolvers/reports/schedules.ts'
import type { JobSteps } from '../job.ts'

/** Looks each minute for what is due: digests, deliveries whose next try has come, and feeds of data. */
export const dueJob: JobSteps<JobData['due']> = {
  run: async (_data, { db, warehouse, log }) => {
    const digests = await wakeDigests(db, new Date())
    if (digests > 0) log.info({ digests }, 'digests were due')
    const reports = await startReports({ db, warehouse }, new Date())
    if (reports > 0) log.info({ reports }, 'reports were due')
    await wakeChannels(db)
    await sendDueFeeds(db, new Date())
  },
  fail: async () => undefined,
}
