import type { CheckId, Finding, Verdict } from '../../core/checks/checks.ts'
import { duplicatesAmong } from './duplicates.ts'
import type { PageFacts, SiteFacts } from './facts.ts'
import { type Conditions, findingOf } from './finding.ts'
import { judgePage, type PageVerdict, readContext } from './page.ts'
import { type OriginContext, originConditions, projectConditions } from './site.ts'
import { isIndexable, type SiteContext, siteContext } from './site-context.ts'
import { competitorTopics } from './topics.ts'

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
    const pages = site.pages.filter(({ reading }) => new URL(reading.address).origin === origin)
    const evidence = [
      {
        address: robots.address,
        ...(robots.status === null ? { text: robots.detail } : { status: robots.status }),
      },
    ]
    const finding = withUrl(findingOf('robots-unreachable', { n: pages.length, evidence }))
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

/** Runs all checks of an audit: pages in the given order, and each origin. */
export function judge(facts: SiteFacts, pages: readonly PageFacts[]): AuditVerdict {
  const site = siteContext(facts, pages)
  const read = pages.map((page) => readContext(page, site))
  const indexable = read.map((page) => (page !== null && isIndexable(page) ? page : null))
  const known = indexable.filter((page) => page !== null)
  const duplicates = duplicatesAmong(known)
  const competitor = competitorTopics(facts, known)
  return {
    pages: pages.map((page, i) => {
      const context = indexable[i] ?? null
      const full = context === null ? null : { ...context, duplicates: duplicates(context) }
      return judgePage(
        page,
        site,
        read[i] ?? null,
        full,
        context === null ? undefined : competitor(context),
      )
    }),
    site: [...site.origins.values()].map((origin) => judgeOrigin(site, { origin, site })),
  }
}
