import { brandFields, brandsOf } from '../../core/project-brands.ts'
import { notEnded } from '../../core/queues.ts'
import { LockBusyError, withAdvisoryLock } from '../../prisma/client.ts'
import { sendJob } from '../../resolvers/shared/jobs.ts'
import { auditDeadline } from '../../site/budget.ts'
import type { ExternalLinks } from '../../site/external-links.ts'
import type { JobSteps, Work, WorkSources } from '../job.ts'
import { type OpenedSite, openSiteFor } from '../open-site.ts'
import { endAudit } from './end.ts'
import { askExternalLink, leaveExternalLinks, listExternalLinks } from './external-links.ts'
import { nextPage, readPage, whileRunning } from './pages.ts'
import { askTarget, chooseAll, keepSite, keptSite, nextTarget, readSite } from './site.ts'
import type { AuditRow } from './state.ts'
import { dropTexts, writeTexts } from './texts.ts'

const sliceMs = 20_000
/** Links to other sites may take so much longer than the audit. */
const externalLinksMs = 15 * 60_000
const deadlineOf = ({ startedAt, createdAt, pageCount }: AuditRow) =>
  auditDeadline(startedAt ?? createdAt, pageCount)

/** Takes an audit that is not over; null for any other. */
async function begin({ db }: WorkSources, auditId: string): Promise<AuditRow | null> {
  await db.audit.updateMany({
    where: { id: auditId, status: 'queued' },
    data: { status: 'running', startedAt: new Date() },
  })
  return db.audit.findFirst({ where: { id: auditId, status: 'running' } })
}

type Audited = OpenedSite & { readonly domain: string }

async function openAudited(
  sources: WorkSources,
  audit: AuditRow,
  signal: AbortSignal,
): Promise<Audited | null> {
  const { db } = sources
  const project = await db.project.findUnique({
    where: { id: audit.projectId },
    select: brandFields,
  })
  if (!project) return null
  const [own] = brandsOf(project)
  const opened = await openSiteFor(sources, audit.projectId, {
    ownDomains: own?.domains ?? [project.domain],
    brand: own ?? null,
    now: audit.startedAt ?? audit.createdAt,
    robots: audit.site === null ? null : keptSite(audit).robots,
    deadline: deadlineOf(audit),
    listsExternalLinks: audit.checksExternalLinks,
    signal,
  })
  return { ...opened, domain: project.domain }
}

/** Pages and link targets that were not requested before the deadline are left out, and the audit says so. */
async function noteBudget({ db }: WorkSources, { id }: AuditRow): Promise<void> {
  const [page, target] = await Promise.all([
    db.auditPage.findFirst({
      where: {
        auditId: id,
        status: 'skipped',
        reading: { path: ['reading', 'outcome', 'reason'], equals: 'budget' },
      },
      select: { pageId: true },
    }),
    nextTarget(db, id),
  ])
  if (page === null && target === null) return
  await db.audit.updateMany({
    where: { id, status: 'running' },
    data: { error: 'budget_exhausted' },
  })
}

/**
 * Asks the links to other sites, where the audit is to do so.
 * @returns whether the audit needs another slice
 */
async function askOtherSites(
  { db }: WorkSources,
  audit: AuditRow,
  externalLinks: ExternalLinks,
  isOver: () => boolean,
): Promise<boolean> {
  if (!audit.checksExternalLinks || !(await listExternalLinks(db, audit.id))) return false
  const untilMs = deadlineOf(audit).getTime() + externalLinksMs
  while (Date.now() < untilMs) {
    if (isOver()) return true
    if (!(await askExternalLink(db, externalLinks, audit.id))) return false
  }
  await leaveExternalLinks(db, audit.id)
  return false
}

/**
 * Works on an audit until `isOver`: pages, then the site, then link targets, then links to other sites, then the end. Each step is recorded once,
 * and the next slice continues after the last one.
 * @returns whether the audit needs another slice
 */
async function slice(
  work: Work,
  audit: AuditRow,
  signal: AbortSignal,
  isOver: () => boolean,
): Promise<boolean> {
  const opened = await openAudited(work, audit, signal)
  if (!opened) return false
  try {
    return await sliceOf(work, audit, opened, signal, isOver)
  } finally {
    await opened.close()
  }
}

async function sliceOf(
  work: Work,
  audit: AuditRow,
  { site, externalLinks, domain }: Audited,
  signal: AbortSignal,
  isOver: () => boolean,
): Promise<boolean> {
  const { db } = work
  const { id } = audit
  let origins = keptSite(audit).robots.length
  for (;;) {
    if (isOver()) return true
    const page = await nextPage(db, id)
    if (page === null) break
    if (!(await readPage(work, site, page, signal))) return false
    const { length } = await site.robotsReadings()
    if (length > origins && !(await keepSite(db, id, site))) return false
    origins = length
  }
  const current = await db.audit.findUnique({ where: { id } })
  if (current === null) return false
  if (!(await readSite(work, site, current, domain))) return false
  const guessed = await chooseAll(work, site, current)
  if (guessed === null) return false
  while (Date.now() < deadlineOf(audit).getTime()) {
    if (isOver()) return true
    if (!(await askTarget(db, site, id, guessed))) break
  }
  await noteBudget(work, audit)
  if (await askOtherSites(work, audit, externalLinks, isOver)) return true
  await writeTexts(work, id)
  await endAudit(work, id)
  return false
}

/** The work on audits. A job is one slice, so that a stopped worker loses one page at most. */
export const auditHandler: JobSteps<{ auditId: string }> = {
  async run({ auditId }, work) {
    const { db, databaseUrl, signal, stopping } = work
    const audit = await begin(work, auditId)
    if (!audit) return dropTexts(db, auditId)
    const until = performance.now() + sliceMs
    const isOver = () => performance.now() >= until || stopping.aborted || signal.aborted
    try {
      await withAdvisoryLock(
        databaseUrl,
        `audit:${auditId}`,
        async (lost) => {
          const needsMore = await slice(work, audit, AbortSignal.any([lost, signal]), isOver)
          await writeTexts(work, auditId)
          if (!needsMore) return
          await whileRunning(db, auditId, (tx) => sendJob(tx, 'audit', { auditId }))
        },
        { waitMs: 0 },
      )
    } catch (error) {
      // Another worker is at this audit; the sweep sends a job if that one dies.
      if (!(error instanceof LockBusyError)) throw error
    }
  },
  async fail({ auditId }, { db }) {
    await db.audit.updateMany({
      where: { id: auditId, status: notEnded },
      data: { status: 'failed', error: 'internal', completedAt: new Date() },
    })
    await dropTexts(db, auditId)
  },
}
