import { notFound } from '../../core/errors.ts'
import { plans } from '../../core/plans.ts'
import type { ReportContent } from '../../core/reports/content.ts'
import { openShare, shareUrl } from '../../core/reports/share.ts'
import type { Db } from '../../prisma/client.ts'
import type { ProjectRecord } from '../projects/projects.ts'
import { type Actor, recordEdits } from '../shared/audit-trail.ts'
import { isUuid } from '../shared/ids.ts'
import { requireFeature } from '../shared/plan.ts'
import type { ProjectScope } from '../shared/scope.ts'
import { inTransaction } from '../shared/transaction.ts'
import { lockedReport } from './reports.sql.ts'
import { type Report, reportOf, windowOf } from './reports.ts'

/** How this service makes links. */
export interface LinkMaker {
  readonly baseUrl: string
  /** The first signs new links; all are accepted. */
  readonly signingSecrets: readonly [string, ...string[]]
}

/** The link of a report; null unless it is completed and shared, and the plan shares reports. */
export function linkOf(
  { id, status, isShared, shareVersion }: Report,
  { plan }: Pick<ProjectRecord, 'plan'>,
  { baseUrl, signingSecrets: [secret] }: LinkMaker,
): string | null {
  const isOpen = status === 'completed' && isShared && plans[plan].features.has('reportSharing')
  return isOpen ? shareUrl(baseUrl, secret, { reportId: id, version: shareVersion }) : null
}

async function setShared(
  { db, project }: ProjectScope,
  actor: Actor,
  reportId: string,
  isShared: boolean,
): Promise<Report> {
  if (!isUuid(reportId)) throw notFound()
  return inTransaction(db, async (tx) => {
    await tx.$queryRawUnsafe(lockedReport, project.id, reportId)
    const where = { id: reportId, projectId: project.id }
    const before = await tx.report.findUnique({ where, omit: { asOf: true } })
    if (!before) throw notFound()
    if (isShared) requireFeature(project.plan, 'reportSharing')
    if (before.isShared === isShared) return reportOf(before)
    // Links are of a version: what was revoked never opens again.
    const shareVersion = isShared ? before.shareVersion : before.shareVersion + 1
    const data = { isShared, shareVersion }
    const after = await tx.report.update({ where, data, omit: { asOf: true } })
    const { workspaceId, id: projectId } = project
    const action = isShared ? 'report.share' : 'report.revokeShare'
    await recordEdits(tx, actor, { workspaceId, projectId }, [
      {
        action,
        subject: ['report', reportId],
        before: { isShared: before.isShared },
        after: { isShared },
      },
    ])
    return reportOf(after)
  })
}

/**
 * Opens a link to a report for everyone who has it. A second call changes nothing.
 * @throws {Fault} `not_found`, `plan_upgrade_required`
 */
export function shareReport(scope: ProjectScope, actor: Actor, reportId: string): Promise<Report> {
  return setShared(scope, actor, reportId, true)
}

/**
 * Closes the link of a report for good. A second call changes nothing.
 * @throws {Fault} `not_found`
 */
export function revokeReportShare(
  scope: ProjectScope,
  actor: Actor,
  reportId: string,
): Promise<Report> {
  return setShared(scope, actor, reportId, false)
}

/** Whose name a shared report carries; null for that of this service. */
export interface Branding {
  readonly name: string
  readonly accent: string
  readonly logo: Uint8Array | null
}

/** A report as its link shows it. */
interface SharedReport {
  readonly report: Report
  readonly content: ReportContent
  readonly branding: Branding | null
}

/** The report behind a link; null for every link that shows nothing, whatever the reason. */
async function sharedReport(
  db: Db,
  secrets: readonly string[],
  token: string,
): Promise<SharedReport | null> {
  const shared = openShare(secrets, token)
  if (!shared || !isUuid(shared.reportId)) return null
  const found = await db.report.findUnique({
    where: { id: shared.reportId, isShared: true, shareVersion: shared.version },
    omit: { asOf: true },
    include: { project: { include: { workspace: { include: { branding: true } } } } },
  })
  if (found?.status !== 'completed' || !found.content) return null
  const { project, ...row } = found
  if (!project.isActive && project.kind === 'regular') return null
  const { plan, branding } = project.workspace
  const { features } = plans[plan]
  if (!features.has('reportSharing')) return null
  const report = reportOf(row)
  const { content } = report
  return content && { report, content, branding: features.has('whiteLabel') ? branding : null }
}

/** A shared report for programs: the body of `GET /reports/{reportId}`. */
function sharedBody(report: Report, shareUrl: string) {
  const { id, reportType, title, status, createdAt, completedAt, content, error } = report
  return {
    id,
    reportType,
    title,
    status,
    shareUrl,
    createdAt,
    completedAt,
    dateRange: windowOf(report),
    sections: content?.sections ?? [],
    error,
    note: content?.note ?? null,
  }
}

/**
 * The report that a link opens, as its page and as a body for programs; null for every link that opens none.
 * @param addressOf the address of the page, by its token
 */
export async function sharedPage(
  { db, signingSecrets }: { readonly db: Db; readonly signingSecrets: readonly string[] },
  token: string,
  addressOf: (token: string) => string,
) {
  const found = await sharedReport(db, signingSecrets, token)
  if (!found) return null
  const { report, content, branding } = found
  const { id, title, createdAt } = report
  const body = sharedBody(report, addressOf(token))
  return { id, body, branding, report: { title, createdAt, dateRange: windowOf(report), content } }
}
