import type { JobSteps } from './job.ts'

/** The backup of the night, where the service makes one. A run that died leaves no backup, and the next one makes a whole one. */
export const backupJob: JobSteps<object> = {
  async run(_data, { backUp, log }) {
    const report = await backUp?.()
    if (report) log.info(report, 'backed up')
  },
  fail: async () => undefined,
}
