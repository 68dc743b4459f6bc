import { builtinBots } from '../../core/bots.ts'
import type { CheckId, Verdict } from '../../core/checks/checks.ts'
import { auditScores, pageScores, type ScoredPage } from '../../core/checks/scores.ts'
import type { SiteFacts } from '../../crawler/checks/facts.ts'
import { type AuditVerdict, judge } from '../../crawler/checks/judge.ts'
import type { TargetReading } from '../../crawler/reading.ts'
import type { Db } from '../../prisma/client.ts'
import { jobScope } from '../../resolvers/shared/job-scope.ts'
import { sendJob } from '../../resolvers/shared/jobs.ts'
import type { WorkSources } from '../job.ts'
import { lockedRun, writtenIssues, writtenPages } from './end.sql.ts'
import { pageFacts, type StoredFacts, statusOfTarget, storedFacts } from './facts.ts'
import type { AuditRow, KeptSite, KeptVerdict } from './state.ts'
import { decideIssues, type IssueWrite, issueIdOf, type Subject } from './transitions.ts'

const json = (value: unknown) =>
  JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? String(each) : each))

interface Judged {
  readonly verdict: AuditVerdict
  readonly stored: StoredFacts
  readonly urls: ReadonlyMap<string, string>
}

/** Judges the pages of an audit by what was read and by the facts of the stores. Null for a removed project. */
async function judgeAudit(sources: WorkSources, audit: AuditRow): Promise<Judged | null> {
  const { db } = sources
  const startedAt = audit.startedAt ?? audit.createdAt
  const scope = await jobScope(sources, audit.projectId, startedAt)
  if (!scope) return null
  const [rows, asked] = await Promise.all([
    db.auditPage.findMany({
      where: { auditId: audit.id, status: { in: ['completed', 'skipped'] } },
      select: { pageId: true, url: true, reading: true },
      orderBy: { url: 'asc' },
    }),
    db.auditTarget.findMany({ where: { auditId: audit.id } }),
  ])
  const pages = rows.filter(({ reading }) => reading !== null)
  const kept = audit.site as unknown as KeptSite
  const targets = new Map(
    asked.flatMap(({ address, outcome }) =>
      outcome === null ? [] : [[address, outcome as unknown as TargetReading] as const],
    ),
  )
  const statusOf = (address: string) => {
    const found = targets.get(address)
    return found === undefined ? null : statusOfTarget(found)
  }
  const urls = pages.map(({ url }) => url)
  const stored = await storedFacts(scope, urls, kept, statusOf)
  const probes = new Map((kept.probes ?? []).map((each) => [each.origin, each]))
  const facts: SiteFacts = {
    ...stored.site,
    ...{ startedAt, isWholeSite: audit.isWholeSite, targets },
    bots: ((await sources.crawlers?.()) ?? builtinBots).bots,
    origin: kept.origin ?? '',
    origins: kept.robots
      .filter(({ origin }) => probes.has(origin))
      .map((robots) => {
        const { llms = null, probe = null } = probes.get(robots.origin) ?? {}
        return { origin: robots.origin, robots, llms, probe }
      }),
  }
  return {
    verdict: judge(facts, pageFacts(pages, stored)),
    stored,
    urls: new Map(pages.map(({ pageId, url }) => [pageId, url])),
  }
}

function subjectsOf({ verdict, stored, urls }: Judged): Subject[] {
  const ofPages = verdict.pages.map(({ pageId, ...page }): Subject => {
    const url = urls.get(pageId) ?? ''
    return { pageId, origin: null, reach: stored.reachOf(url), urlOf: () => url, verdict: page }
  })
  const ofSite = verdict.site.map((site): Subject => {
    const urlOf = (check: CheckId) =>
      site.findings.find((finding) => finding.check === check)?.url ?? `${site.origin}/`
    const { siteReach: reach } = stored
    return { pageId: null, origin: site.origin, reach, urlOf, verdict: site }
  })
  return [...ofPages, ...ofSite]
}

const decidedIn = ({ evaluated, superseded }: Verdict) => [...evaluated, ...superseded]

/** Ids of the issues that later audits decided, of the pages and origins of an audit. */
async function decidedLater(tx: Db, { projectId, seq }: AuditRow, pageIds: readonly string[]) {
  const later = { projectId, status: 'completed', seq: { gt: seq } } as const
  const [pages, audits] = await Promise.all([
    tx.auditPage.findMany({
      where: { pageId: { in: [...pageIds] }, status: 'completed', audit: later },
      select: { pageId: true, findings: true },
    }),
    tx.audit.findMany({ where: later, select: { site: true } }),
  ])
  const ids = new Set<string>()
  for (const { pageId, findings } of pages) {
    if (findings === null) continue
    for (const check of decidedIn(findings as unknown as KeptVerdict)) {
      ids.add(issueIdOf(projectId, { pageId, origin: null }, check))
    }
  }
  for (const { site } of audits) {
    for (const verdict of (site as unknown as KeptSite | null)?.verdicts ?? []) {
      for (const check of decidedIn(verdict)) {
        ids.add(issueIdOf(projectId, { pageId: null, origin: verdict.origin }, check))
      }
    }
  }
  return ids
}

async function decide(
  tx: Db,
  audit: AuditRow,
  subjects: readonly Subject[],
  now: Date,
): Promise<{ writes: IssueWrite[]; ignored: ReadonlySet<string> }> {
  const { projectId, seq } = audit
  const pageIds = subjects.flatMap(({ pageId }) => pageId ?? [])
  const origins = subjects.flatMap(({ origin }) => origin ?? [])
  const [issues, pages, later] = await Promise.all([
    tx.issue.findMany({
      where: {
        projectId,
        OR: [{ status: 'open' }, { pageId: { in: pageIds } }, { origin: { in: origins } }],
      },
      omit: { evidence: true },
    }),
    tx.page.findMany({ where: { projectId }, select: { id: true } }),
    decidedLater(tx, audit, pageIds),
  ])
  const livingPages = new Set(pages.map(({ id }) => id))
  const writes = decideIssues(
    {
      ...{ projectId, seq, now, startedAt: audit.startedAt ?? audit.createdAt },
      known: new Map(issues.map((issue) => [issue.id, issue])),
      isDecidedLater: (id) => later.has(id),
      isKnownPage: (id) => livingPages.has(id),
    },
    subjects,
  )
  const ignored = issues.filter(({ resolution }) => resolution === 'ignored')
  return { writes, ignored: new Set(ignored.map(({ id }) => id)) }
}

/** The checks of a subject that count: those whose issue nobody ignores. */
const countedChecks = (projectId: string, subject: Subject, ignored: ReadonlySet<string>) =>
  subject.verdict.findings
    .map(({ check }) => check)
    .filter((check) => !ignored.has(issueIdOf(projectId, subject, check)))

async function write(tx: Db, audit: AuditRow, judged: Judged, now: Date): Promise<void> {
  const { id, projectId } = audit
  const subjects = subjectsOf(judged)
  const { writes, ignored } = await decide(tx, audit, subjects, now)
  await tx.$executeRawUnsafe(writtenIssues, json(writes))
  const counted = subjects.map((subject) => countedChecks(projectId, subject, ignored))
  const { pages, site } = judged.verdict
  const scored: ScoredPage[] = pages.map(({ standing }, i) => {
    return { standing, checks: counted[i] ?? [] }
  })
  const rows = pages.map(({ pageId, ...verdict }, i) => ({
    ...{ pageId, issueCount: counted[i]?.length ?? 0 },
    findings: { ...verdict, counted: counted[i] ?? [] },
    scores: scored[i] ? pageScores(scored[i]) : null,
  }))
  await tx.$executeRawUnsafe(writtenPages, id, json(rows))
  const siteChecks = counted.slice(pages.length).flat()
  const kept = audit.site as unknown as KeptSite
  await tx.audit.update({
    where: { id },
    data: {
      ...{ status: 'completed', completedAt: now },
      issueCount: counted.reduce((sum, checks) => sum + checks.length, 0),
      scores: (auditScores(scored, siteChecks) ?? undefined) as never,
      site: { ...kept, verdicts: site, counted: siteChecks } as never,
    },
  })
  await sendJob(tx, 'opportunities', { projectId }, { afterSeconds: 60 })
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
    { timeout: 60_000 },
  )
}
