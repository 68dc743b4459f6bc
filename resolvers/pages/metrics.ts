import { invalid } from '../../core/errors.ts'
import { citedUrl } from '../../core/sites/cited-url.ts'
import { domainOf, hostOf, normaliseUrl } from '../../core/sites/urls.ts'
import {
  type DateRange,
  daysOf,
  resolveWindow,
  type WindowArgs,
  yearWindow,
} from '../../core/window.ts'
import { run } from '../../warehouse/run.ts'
import { brandDomains, hasTrafficSource, type ProjectRecord } from '../projects/projects.ts'
import { manyFactParams, manyFactsWhere } from '../shared/facts.sql.ts'
import { allRows, rowsOfMany } from '../shared/many.ts'
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

/** Citations of pages, one entry per day. */
export async function citationsOfPages(pages: readonly UrlOfProject[], range: DateRange) {
  const [first] = pages
  if (first === undefined) return []
  const urls = [...new Set(pages.map(({ url }) => citedUrl(url) ?? url))]
  const domains = [...new Set(urls.map((url) => domainOf(hostOf(url))))]
  type Row = { projectId: string; url: string; date: string; count: number }
  const found = await rowsOfMany<Row>(scopesOf(pages), {}, ({ filters, scopes }) =>
    run<Row>(first.scope.warehouse, {
      id: 'pages.citations',
      frozen: true,
      sql: citationDays(manyFactsWhere(filters, scopes)),
      params: { ...manyFactParams(scopes, range, filters), domains, urls },
    }),
  )
  const rows = allRows(found)
  const counts = new Map(rows.map((row) => [keyOf(row.projectId, row.date, row.url), row.count]))
  return pages.map(({ scope, url }) => ({
    available: true,
    series: daysOf(range).map((date) => {
      const cited = citedUrl(url) ?? url
      return { date, count: counts.get(keyOf(scope.project.id, date, cited)) ?? 0 }
    }),
  }))
}

/** One entry per day and name, for each name with a count. */
function series(range: DateRange, counts: readonly { date: string; name: string; n: number }[]) {
  const names = [...new Set(counts.map(({ name }) => name))].sort()
  const byKey = new Map<string, number>()
  for (const { date, name, n } of counts) {
    const key = `${date} ${name}`
    byKey.set(key, (byKey.get(key) ?? 0) + n)
  }
  return daysOf(range).flatMap((date) =>
    names.map((name) => ({ date, name, n: byKey.get(`${date} ${name}`) ?? 0 })),
  )
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
export async function crawlsOfPages(pages: readonly UrlOfProject[], range: DateRange) {
  const connected = pages.filter(({ scope }) => hasTrafficSource(scope.project))
  const [first] = connected
  if (first === undefined) return pages.map(() => ({ available: false, series: [] }))
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
    const found = byPage.get(keyOf(project.id, hostOf(page.url), pathOf(page))) ?? []
    return {
      available: hasTrafficSource(project),
      series: series(range, countsByCrawler(found)).map(({ date, name, n }) => {
        return { date, botName: name, visits: n }
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
export async function referralsOfPages(pages: readonly UrlOfProject[], range: DateRange) {
  const connected = pages.filter(({ scope }) => hasAnalytics(scope.project))
  const [first] = connected
  if (first === undefined) return pages.map(() => ({ available: false, series: [] }))
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
      series: series(range, counts).map(({ date, name, n }) => {
        return { date, platform: name, sessions: n }
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
export async function clicksOfPages(pages: readonly UrlOfProject[], range: DateRange) {
  const connected = pages.filter(({ scope }) => hasSearchConsole(scope.project))
  const [first] = connected
  if (first === undefined) return pages.map(() => ({ available: false, series: [] }))
  const rows = await run<ClickRow>(first.scope.warehouse, {
    id: 'pages.clicks',
    sql: clickDays,
    params: {
      projects: scopesOf(connected).map(({ project }) => project.id),
      ...range,
      ...placesOf(connected),
    },
  })
  const byKey = Map.groupBy(rows, ({ projectId, host, path, date }) =>
    keyOf(projectId, host, encodedPath(path), date),
  )
  return pages.map((page) => {
    const { project } = page.scope
    if (!hasSearchConsole(project)) return { available: false, series: [] }
    const place = [project.id, hostOf(page.url), pathOf(page)]
    return {
      available: true,
      series: daysOf(range).map((date) => {
        const found = byKey.get(keyOf(...place, date)) ?? []
        const sum = (name: 'clicks' | 'impressions') =>
          found.reduce((total, row) => total + row[name], 0)
        return { date, clicks: sum('clicks'), impressions: sum('impressions') }
      }),
    }
  })
}

type Part<Read extends (...args: never[]) => Promise<readonly unknown[]>> = Awaited<
  ReturnType<Read>
>[number]

export type PageCitations = Part<typeof citationsOfPages>
export type PageCrawls = Part<typeof crawlsOfPages>
export type PageReferrals = Part<typeof referralsOfPages>
export type PageClicks = Part<typeof clicksOfPages>

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
