import { Fault, notFound } from '../../core/errors.ts'
import type { ReportInput, ReportType } from '../../core/reports/input.ts'
import type { ReportPart } from '../../core/reports/view.ts'
import { daysText } from '../../core/text/days.ts'
import { type DateRange, resolveWindow, yearWindow } from '../../core/window.ts'
import type { Db } from '../../prisma/client.ts'
import { type Actor, recordEdits } from '../shared/audit-trail.ts'
import { projectOfJob } from '../shared/job-scope.ts'
import { sendJob } from '../shared/jobs.ts'
import { requireFeature } from '../shared/plan.ts'
import { reserveReport } from '../shared/quotas.ts'
import { requireRunnable } from '../shared/runnable.ts'
import type { ProjectScope } from '../shared/scope.ts'
import { inTransaction } from '../shared/transaction.ts'
import { currentState } from './frozen.ts'
import { unfinishedReport } from './reports.sql.ts'
import { type Report, reportOf } from './reports.ts'

const retryAfterSeconds = 10

const subjects: Record<ReportType, string> = {
  visibility: 'Visibility',
  sentiment: 'Sentiment',
  combined: 'Visibility and sentiment',
}

/** "Visibility of Acme, 30 Oct – 28 Nov 2026". */
export function reportTitle(type: ReportType, name: string, { from, to }: DateRange): string {
  return `${subjects[type]} of ${name}, ${daysText(from, to)}`
}

async function refuseSecond(tx: Db, projectId: string): Promise<void> {
  const found = await tx.$queryRawUnsafe<unknown[]>(unfinishedReport, projectId)
  if (found.length === 0) return
  throw new Fault('rate_limited', 'The project already makes a report.', {
    headers: { 'Retry-After': String(retryAfterSeconds) },
  })
}

/** A request for a report. Without parts its page has all. */
export interface NewReport extends ReportInput {
  readonly parts?: readonly ReportPart[]
  /** The schedule that it is made for, and the end of its link. */
  readonly scheduleId?: string
  readonly sharedUntil?: Date | null
}

/**
 * Requests a report about the project as it is now. The worker makes it; imports and changes from now on change no
 * number of it.
 * @throws {Fault} `plan_upgrade_required`, `project_not_runnable`, `quota_exceeded`; `rate_limited` while the project
 *   already makes a report
 */
export function createReport(
  scope: ProjectScope,
  actor: Actor,
  { reportType, title, share = false, parts = [], scheduleId, sharedUntil, ...window }: NewReport,
): Promise<Report> {
  const { db, project, now } = scope
  const range = resolveWindow(window, yearWindow, now)
  if (share) requireFeature(project.plan, 'reportSharing')
  requireRunnable(project)
  return inTransaction(db, async (tx) => {
    await reserveReport(tx, project, now)
    await refuseSecond(tx, project.id)
    const current = await projectOfJob(tx, project.id)
    if (!current) throw notFound()
    const { asOf: _frozen, ...made } = await tx.report.create({
      data: {
        projectId: project.id,
        reportType,
        title: title ?? reportTitle(reportType, current.name, range),
        from: new Date(range.from),
        to: new Date(range.to),
        asOf: JSON.parse(JSON.stringify(await currentState(tx, current))),
        parts: [...parts],
        isShared: share,
        ...(sharedUntil && { sharedUntil }),
        ...(scheduleId !== undefined && { scheduleId }),
        createdAt: now,
      },
    })
    const { workspaceId, id: projectId } = project
    const chosen = parts.length === 0 ? {} : { parts: [...parts] }
    const after = { reportType, title: made.title, ...range, ...chosen, isShared: share }
    await recordEdits(tx, actor, { workspaceId, projectId }, [
      { action: 'report.create', subject: ['report', made.id], after },
    ])
    await sendJob(tx, 'report', { reportId: made.id })
    return reportOf(made)
  })
}
