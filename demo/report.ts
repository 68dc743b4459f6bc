import { idOf } from '../core/ids.ts'
import { resolveWindow, yearWindow } from '../core/window.ts'
import type { Catalog } from '../prisma/client.ts'
import { reportContent } from '../resolvers/reports/content.ts'
import { reportTitle } from '../resolvers/reports/create.ts'
import { currentState } from '../resolvers/reports/frozen.ts'
import { jobScope } from '../resolvers/shared/job-scope.ts'
import type { Warehouse } from '../warehouse/client.ts'

interface ReportStores {
  readonly db: Catalog
  readonly warehouse: Warehouse
}

/** Makes the demonstration's report on its last 30 days, which nobody has shared. A second call changes nothing. */
export async function makeDemoReport(
  { db, warehouse }: ReportStores,
  projectId: string,
  endDay: string,
): Promise<void> {
  const id = idOf(projectId, 'report')
  const scope = await jobScope({ db, warehouse }, projectId, new Date())
  if (!scope || (await db.report.count({ where: { id } })) > 0) return
  const createdAt = new Date(`${endDay}T08:00:00Z`)
  const range = resolveWindow({}, yearWindow, createdAt)
  const { project } = scope
  const asOf = await currentState(db, project)
  const reportType = 'combined'
  const content = await reportContent(scope, { reportType, range, parts: [], asOf })
  await db.report.create({
    data: {
      id,
      projectId,
      reportType,
      status: 'completed',
      createdAt,
      completedAt: createdAt,
      title: reportTitle(reportType, project.name, range),
      from: new Date(range.from),
      to: new Date(range.to),
      asOf: JSON.parse(JSON.stringify(asOf)),
      content: JSON.parse(JSON.stringify(content)),
    },
  })
}
