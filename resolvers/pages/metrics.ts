import { type Bucket, bucketed, type HistoryInterval } from '../../core/buckets.ts'
import { invalid } from '../../core/errors.ts'
import { pageKey, variantsOf } from '../../core/sites/cited-url.ts'
import { domainOf, hostOf, normaliseUrl } from '../../core/sites/urls.ts'
import { type DateRange, resolveWindow, type WindowArgs, yearWindow } from '../../core/window.ts'
import { run } from '../../warehouse/run.ts'
import { brandDomains, hasTrafficSource, type ProjectRecord } from '../projects/projects.ts'
import { allRows, factsOf, rowsOfMany } from '../shared/many.ts'
import { type ProjectScope, scopesOf } from '../shared/scope.ts'
import { whereCrawls } from '../traffic/crawls.ts'
import type { UrlOfProject } from './citations.ts'
import { citationDays, clickDays, crawlDays, referralDays } from './pages.sql.ts'
import { encodedPath, spellingsOf } from './paths.ts'

const keyOf = (...parts: readonly string[]) => parts.join(' ')

/** Hosts and paths of pages, in the spellings of recorded requests. */
function placesOf(pages: readonly UrlOfProject[]) {
  return {
    hosts: [...new Set(pages.map(({ url }) => hostOf(url)))],
    pages: [...new Set(pages.flatMap(({ url }) => spellingsOf(new URL(url).pathname)))],
  }
}

const pathOf = ({ url }: UrlOfProject) => encodedPath(new URL(url).pathname)

interface OfProject {
  readonly projectId: string
}

/** A part of the metrics of a page; without a data source it has no series. */
interface Part<Counts> {
  readonly available: boolean
  /** Counts of each day that has any. */
  readonly days: readonly (Counts & { readonly date: string })[]
  readonly series: (interval: HistoryInterval) => readonly (Counts & Bucket)[]
}

const unavailable = { available: false, days: [], series: () => [] }

const sumOf = <Row>(rows: readonly Row[], of: (row: Row) => number) =>
  rows.reduce((total, row) => total + of(row), 0)

export type PageCitations = Part<{ readonly count: number }>
export type PageCrawls = Part<OfProject & { readonly botName: string; readonly visits: number }>
export type PageReferrals = Part<
  OfProject & { readonly platform: string; readonly sessions: number }
>
export type PageClicks = Part<{ readonly clicks: number; readonly impressions: number }>

/** Citations of pages, one entry per day, week or month. */
export async function citationsOfPages(
  pages: readonly UrlOfProject[],
  range: DateRange,
): Promise<PageCitations[]> {
  const [first] = pages
  if (first === undefined) return []
  const urls = [...new Set(pages.flatMap(({ url }) => variantsOf(url)))]
  const domains = [...new Set(urls.map((url) => domainOf(hostOf(url))))]
  type Row = { projectId: string; url: string; date: string; count: number }
  const found = await rowsOfMany<Row>(scopesOf(pages), {}, (many) => {
    const { where, params } = factsOf(many, range)
    return run<Row>(first.scope.warehouse, {
      id: 'pages.citations',
      frozen: true,
      sql: citationDays(where),
      params: { ...params, domains, urls },
    })
  })
  const byPage = Map.groupBy(allRows(found), (row) => keyOf(row.projectId, pageKey(row.url)))
  return pages.map(({ scope, url }) => {
    const ofHosts = byPage.get(keyOf(scope.project.id, pageKey(url))) ?? []
    // A page that answers cite on several of its hosts has a row of each.
    const days = [...Map.groupBy(ofHosts, ({ date }) => date)].map(([date, rows]) => ({
      date,
      count: sumOf(rows, ({ count }) => count),
    }))
    return {
      available: true,
      days,
      series: (interval) =>
        bucketed(range, interval, days).map(({ bucket, days: some }) => {
          return { ...bucket, count: sumOf(some, ({ count }) => count) }
        }),
    }
  })
}

interface NamedCount {
  readonly date: string
  readonly name: string
  readonly n: number
}

/** One entry per name in each day, week or month, for each name with a count. */
function seriesByName(range: DateRange, interval: HistoryInterval, counts: readonly NamedCount[]) {
  const names = [...new Set(counts.map(({ name }) => name))].sort()
  return bucketed(range, interval, counts).flatMap(({ bucket, days }) => {
    const byName = Map.groupBy(days, ({ name }) => name)
    return names.map((name) => ({ bucket, name, n: sumOf(byName.get(name) ?? [], ({ n }) => n) }))
  })
}

interface CrawlRow {
  readonly projectId: string
  readonly host: string
  readonly page: string
  readonly date: string
  readonly botId: number
  readonly botName: string
  readonly lastMs: number
  readonly visits: number
}

/** Requests of crawlers for pages, by day and crawler. */
export async function crawlsOfPages(
  pages: readonly UrlOfProject[],
  range: DateRange,
): Promise<PageCrawls[]> {
  const connected = pages.filter(({ scope }) => hasTrafficSource(scope.project))
  const [first] = connected
  if (first === undefined) return pages.map(() => unavailable)
  const { hosts, pages: paths } = placesOf(connected)
  const selection = {
    ...range,
    hosts,
    verification: null,
    botName: null,
    botCategory: null,
    path: null,
  }
  const { where, params } = whereCrawls(scopesOf(connected), selection)
  const rows = await run<CrawlRow>(first.scope.warehouse, {
    id: 'pages.crawls',
    sql: crawlDays(where),
    params: { ...params, pages: paths },
  })
  const byPage = Map.groupBy(rows, ({ projectId, host, page }) =>
    keyOf(projectId, host, encodedPath(page)),
  )
  return pages.map((page) => {
    const { project } = page.scope
    const { id: projectId } = project
    const found = byPage.get(keyOf(project.id, hostOf(page.url), pathOf(page))) ?? []
    const counts = countsByCrawler(found)
    return {
      available: hasTrafficSource(project),
      days: counts.map(({ date, name, n }) => ({ projectId, date, botName: name, visits: n })),
      series: (interval) =>
        seriesByName(range, interval, counts).map(({ bucket, name, n }) => {
          return { ...bucket, projectId, botName: name, visits: n }
        }),
    }
  })
}

/** The crawler registry may rename a crawler: the latest name counts. */
function countsByCrawler(rows: readonly CrawlRow[]) {
  const oldestFirst = rows.toSorted((a, b) => a.lastMs - b.lastMs)
  const names = new Map(oldestFirst.map(({ botId, botName }) => [botId, botName]))
  return rows.map(({ date, botId, botName, visits }) => {
    return { date, name: names.get(botId) ?? botName, n: visits }
  })
}

interface ReferralRow {
  readonly projectId: string
  readonly host: string
  readonly path: string
  readonly date: string
  readonly platform: string
  readonly sessions: number
}

const hasAnalytics = ({ connections }: ProjectRecord) => connections.includes('webAnalytics')

/** Sessions that AI assistants sent to pages, by day and platform. */
export async function referralsOfPages(
  pages: readonly UrlOfProject[],
  range: DateRange,
): Promise<PageReferrals[]> {
  const connected = pages.filter(({ scope }) => hasAnalytics(scope.project))
  const [first] = connected
  if (first === undefined) return pages.map(() => unavailable)
  const { hosts, pages: paths } = placesOf(connected)
  const rows = await run<ReferralRow>(first.scope.warehouse, {
    id: 'pages.referrals',
    sql: referralDays,
    params: {
      projects: scopesOf(connected).map(({ project }) => project.id),
      ...range,
      hosts: [...hosts, ''],
      pages: paths,
    },
  })
  const byPage = Map.groupBy(rows, ({ projectId, host, path }) =>
    keyOf(projectId, host, encodedPath(path)),
  )
  return pages.map((page) => {
    const { project } = page.scope
    const { id: projectId } = project
    const host = hostOf(page.url)
    // Exports without hosts belong to the brand's own site.
    const isOwn = brandDomains(project).includes(domainOf(host))
    const found = [host, ...(isOwn ? [''] : [])].flatMap(
      (of) => byPage.get(keyOf(project.id, of, pathOf(page))) ?? [],
    )
    const counts = found.map(({ date, platform, sessions }) => {
      return { date, name: platform, n: sessions }
    })
    return {
      available: hasAnalytics(project),
      days: counts.map(({ date, name, n }) => ({ projectId, date, platform: name, sessions: n })),
      series: (interval) =>
        seriesByName(range, interval, counts).map(({ bucket, name, n }) => {
          return { ...bucket, projectId, platform: name, sessions: n }
        }),
    }
  })
}

interface ClickRow {
  readonly projectId: string
  readonly host: string
  readonly path: string
  readonly date: string
  readonly clicks: number
  readonly impressions: number
}

const hasSearchConsole = ({ connections }: ProjectRecord) => connections.includes('searchConsole')

/** Clicks and impressions of pages in search results, one entry per day. */
export async function clicksOfPages(
  pages: readonly UrlOfProject[],
  range: DateRange,
): Promise<PageClicks[]> {
  const connected = pages.filter(({ scope }) => hasSearchConsole(scope.project))
  const [first] = connected
  if (first === undefined) return pages.map(() => unavailable)
  const rows = await run<ClickRow>(first.scope.warehouse, {
    id: 'pages.clicks',
    sql: clickDays,
    params: {
      projects: scopesOf(connected).map(({ project }) => project.id),
      ...range,
      ...placesOf(connected),
    },
  })
  const byKey = Map.groupBy(rows, ({ projectId, host, path }) =>
    keyOf(projectId, host, encodedPath(path)),
  )
  return pages.map((page) => {
    const { project } = page.scope
    if (!hasSearchConsole(project)) return unavailable
    const days = byKey.get(keyOf(project.id, hostOf(page.url), pathOf(page))) ?? []
    return {
      available: true,
      days,
      series: (interval) =>
        bucketed(range, interval, days).map(({ bucket, days: some }) => {
          const clicks = sumOf(some, (day) => day.clicks)
          return { ...bucket, clicks, impressions: sumOf(some, (day) => day.impressions) }
        }),
    }
  })
}

/** A page of a project in a window. */
export interface PageMetrics {
  readonly page: UrlOfProject
  readonly dateRange: DateRange
}

/**
 * The page and the window of daily metrics.
 * @param args.url is normalised like the URLs of citations
 * @throws {Fault} `invalid_argument`
 */
export function pageMetrics(scope: ProjectScope, args: WindowArgs & { url: string }): PageMetrics {
  const url = normaliseUrl(args.url.trim())
  if (url === null) throw invalid('url', 'must be an http or https URL', args.url)
  return { page: { scope, url }, dateRange: resolveWindow(args, yearWindow, scope.now) }
}
