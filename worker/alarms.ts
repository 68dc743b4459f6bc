import type { JobData } from '../core/queues.ts'
import { recordAlarms } from '../resolvers/alarms/record.ts'
import { jobScope } from '../resolvers/shared/job-scope.ts'
import { sendJob } from '../resolvers/shared/jobs.ts'
import type { JobSteps, Work } from './job.ts'

async function sendAll({ db }: Pick<Work, 'db'>): Promise<void> {
  const projects = await db.project.findMany({
    where: { kind: 'regular', isActive: true, status: { not: 'archived' } },
    select: { id: true },
  })
  for (const { id } of projects) await sendJob(db, 'alarms', { projectId: id })
}

/** Looks at a project; without a project, sends all projects. */
export const alarms: JobSteps<JobData['alarms']> = {
  run: async ({ projectId }, work) => {
    if (projectId === null) return sendAll(work)
    const now = new Date()
    const scope = await jobScope(work, projectId, now)
    if (scope?.project.kind !== 'regular' || !scope.project.isActive) return
    const { opened, attributed, closed } = await recordAlarms(scope, now, {
      backupAt: (await work.backupAt?.()) ?? null,
    })
    const counts = { opened: opened.length, attributed: attributed.length, closed: closed.length }
    work.log.info({ projectId, ...counts }, 'alarms recorded')
  },
  // The next hour looks at the same days.
  fail: async () => undefined,
}
