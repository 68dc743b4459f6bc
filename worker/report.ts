import { notEnded } from '../core/queues.ts'
import { storedAs } from '../core/stored-json.ts'
import type { Db } from '../prisma/client.ts'
import { reportContent } from '../resolvers/reports/content.ts'
import type { AsOf } from '../resolvers/reports/frozen.ts'
import { windowOf } from '../resolvers/reports/reports.ts'
import { noteFailedReport, sendScheduledReport } from '../resolvers/reports/schedules.ts'
import { deliver } from '../resolvers/shared/deliver.ts'
import { jobScope } from '../resolvers/shared/job-scope.ts'
import { inTransaction } from '../resolvers/shared/transaction.ts'
import type { Warehouse } from '../warehouse/client.ts'
import type { JobSteps } from './job.ts'

interface ReportSources {
  readonly db: Db
  readonly warehouse: Warehouse
  /** Called after each part of the report. */
  readonly onPart?: (done: number, total: number) => void
}

/**
 * Makes a report that was requested. A second call, also at the same time, changes nothing: both find the same numbers.
 */
export async function makeReport(
  { db, warehouse, onPart }: ReportSources,
  reportId: string,
): Promise<void> {
  const isOpen = { id: reportId, status: notEnded }
  const begun = await db.report.updateMany({ where: isOpen, data: { status: 'running' } })
  const row = begun.count > 0 && (await db.report.findUnique({ where: { id: reportId } }))
  const scope = row && (await jobScope({ db, warehouse }, row.projectId, new Date()))
  // Deleted with its project, or made already.
  if (!row || !scope) return
  const { reportType, asOf, parts } = row
  const request = { reportType, parts, range: windowOf(row), asOf: storedAs<AsOf>(asOf) }
  const content = await reportContent(scope, request, onPart)
  await inTransaction(db, async (tx) => {
    const { count } = await tx.report.updateMany({
      where: isOpen,
      data: {
        status: 'completed',
        content: JSON.parse(JSON.stringify(content)),
        completedAt: new Date(),
      },
    })
    if (count === 0) return
    const sentTo = await sendScheduledReport(tx, row, content)
    await deliver(tx, {
      exceptChannel: sentTo,
      type: 'report.completed',
      projectId: row.projectId,
      title: `The report “${row.title}” is done`,
      page: 'reports',
      ids: { reportId },
    })
  })
}

export const reportJob: JobSteps<{ readonly reportId: string }> = {
  run: ({ reportId }, sources) => makeReport(sources, reportId),
  fail: async ({ reportId }, { db }) => {
    await noteFailedReport(db, reportId)
    await db.report.updateMany({
      where: { id: reportId, status: notEnded },
      data: { status: 'failed', error: 'internal', completedAt: new Date() },
    })
  },
}
