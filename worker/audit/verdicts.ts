import { builtinBots } from '../../core/bots/bots.ts'
import { storedAs } from '../../core/stored-json.ts'
import type { Catalog, Db } from '../../prisma/client.ts'
import { jobScope } from '../../resolvers/shared/job-scope.ts'
import type { SiteFacts } from '../../site/checks/facts.ts'
import type { PageVerdict } from '../../site/checks/page.ts'
import { createJudging, type Judging, type SiteVerdict } from '../../site/checks/verdicts.ts'
import type { TargetReading } from '../../site/reading.ts'
import type { WorkSources } from '../job.ts'
import { judgedPages } from './end.sql.ts'
import { pageFacts, type StoredFacts, statusOfTarget, storedFacts } from './facts.ts'
import { whileRunning } from './pages.ts'
import { type ListedPage, pagesOf, slicesOf } from './slices.ts'
import type { AuditRow, KeptSite } from './state.ts'
import { storedJson } from './stored-json.ts'

/** An audit whose pages are judged. Their verdicts are in `AuditPage.findings`. */
export interface Judged {
  readonly pages: readonly ListedPage[]
  readonly site: readonly SiteVerdict[]
  readonly stored: StoredFacts
}

const targetsAtOnce = 1000

/** How link targets answered, by address. Their redirects are left out: only the last answer counts. */
async function readTargets(db: Db, auditId: string): Promise<Map<string, TargetReading>> {
  const targets = new Map<string, TargetReading>()
  for (let last = ''; ; ) {
    const rows = await db.auditTarget.findMany({
      where: { auditId, address: { gt: last } },
      orderBy: { address: 'asc' },
      take: targetsAtOnce,
    })
    for (const { address, outcome } of rows) {
      const reading = storedAs<TargetReading | null>(outcome)
      if (reading !== null) targets.set(address, { ...reading, hops: [] })
      last = address
    }
    if (rows.length < targetsAtOnce) return targets
  }
}

async function siteFacts(
  sources: WorkSources,
  audit: AuditRow,
  pages: readonly ListedPage[],
): Promise<{ facts: SiteFacts; stored: StoredFacts } | null> {
  const startedAt = audit.startedAt ?? audit.createdAt
  const scope = await jobScope(sources, audit.projectId, startedAt)
  if (!scope) return null
  const kept = storedAs<KeptSite>(audit.site)
  const targets = await readTargets(sources.db, audit.id)
  const statusOf = (address: string) => {
    const found = targets.get(address)
    return found === undefined ? null : statusOfTarget(found)
  }
  const urls = pages.map(({ url }) => url)
  const stored = await storedFacts(scope, urls, kept, statusOf)
  const probes = new Map((kept.probes ?? []).map((each) => [each.origin, each]))
  const facts: SiteFacts = {
    ...stored.site,
    startedAt,
    isWholeSite: audit.isWholeSite,
    targets,
    bots: ((await sources.crawlers?.()) ?? builtinBots).bots,
    origin: kept.origin ?? '',
    origins: kept.robots
      .filter(({ origin }) => probes.has(origin))
      .map((robots) => {
        const { llms = null, probe = null } = probes.get(robots.origin) ?? {}
        return { origin: robots.origin, robots, llms, probe }
      }),
  }
  return { facts, stored }
}

/** Keeps the verdicts of pages, as long as the audit runs. */
const keepVerdicts = (db: Catalog, auditId: string, verdicts: readonly PageVerdict[]) =>
  whileRunning(db, auditId, (tx) => {
    const rows = verdicts.map(({ pageId, ...findings }) => ({ pageId, findings }))
    return tx.$executeRawUnsafe(judgedPages, auditId, storedJson(rows))
  })

/**
 * Judges the pages of an audit by what was read and by the facts of the stores, a slice of pages at a time. The issues
 * do not change. Null for a removed project, and for an audit that no longer runs.
 */
export async function judgeAudit(sources: WorkSources, audit: AuditRow): Promise<Judged | null> {
  const { db } = sources
  const { id: auditId } = audit
  const pages = await pagesOf(db, auditId, true)
  const found = await siteFacts(sources, audit, pages)
  if (!found) return null
  const { facts, stored } = found
  const judging: Judging = createJudging(facts, new Set(pages.map(({ url }) => url)))

  async function* slices() {
    for (const slice of slicesOf(pages)) {
      const rows = await db.auditPage.findMany({
        where: { auditId, pageId: { in: slice.map(({ pageId }) => pageId) } },
        select: { pageId: true, url: true, reading: true },
        orderBy: [{ url: 'asc' }, { pageId: 'asc' }],
      })
      yield pageFacts(rows, stored)
    }
  }
  for await (const slice of slices()) slice.forEach(judging.index)
  for await (const slice of slices()) slice.forEach(judging.compare)
  for await (const slice of slices()) {
    if (!(await keepVerdicts(db, auditId, slice.map(judging.verdict)))) return null
  }
  return { pages, site: judging.site(), stored }
}
