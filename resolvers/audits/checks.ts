import type { CheckSeverity } from '../../core/checks/check.ts'
import { type Check, type CheckId, checks } from '../../core/checks/checks.ts'
import { type CheckWorth, type PageCounts, worthOf } from '../../core/checks/worth.ts'
import { pageKey } from '../../core/sites/cited-url.ts'
import { type DateRange, resolveWindow, type WindowArgs, yearWindow } from '../../core/window.ts'
import { run } from '../../warehouse/run.ts'
import { brandDomains, hasTrafficSource } from '../projects/projects.ts'
import { factsOf, rowsOfMany } from '../shared/many.ts'
import type { ProjectScope } from '../shared/scope.ts'
import { judgedPages, seenPages } from './checks.sql.ts'
import { hitKey, keyOfHit } from './facts.ts'

/** Pages with the same verdict. */
interface Group {
  readonly evaluated: readonly string[]
  readonly failed: readonly string[]
  readonly urls: readonly string[]
}

interface Judged {
  readonly projectId: string
  readonly openIssues: Readonly<Record<string, number>>
  readonly groups: readonly Group[]
}

/** A check with its results at the site of a project. */
export interface CheckOfSite extends Check {
  readonly scope: ProjectScope
  readonly openIssueCount: number
  readonly passingPages: number
  readonly failingPages: number
}

/** All checks at the site of one project. */
export interface SiteChecks {
  readonly scope: ProjectScope
  readonly groups: readonly Group[]
  /** The most severe first, then those with most open issues, then by id. */
  readonly checks: readonly CheckOfSite[]
  readonly byId: ReadonlyMap<string, CheckOfSite>
}

const severities: readonly CheckSeverity[] = ['critical', 'high', 'medium', 'low']

/** Sums `countOf` over the groups that pass each check, and over those that fail it. */
function sumByCheck(groups: readonly Group[], countOf: (group: Group) => PageCounts) {
  const none = () => ({ pages: 0, crawled: 0, cited: 0 })
  const sums = new Map<string, { passing: PageCounts; failing: PageCounts }>()
  for (const group of groups) {
    const counts = countOf(group)
    const failed = new Set(group.failed)
    for (const id of new Set([...group.evaluated, ...failed])) {
      const { passing, failing } = sums.get(id) ?? { passing: none(), failing: none() }
      const add = (to: PageCounts): PageCounts => ({
        pages: to.pages + counts.pages,
        crawled: to.crawled + counts.crawled,
        cited: to.cited + counts.cited,
      })
      sums.set(
        id,
        failed.has(id) ? { passing, failing: add(failing) } : { passing: add(passing), failing },
      )
    }
  }
  return (id: CheckId) => sums.get(id) ?? { passing: none(), failing: none() }
}

function siteChecks(scope: ProjectScope, { openIssues, groups }: Judged): SiteChecks {
  const sumOf = sumByCheck(groups, ({ urls }) => ({ pages: urls.length, crawled: 0, cited: 0 }))
  const found = checks.map((check): CheckOfSite => {
    const { passing, failing } = sumOf(check.id)
    return {
      ...check,
      scope,
      openIssueCount: openIssues[check.id] ?? 0,
      passingPages: passing.pages,
      failingPages: failing.pages,
    }
  })
  const rank = ({ severity }: CheckOfSite) => severities.indexOf(severity)
  const sorted = found.toSorted(
    (a, b) => rank(a) - rank(b) || b.openIssueCount - a.openIssueCount || (a.id < b.id ? -1 : 1),
  )
  return { scope, groups, checks: sorted, byId: new Map(found.map((check) => [check.id, check])) }
}

/** All checks with their results at the sites of several projects, in one statement. */
export async function siteChecksOfMany(scopes: readonly ProjectScope[]): Promise<SiteChecks[]> {
  const [first] = scopes
  if (first === undefined) return []
  const ids = scopes.map(({ project }) => project.id)
  const rows = await first.db.$queryRawUnsafe<Judged[]>(judgedPages, ids)
  const byProject = new Map(rows.map((row) => [row.projectId, row]))
  return scopes.map((scope) => {
    const { id: projectId } = scope.project
    return siteChecks(scope, byProject.get(projectId) ?? { projectId, openIssues: {}, groups: [] })
  })
}

interface Seen {
  readonly projectId: string
  readonly fact: 'cited' | 'crawled'
  readonly host: string
  readonly page: string
}

/** The worth of all checks at one site, by id. */
export interface SiteWorth {
  readonly byId: ReadonlyMap<string, CheckWorth>
  readonly dateRange: DateRange
}

function siteWorth({ scope, groups }: SiteChecks, rows: readonly Seen[]) {
  const cited = new Set(rows.flatMap(({ fact, page }) => (fact === 'cited' ? [pageKey(page)] : [])))
  const crawled = new Set(
    rows.flatMap(({ fact, host, page }) => (fact === 'crawled' ? [keyOfHit(host, page)] : [])),
  )
  const counts = new Map(
    groups.map((group) => [
      group,
      {
        pages: group.urls.length,
        crawled: group.urls.filter((url) => crawled.has(hitKey(url))).length,
        cited: group.urls.filter((url) => cited.has(pageKey(url))).length,
      },
    ]),
  )
  const all = [...counts.values()]
  const known = {
    hasTrafficSource: hasTrafficSource(scope.project),
    crawled: all.reduce((sum, it) => sum + it.crawled, 0),
    cited: all.reduce((sum, it) => sum + it.cited, 0),
  }
  const sumOf = sumByCheck(
    groups,
    (group) => counts.get(group) ?? { pages: 0, crawled: 0, cited: 0 },
  )
  return new Map<string, CheckWorth>(
    checks.map((check) => [check.id, worthOf(check, sumOf(check.id), known)]),
  )
}

/**
 * The worth of all checks at several sites: whether pages that pass are crawled and cited more often in the window
 * than pages that fail. One statement reads the facts of all checks and sites.
 * @throws {Fault} `invalid_argument`
 */
export async function worthOfMany(
  sites: readonly SiteChecks[],
  args: WindowArgs,
): Promise<SiteWorth[]> {
  const scopes = sites.map(({ scope }) => scope)
  const [first] = scopes
  if (first === undefined) return []
  const range = resolveWindow(args, yearWindow, first.now)
  const domains = [...new Set(scopes.flatMap(({ project }) => brandDomains(project)))]
  const seen = await rowsOfMany<Seen>(scopes, {}, (many) => {
    const { where, params } = factsOf(many, range)
    return run<Seen>(first.warehouse, {
      id: 'audits.seen-pages',
      sql: seenPages(where),
      params: { ...params, domains },
    })
  })
  return sites.map((site, i) => {
    const rows = seen[i] ?? []
    if (rows instanceof Error) throw rows
    return { byId: siteWorth(site, rows), dateRange: range }
  })
}
