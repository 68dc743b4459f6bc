import { bareHost, pageKey } from '../../core/sites/cited-url.ts'
import { hostOf } from '../../core/sites/urls.ts'
import { countWords } from '../../core/text/words.ts'
import { type DateRange, resolveWindow } from '../../core/window.ts'
import { run } from '../../warehouse/run.ts'
import { brandDomains, competitorDomains } from '../projects/projects.ts'
import { factParams, factsWhere } from '../shared/facts.sql.ts'
import { readFilters } from '../shared/filters.ts'
import { currentSnapshot } from '../shared/lists/snapshot.ts'
import type { ProjectScope } from '../shared/scope.ts'
import {
  answersByPlatform,
  citingAnswers,
  hitsByPage,
  hitTimes,
  importedTexts,
  rivalAnswers,
  siteHits,
} from './facts.sql.ts'

const factDays = 30

/** The UTC days whose facts an audit uses: the 30 days that end on the day of `scope.now`. */
function factWindow({ now }: Pick<ProjectScope, 'now'>): DateRange {
  return resolveWindow({ days: factDays }, { defaultDays: factDays, maxDays: factDays }, now)
}

/** Identifies a page in the requests of crawlers: its host and its decoded path. */
export function hitKey(url: string): string {
  const { pathname } = new URL(url)
  const bare = pathname.replace(/\/+$/, '') || '/'
  try {
    return keyOfHit(hostOf(url), decodeURIComponent(bare))
  } catch {
    return keyOfHit(hostOf(url), bare)
  }
}

/** The same for a request, on any of the hosts that show the site. */
export const keyOfHit = (host: string, page: string) => `${bareHost(host)} ${page}`

async function factsOf<Row extends object>(
  scope: ProjectScope,
  id: string,
  sql: (facts: string) => string,
): Promise<Row[]> {
  const filters = await readFilters(scope, {})
  const snapshot = currentSnapshot(scope)
  return run<Row>(scope.warehouse, {
    id,
    sql: sql(factsWhere(filters, snapshot)),
    params: {
      ...factParams(scope.project.id, factWindow(scope), filters, snapshot),
      domains: brandDomains(scope.project),
      competitors: competitorDomains(scope.project),
    },
  })
}

export interface Cited {
  readonly url: string
  readonly platform: string
  readonly answers: number
}

/** Answers that cite own URLs, by URL and platform. */
export const citedUrls = (scope: ProjectScope): Promise<Cited[]> =>
  factsOf(scope, 'audits.citations', citingAnswers)

/** Answers by platform. */
export const platformAnswers = (scope: ProjectScope): Promise<Omit<Cited, 'url'>[]> =>
  factsOf(scope, 'audits.answers', answersByPlatform)

/** Answers to each prompt that cite a competitor, and answers that cite an own page. */
export const rivalsByPrompt = (
  scope: ProjectScope,
): Promise<{ promptId: string; rivals: number; own: number }[]> =>
  factsOf(scope, 'audits.rivals', rivalAnswers)

export interface HitRow {
  readonly host: string
  readonly page: string
  readonly crawler: string
  readonly status: number
  readonly hits: number
  readonly lastMs: number
}

const hitParams = (scope: ProjectScope) => {
  return { project: scope.project.id, ...factWindow(scope) }
}

/** Requests of AI crawlers by page, crawler and status. */
export const crawlerHits = (scope: ProjectScope): Promise<HitRow[]> =>
  run<HitRow>(scope.warehouse, { id: 'audits.hits', sql: hitsByPage, params: hitParams(scope) })

/** Known response times of AI crawlers by page. */
export const crawlerTimes = (scope: ProjectScope) =>
  run<{ host: string; page: string; timed: number; medianMs: number }>(scope.warehouse, {
    id: 'audits.times',
    sql: hitTimes,
    params: hitParams(scope),
  })

/** Requests of AI crawlers for the whole site. */
export async function crawlerTotals(scope: ProjectScope) {
  const [row] = await run<{
    total: number
    errors: number
    oldestMs: number
    crawlers: string[]
  }>(scope.warehouse, { id: 'audits.site-hits', sql: siteHits, params: hitParams(scope) })
  return row ?? { total: 0, errors: 0, oldestMs: 0, crawlers: [] }
}

/** Words of the imported text of each page that has one, by `undressed` URL. */
export async function importedWords(scope: ProjectScope, urls: readonly string[]) {
  const rows = await run<{ page: string; content: string }>(scope.warehouse, {
    id: 'audits.texts',
    sql: importedTexts,
    params: { project: scope.project.id, urls },
  })
  return new Map(rows.map(({ page, content }) => [page, countWords(content)]))
}

/** Ten times the citing answers plus the requests of AI crawlers, of each URL. */
export function reachBy(cited: readonly Cited[], hits: readonly HitRow[]) {
  const answers = new Map<string, number>()
  for (const row of cited) {
    const key = pageKey(row.url)
    answers.set(key, (answers.get(key) ?? 0) + row.answers)
  }
  const requests = new Map<string, number>()
  for (const { host, page, hits: n } of hits) {
    const key = keyOfHit(host, page)
    requests.set(key, (requests.get(key) ?? 0) + n)
  }
  return (url: string) => 10 * (answers.get(pageKey(url)) ?? 0) + (requests.get(hitKey(url)) ?? 0)
}

/** The reach of URLs in the 30 UTC days that end today. */
export async function siteReach(scope: ProjectScope): Promise<(url: string) => number> {
  const [cited, hits] = await Promise.all([citedUrls(scope), crawlerHits(scope)])
  return reachBy(cited, hits)
}
