import { invalid, notFound } from '../../core/errors.ts'
import type { Logo } from '../../core/logo.ts'
import { hashPassword } from '../../core/password.ts'
import { type PlanName, plans } from '../../core/plans.ts'
import type { ReportContent } from '../../core/reports/content.ts'
import { leastPasswordCharacters, mostPasswordCharacters } from '../../core/reports/limits.ts'
import { openPreview, openShare, previewUrl, shareUrl } from '../../core/reports/share.ts'
import { isUuid } from '../../core/uuid.ts'
import type { Db } from '../../prisma/client.ts'
import type { ProjectRecord } from '../projects/projects.ts'
import { type Actor, recordEdits } from '../shared/audit-trail.ts'
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

/** Whether the link of a report shows it, apart from the plan. */
const isOpen = ({ isShared, sharedUntil }: Pick<Report, 'isShared' | 'sharedUntil'>, now: Date) =>
  isShared && (sharedUntil === null || sharedUntil > now)

/** The link of a report; null unless it is completed and shared, and the plan shares reports. */
export function linkOf(
  report: Report,
  { plan }: Pick<ProjectRecord, 'plan'>,
  { baseUrl, signingSecrets: [secret] }: LinkMaker,
): string | null {
  const { id, status, shareVersion } = report
  const shows =
    status === 'completed' &&
    isOpen(report, new Date()) &&
    plans[plan].features.has('reportSharing')
  return shows ? shareUrl(baseUrl, secret, { reportId: id, version: shareVersion }) : null
}

const previewMinutes = 15

/** An address that shows a completed report for a while, whether it is shared or not; null for any other report. */
export function previewOf(
  { id, status }: Report,
  { baseUrl, signingSecrets: [secret] }: LinkMaker,
): string | null {
  if (status !== 'completed') return null
  const until = Math.floor(Date.now() / 1000) + previewMinutes * 60
  return previewUrl(baseUrl, secret, { reportId: id, until })
}

/** How a link is open. What is absent stays unchanged; null removes it. */
export interface ShareOptions {
  readonly until?: Date | null | undefined
  readonly password?: string | null | undefined
  /** Whether its proof has the texts of the answers. */
  readonly proofTexts?: boolean | null | undefined
}

/** @throws {Fault} `invalid_argument` */
async function settingsOf({ until, password, proofTexts }: ShareOptions, now: Date) {
  if (until && until <= now) throw invalid('until', 'must be in the future')
  const length = password == null ? null : [...password].length
  if (length !== null && length < leastPasswordCharacters) {
    throw invalid('password', `must have at least ${leastPasswordCharacters} characters`)
  }
  if (length !== null && length > mostPasswordCharacters) {
    throw invalid('password', `is longer than ${mostPasswordCharacters} characters`)
  }
  return {
    ...(until !== undefined && { sharedUntil: until }),
    ...(proofTexts != null && { proofTexts }),
    ...(password !== undefined && {
      sharePassword: password === null ? null : await hashPassword(password),
    }),
  }
}

type Sharing = Partial<
  Pick<Report, 'isShared' | 'shareVersion' | 'sharedUntil' | 'sharePassword' | 'proofTexts'>
>

/** What the audit trail says of a link: that there is a password, never which. */
const factsOf = ({ isShared, sharedUntil, sharePassword, proofTexts }: Report) => ({
  isShared,
  proofTexts,
  sharedUntil: sharedUntil?.toISOString() ?? null,
  hasPassword: sharePassword !== null,
})

/** Changes the link of a report under its lock; `change` gives what is to be written, null for nothing. */
async function changeLink(
  { db, project }: ProjectScope,
  actor: Actor,
  { reportId, action }: { readonly reportId: string; readonly action: string },
  change: (before: Report) => Sharing | null | Promise<Sharing | null>,
): Promise<Report> {
  if (!isUuid(reportId)) throw notFound()
  return inTransaction(db, async (tx) => {
    await tx.$queryRawUnsafe(lockedReport, project.id, reportId)
    const where = { id: reportId, projectId: project.id }
    const found = await tx.report.findUnique({ where, omit: { asOf: true } })
    if (!found) throw notFound()
    const before = reportOf(found)
    const data = await change(before)
    if (!data) return before
    const after = reportOf(await tx.report.update({ where, data, omit: { asOf: true } }))
    const { workspaceId, id: projectId } = project
    await recordEdits(tx, actor, { workspaceId, projectId }, [
      {
        action,
        subject: ['report', reportId],
        before: factsOf(before),
        after: factsOf(after),
      },
    ])
    return after
  })
}

/**
 * Opens a link to a report for everyone who has it, or changes how it is open. A second call with the same end and no
 * password changes nothing. A link whose end has passed opens again as it was.
 * @throws {Fault} `not_found`, `plan_upgrade_required`, `invalid_argument`
 */
export async function shareReport(
  scope: ProjectScope,
  actor: Actor,
  reportId: string,
  options: ShareOptions = {},
): Promise<Report> {
  const { project, now } = scope
  const settings = await settingsOf(options, now)
  return changeLink(scope, actor, { reportId, action: 'report.share' }, (before) => {
    requireFeature(project.plan, 'reportSharing')
    const isSame =
      before.isShared &&
      (settings.proofTexts === undefined || settings.proofTexts === before.proofTexts) &&
      (settings.sharedUntil === undefined ||
        settings.sharedUntil?.getTime() === before.sharedUntil?.getTime()) &&
      (settings.sharePassword === undefined || settings.sharePassword === before.sharePassword)
    return isSame ? null : { isShared: true, ...settings }
  })
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
  return changeLink(scope, actor, { reportId, action: 'report.revokeShare' }, (before) =>
    before.isShared
      ? {
          isShared: false,
          // Links are of a version: what was revoked never opens again.
          shareVersion: before.shareVersion + 1,
          sharedUntil: null,
          sharePassword: null,
        }
      : null,
  )
}

/** Whose name a shared report carries; null for that of this service. */
export interface Branding {
  readonly name: string
  readonly accent: string
  readonly logo: Uint8Array | null
}

/** A report as its link shows it. */
interface ShownReport {
  readonly report: Report
  readonly content: ReportContent
  readonly branding: Branding | null
  /** The logo of the brand. */
  readonly logo: Pick<Logo, 'contentType' | 'image'> | null
  readonly plan: PlanName
}

/** A completed report that its project may show now. */
async function shownReport(db: Db, reportId: string): Promise<ShownReport | null> {
  if (!isUuid(reportId)) return null
  const found = await db.report.findUnique({
    where: { id: reportId },
    omit: { asOf: true },
    include: {
      project: { include: { logo: true, workspace: { include: { branding: true } } } },
    },
  })
  if (found?.status !== 'completed' || !found.content) return null
  const { project, ...row } = found
  if (!project.isActive && project.kind === 'regular') return null
  const { plan, branding } = project.workspace
  const report = reportOf(row)
  const { content } = report
  const hasWhiteLabel = plans[plan].features.has('whiteLabel')
  const { logo } = project
  return content && { report, content, plan, logo, branding: hasWhiteLabel ? branding : null }
}

/** The report behind a link; null for every link that shows nothing, whatever the reason. */
export async function sharedReport(
  db: Db,
  secrets: readonly string[],
  token: string,
): Promise<ShownReport | null> {
  const shared = openShare(secrets, token)
  if (!shared) return null
  const found = await shownReport(db, shared.reportId)
  if (!found || found.report.shareVersion !== shared.version) return null
  const isShown =
    isOpen(found.report, new Date()) && plans[found.plan].features.has('reportSharing')
  return isShown ? found : null
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

/** What the page of a report shows. */
function pageOf({ report, content, branding, logo }: ShownReport) {
  const { id, title, createdAt } = report
  return {
    id,
    branding,
    report: { title, createdAt, dateRange: windowOf(report), content, logo },
  }
}

/** The link of a report, whatever project it is of; null where it shows nothing now. */
export async function linkOfReport(db: Db, reportId: string, links: LinkMaker) {
  const found = isUuid(reportId)
    ? await db.report.findUnique({
        where: { id: reportId },
        omit: { asOf: true },
        include: { project: { include: { workspace: { select: { plan: true } } } } },
      })
    : null
  if (!found) return null
  const { project, ...row } = found
  return project.isActive ? linkOf(reportOf(row), project.workspace, links) : null
}

/** Where the pages of reports are read from. */
export interface ShareSources {
  readonly db: Db
  readonly signingSecrets: readonly string[]
}

/**
 * The report that a link opens, as its page and as a body for programs; null for every link that opens none.
 * @param addressOf the address of the page, by its token
 */
export async function sharedPage(
  { db, signingSecrets }: ShareSources,
  token: string,
  addressOf: (token: string) => string,
) {
  const found = await sharedReport(db, signingSecrets, token)
  if (!found) return null
  const { sharePassword, reportType, proofTexts } = found.report
  const shown = pageOf(found)
  const proof =
    reportType === 'sentiment' ? null : { href: `${token}/proof.json`, withTexts: proofTexts }
  return {
    ...shown,
    report: { ...shown.report, proof },
    body: sharedBody(found.report, addressOf(token)),
    password: sharePassword,
  }
}

/** The report that a preview opens, while it does; null for every other token. */
export async function previewedPage({ db, signingSecrets }: ShareSources, token: string) {
  const shown = openPreview(signingSecrets, token)
  if (!shown || shown.until * 1000 <= Date.now()) return null
  const found = await shownReport(db, shown.reportId)
  return found && pageOf(found)
}
