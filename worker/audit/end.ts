import { type CheckId, checks, type Verdict } from '../../core/checks/checks.ts'
import { auditScores, pageScores, type ScoredPage } from '../../core/checks/scores.ts'
import { asStored, storedAs } from '../../core/stored-json.ts'
import type { Db } from '../../prisma/client.ts'
import { deliver } from '../../resolvers/shared/deliver.ts'
import { sendJob } from '../../resolvers/shared/jobs.ts'
import type { WorkSources } from '../job.ts'
import { lockedRun, lostIssues, scoredPages, writtenIssues } from './end.sql.ts'
import { slicesOf } from './slices.ts'
import type { AuditRow, KeptSite, KeptVerdict } from './state.ts'
import { storedJson } from './stored-json.ts'
import { decideIssues, issueIdOf, type Subject } from './transitions.ts'
import { type Judged, judgeAudit } from './verdicts.ts'

const decidedIn = ({ evaluated, superseded }: Verdict) => [...evaluated, ...superseded]

/** Ids of issues of pages that later audits decided. */
async function pagesDecidedLater(
  tx: Db,
  { projectId, seq }: AuditRow,
  pageIds: readonly string[],
): Promise<Set<string>> {
  const audit = { projectId, status: 'completed', seq: { gt: seq } } as const
  const later = await tx.auditPage.findMany({
    where: { pageId: { in: [...pageIds] }, status: 'completed', audit },
    select: { pageId: true, findings: true },
  })
  return new Set(
    later.flatMap(({ pageId, findings }) =>
      findings === null
        ? []
        : decidedIn(storedAs<KeptVerdict>(findings)).map((check) =>
            issueIdOf(projectId, { pageId, origin: null }, check),
          ),
    ),
  )
}

/** Ids of issues of the site that later audits decided. */
async function siteDecidedLater(tx: Db, { projectId, seq }: AuditRow): Promise<Set<string>> {
  const later = await tx.audit.findMany({
    where: { projectId, status: 'completed', seq: { gt: seq } },
    select: { site: true },
  })
  const verdicts = later.flatMap(({ site }) => storedAs<KeptSite | null>(site)?.verdicts ?? [])
  return new Set(
    verdicts.flatMap((verdict) =>
      decidedIn(verdict).map((check) =>
        issueIdOf(projectId, { pageId: null, origin: verdict.origin }, check),
      ),
    ),
  )
}

/** Turns the findings of some subjects into issues. Returns of each the checks that count: nobody ignores them. */
async function writeIssues(
  tx: Db,
  audit: AuditRow,
  now: Date,
  subjects: readonly Subject[],
  decidedLater: ReadonlySet<string>,
): Promise<CheckId[][]> {
  const { projectId, seq } = audit
  const pageIds = subjects.flatMap(({ pageId }) => pageId ?? [])
  const origins = subjects.flatMap(({ origin }) => origin ?? [])
  const [issues, pages] = await Promise.all([
    tx.issue.findMany({
      where: { projectId, OR: [{ pageId: { in: pageIds } }, { origin: { in: origins } }] },
      omit: { evidence: true },
    }),
    tx.page.findMany({ where: { projectId, id: { in: pageIds } }, select: { id: true } }),
  ])
  const living = new Set(pages.map(({ id }) => id))
  const writes = decideIssues(
    {
      projectId,
      seq,
      now,
      startedAt: audit.startedAt ?? audit.createdAt,
      known: new Map(issues.map((issue) => [issue.id, issue])),
      isDecidedLater: (id) => decidedLater.has(id),
      isKnownPage: (id) => living.has(id),
    },
    subjects,
  )
  if (writes.length > 0) await tx.$executeRawUnsafe(writtenIssues, storedJson(writes))
  const ignored = new Set(
    issues.filter(({ resolution }) => resolution === 'ignored').map(({ id }) => id),
  )
  return subjects.map((subject) =>
    subject.verdict.findings
      .map(({ check }) => check)
      .filter((check) => !ignored.has(issueIdOf(projectId, subject, check))),
  )
}

/** Writes issues and scores of the pages of an audit, a slice at a time. */
async function writePages(
  tx: Db,
  audit: AuditRow,
  { pages, stored }: Judged,
  now: Date,
): Promise<ScoredPage[]> {
  const scored: ScoredPage[] = []
  for (const slice of slicesOf(pages)) {
    const pageIds = slice.map(({ pageId }) => pageId)
    const found = await tx.auditPage.findMany({
      where: { auditId: audit.id, pageId: { in: pageIds } },
      select: { pageId: true, url: true, findings: true },
      orderBy: [{ url: 'asc' }, { pageId: 'asc' }],
    })
    const rows = found.filter(({ findings }) => findings !== null)
    const verdicts = rows.map(({ findings }) => storedAs<KeptVerdict>(findings))
    const subjects = rows.map(({ pageId, url }, i): Subject => {
      const verdict = verdicts[i] as KeptVerdict
      return { pageId, origin: null, reach: stored.reachOf(url), urlOf: () => url, verdict }
    })
    const later = await pagesDecidedLater(tx, audit, pageIds)
    const counted = await writeIssues(tx, audit, now, subjects, later)
    const ofSlice = verdicts.map(({ standing }, i) => ({ standing, checks: counted[i] ?? [] }))
    const written = rows.map(({ pageId }, i) => {
      const page = ofSlice[i]
      return { pageId, counted: page?.checks ?? [], scores: page ? pageScores(page) : null }
    })
    await tx.$executeRawUnsafe(scoredPages, audit.id, storedJson(written))
    scored.push(...ofSlice)
  }
  return scored
}

/** Writes the issues of the site. Returns the checks that count, once for each origin. */
async function writeSite(
  tx: Db,
  audit: AuditRow,
  { site, stored }: Judged,
  now: Date,
): Promise<CheckId[]> {
  const subjects = site.map((verdict): Subject => {
    const { origin, findings } = verdict
    const urlOf = (check: CheckId) =>
      findings.find((finding) => finding.check === check)?.url ?? `${origin}/`
    return { pageId: null, origin, reach: stored.siteReach, urlOf, verdict }
  })
  const later = await siteDecidedLater(tx, audit)
  return (await writeIssues(tx, audit, now, subjects, later)).flat()
}

async function write(tx: Db, audit: AuditRow, judged: Judged, now: Date): Promise<void> {
  const { id, projectId } = audit
  const scored = await writePages(tx, audit, judged, now)
  const siteChecks = await writeSite(tx, audit, judged, now)
  const known = checks.map((check) => check.id)
  await tx.$executeRawUnsafe(lostIssues, projectId, now.toISOString(), known)
  const kept = storedAs<KeptSite>(audit.site)
  const scores = auditScores(scored, siteChecks)
  await tx.audit.update({
    where: { id },
    data: {
      status: 'completed',
      completedAt: now,
      issueCount: scored.reduce((sum, page) => sum + page.checks.length, siteChecks.length),
      ...(scores && { scores: asStored(scores) }),
      site: JSON.parse(storedJson({ ...kept, verdicts: judged.site, counted: siteChecks })),
    },
  })
  await sendJob(tx, 'opportunities', { projectId }, { afterSeconds: 60 })
  const issues = scored.reduce((sum, page) => sum + page.checks.length, siteChecks.length)
  await deliver(tx, {
    type: 'audit.completed',
    projectId,
    title: 'A site audit is done',
    facts: [
      { label: 'Pages', value: String(scored.length) },
      { label: 'Issues', value: String(issues) },
    ],
    page: 'site-audit',
    ids: { auditId: id },
  })
}

/**
 * Ends an audit whose pages are read: its findings become issues, in one transaction with scores and counts. An audit
 * that was cancelled meanwhile changes nothing.
 */
export async function endAudit(sources: WorkSources, auditId: string): Promise<void> {
  const { db } = sources
  const audit = await db.audit.findUnique({ where: { id: auditId } })
  if (audit?.status !== 'running') return
  const judged = await judgeAudit(sources, audit)
  if (!judged) return
  await db.$transaction(
    async (tx) => {
      const [locked] = await tx.$queryRawUnsafe<{ status: string }[]>(lockedRun, auditId)
      if (locked?.status !== 'running') return
      await write(tx, audit, judged, new Date())
    },
    // Ten thousand pages take some seconds; the job itself has two minutes.
    { timeout: 100_000 },
  )
}
