import { hostOf } from '../../core/sites/urls.ts'
import { type DateRange, resolveWindow } from '../../core/window.ts'
import { run } from '../../warehouse/run.ts'
import { brandDomains } from '../projects/projects.ts'
import { factParams, factsWhere } from '../shared/facts.sql.ts'
import { readFilters } from '../shared/filters.ts'
import type { ProjectScope } from '../shared/scope.ts'
import { currentSnapshot } from '../shared/snapshot.ts'
import { citingAnswers, hitsByPage } from './facts.sql.ts'

const factDays = 30

/** The UTC days whose facts an audit uses: the 30 days that end on the day of `scope.now`. */
function factWindow({ now }: Pick<ProjectScope, 'now'>): DateRange {
  return resolveWindow({ days: factDays }, { defaultDays: factDays, maxDays: factDays }, now)
}

/** Identifies a page in the requests of crawlers: its host and its decoded path. */
function hitKey(url: string): string {
  const { pathname } = new URL(url)
  const bare = pathname.replace(/\/+$/, '') || '/'
  try {
    return `${hostOf(url)} ${decodeURIComponent(bare)}`
  } catch {
    return `${hostOf(url)} ${bare}`
  }
}

interface Cited {
  readonly url: string
  readonly platform: string
  readonly answers: number
}

/** Answers in the window that cite own URLs, by URL and platform. */
async function citationsOfSite(scope: ProjectScope, range: DateRange): Promise<Cited[]> {
  const filters = await readFilters(scope, {})
  const snapshot = currentSnapshot(scope)
  return run<Cited>(scope.warehouse, {
    id: 'audits.citations',
    sql: citingAnswers(factsWhere(filters, snapshot)),
    params: {
      ...factParams(scope.project.id, range, filters, snapshot),
      domains: brandDomains(scope.project),
    },
  })
}

async function hitsOf(scope: ProjectScope, range: DateRange): Promise<Map<string, number>> {
  const rows = await run<{ host: string; page: string; hits: number }>(scope.warehouse, {
    id: 'audits.hits',
    sql: hitsByPage,
    params: { project: scope.project.id, ...range },
  })
  return new Map(rows.map(({ host, page, hits }) => [`${host} ${page}`, hits]))
}

/** Ten times the citing answers plus the requests of AI crawlers, by URL, in the days of `factWindow`. */
export async function reachOfPages(
  scope: ProjectScope,
  urls: readonly string[],
): Promise<Map<string, number>> {
  const range = factWindow(scope)
  const [cited, hits] = await Promise.all([citationsOfSite(scope, range), hitsOf(scope, range)])
  const answers = new Map<string, number>()
  for (const row of cited) answers.set(row.url, (answers.get(row.url) ?? 0) + row.answers)
  return new Map(
    urls.map((url) => [url, 10 * (answers.get(url) ?? 0) + (hits.get(hitKey(url)) ?? 0)]),
  )
}
