import type { CheckId, Finding, Verdict } from '../../core/checks/checks.ts'
import { createComparison } from './duplicates.ts'
import type { PageFacts, SiteFacts } from './facts.ts'
import { type Conditions, findingOf } from './finding.ts'
import { judgePage, type PageVerdict, readContext } from './page.ts'
import { type OriginContext, originConditions, projectConditions } from './site.ts'
import { isIndexable, type ReadContext, type SiteContext, siteContext } from './site-context.ts'
import { createSiteIndex } from './site-index.ts'
import { createTopicPages } from './topics.ts'

/** A finding with the address that its issue has as URL. */
export interface SiteFinding extends Finding {
  readonly url: string
}

export interface SiteVerdict extends Verdict {
  readonly origin: string
  readonly findings: readonly SiteFinding[]
}

export interface AuditVerdict {
  readonly pages: readonly PageVerdict[]
  readonly site: readonly SiteVerdict[]
}

/** The file that a check is about, else the home page. */
function subjectOf(origin: string, site: SiteContext, { check, evidence }: Finding): string {
  const { sitemap } = site.facts
  if (check.includes('robots') || /delay|signal|bots-blocked|audit-blocked/.test(check)) {
    return `${origin}/robots.txt`
  }
  if (check.startsWith('llms-txt')) return `${origin}/llms.txt`
  const file = sitemap.address ?? sitemap.files[0]?.address ?? `${origin}/sitemap.xml`
  if (check === 'sitemap-invalid') return evidence[0]?.address ?? file
  return check === 'sitemap-lastmod-missing' ? file : `${origin}/`
}

function judgeOrigin(site: SiteContext, context: OriginContext): SiteVerdict {
  const { origin, robots } = context.origin
  const withUrl = (finding: Finding) => ({ ...finding, url: subjectOf(origin, site, finding) })
  if (robots.state === 'refused') {
    return { origin, findings: [], evaluated: [], superseded: [] }
  }
  if (robots.state === 'unreachable') {
    const evidence = [
      {
        address: robots.address,
        ...(robots.status === null ? { text: robots.detail } : { status: robots.status }),
      },
    ]
    const finding = withUrl(
      findingOf('robots-unreachable', { n: site.index.pageCount(origin), evidence }),
    )
    return { origin, findings: [finding], evaluated: [finding.check], superseded: [] }
  }
  const decide = (conditions: Conditions<OriginContext>) =>
    Object.entries(conditions).map(
      ([id, condition]) => [id as CheckId, condition(context)] as const,
    )
  // Without a valid certificate only the project's own facts are known.
  const isAnswered = robots.state === 'read' || robots.state === 'absent'
  const decided = [
    ['robots-unreachable', null] as const,
    ...(isAnswered ? decide(originConditions) : []),
    ...(isAnswered && origin === site.facts.origin ? decide(projectConditions) : []),
  ].filter(([, outcome]) => outcome !== undefined)
  return {
    origin,
    findings: decided.flatMap(([id, outcome]) =>
      outcome ? [withUrl(findingOf(id, outcome))] : [],
    ),
    evaluated: decided.map(([id]) => id),
    superseded: [],
  }
}

/**
 * Judges an audit of any size, whose pages pass three times in the same order. It keeps facts that pages share, and no
 * page.
 */
export interface Judging {
  /** First for all pages: how they answer, and which pages they link to. */
  index(page: PageFacts): void
  /** Then for all pages: texts that they share. */
  compare(page: PageFacts): void
  /** At last for each page: its verdict. */
  verdict(page: PageFacts): PageVerdict
  /** The verdicts of the origins, after the pages. */
  site(): SiteVerdict[]
}

/** @param urls of all pages */
export function createJudging(facts: SiteFacts, urls: ReadonlySet<string>): Judging {
  const index = createSiteIndex(urls, facts.targets)
  const site = siteContext(facts, index)
  const comparison = createComparison()
  const topics = createTopicPages(facts)
  const indexableOf = (read: ReadContext | null) =>
    read !== null && isIndexable(read) ? read : null
  return {
    index: index.add,
    compare(page) {
      const indexable = indexableOf(readContext(page, site))
      if (indexable === null) return
      comparison.add(indexable)
      topics.add(indexable)
    },
    verdict(page) {
      const read = readContext(page, site)
      const indexable = indexableOf(read)
      if (indexable === null) return judgePage(page, site, read, null, undefined)
      const full = { ...indexable, duplicates: comparison.duplicates(indexable) }
      return judgePage(page, site, read, full, topics.outcome(indexable))
    },
    site: () => [...site.origins.values()].map((origin) => judgeOrigin(site, { origin, site })),
  }
}

/** Runs all checks of an audit whose pages are in memory. */
export function judge(facts: SiteFacts, pages: readonly PageFacts[]): AuditVerdict {
  const judging = createJudging(facts, new Set(pages.map(({ url }) => url)))
  for (const page of pages) judging.index(page)
  for (const page of pages) judging.compare(page)
  return { pages: pages.map(judging.verdict), site: judging.site() }
}
