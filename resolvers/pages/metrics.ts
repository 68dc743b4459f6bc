import { invalid } from '../../core/errors.ts'
import { domainOf, hostOf, normaliseUrl } from '../../core/sites/urls.ts'
import {
  type DateRange,
  daysOf,
  resolveWindow,
  type WindowArgs,
  yearWindow,
} from '../../core/window.ts'
import { run } from '../../warehouse/run.ts'
import { brandDomains, hasTrafficSource } from '../projects/projects.ts'
import { factParams, factsWhere } from '../shared/facts.sql.ts'
import { readFilters } from '../shared/filters.ts'
import type { ProjectScope } from '../shared/scope.ts'
import { currentSnapshot } from '../shared/snapshot.ts'
import { whereCrawls } from '../traffic/crawls.ts'
import { citationDays, clickDays, crawlDays, referralDays } from './pages.sql.ts'
import { spellingsOf } from './paths.ts'

interface PageWindow {
  readonly url: string
  readonly host: string
  readonly path: string
  readonly range: DateRange
}

/** Citations of the page, one entry per day. */
async function citationsOf(scope: ProjectScope, { url, host, range }: PageWindow) {
  const filters = await readFilters(scope, {})
  const snapshot = currentSnapshot(scope)
  const rows = await run<{ date: string; count: number }>(scope.warehouse, {
    id: 'pages.citations',
    frozen: true,
    sql: citationDays(factsWhere(filters, snapshot)),
    params: {
      ...factParams(scope.project.id, range, filters, snapshot),
      domain: domainOf(host),
      url,
    },
  })
  const counts = new Map(rows.map(({ date, count }) => [date, count]))
  return {
    available: true,
    series: daysOf(range).map((date) => ({ date, count: counts.get(date) ?? 0 })),
  }
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
  readonly date: string
  readonly botId: number
  readonly botName: string
  readonly lastMs: number
  readonly visits: number
}

async function crawlsOfPage(scope: ProjectScope, { host, path, range }: PageWindow) {
  if (!hasTrafficSource(scope.project)) return { available: false, series: [] }
  const selection = { ...range, hosts: [host], botName: null, botCategory: null, path: null }
  const { where, params } = whereCrawls([scope], selection)
  const rows = await run<CrawlRow>(scope.warehouse, {
    id: 'pages.crawls',
    sql: crawlDays(where),
    params: { ...params, pages: spellingsOf(path) },
  })
  // The crawler registry may rename a crawler: use the latest name.
  const oldestFirst = rows.toSorted((a, b) => a.lastMs - b.lastMs)
  const names = new Map(oldestFirst.map(({ botId, botName }) => [botId, botName]))
  const counts = rows.map(({ date, botId, botName, visits }) => {
    return { date, name: names.get(botId) ?? botName, n: visits }
  })
  return {
    available: true,
    series: series(range, counts).map(({ date, name, n }) => ({ date, botName: name, visits: n })),
  }
}

async function referralsOfPage(scope: ProjectScope, { host, path, range }: PageWindow) {
  if (!scope.project.connections.includes('webAnalytics')) return { available: false, series: [] }
  // Exports without hosts belong to the brand's own site.
  const isOwn = brandDomains(scope.project).includes(domainOf(host))
  const rows = await run<{ date: string; platform: string; sessions: number }>(scope.warehouse, {
    id: 'pages.referrals',
    sql: referralDays,
    params: {
      project: scope.project.id,
      ...range,
      hosts: isOwn ? [host, ''] : [host],
      pages: spellingsOf(path),
    },
  })
  const counts = rows.map(({ date, platform, sessions }) => ({ date, name: platform, n: sessions }))
  return {
    available: true,
    series: series(range, counts).map(({ date, name, n }) => {
      return { date, platform: name, sessions: n }
    }),
  }
}

interface ClickDay {
  readonly date: string
  readonly clicks: number
  readonly impressions: number
}

/** Clicks and impressions of the page in search results, one entry per day. */
async function clicksOfPage(scope: ProjectScope, { host, path, range }: PageWindow) {
  if (!scope.project.connections.includes('searchConsole')) return { available: false, series: [] }
  const rows = await run<ClickDay>(scope.warehouse, {
    id: 'pages.clicks',
    sql: clickDays,
    params: { project: scope.project.id, ...range, host, pages: spellingsOf(path) },
  })
  const byDay = new Map(rows.map((row) => [row.date, row]))
  const series = daysOf(range).map((date) => byDay.get(date) ?? { date, clicks: 0, impressions: 0 })
  return { available: true, series }
}

export type PageClicks = Awaited<ReturnType<typeof clicksOfPage>>

/**
 * Daily metrics of one page: citations, AI-referral sessions, crawls, and clicks in search results. A metric is
 * available when its source is connected; citations always are.
 * @param args.url is normalised like the URLs of citations
 * @throws {Fault} `invalid_argument`
 */
export async function pageMetrics(scope: ProjectScope, args: WindowArgs & { url: string }) {
  const url = normaliseUrl(args.url.trim())
  if (url === null) throw invalid('url', 'must be an http or https URL', args.url)
  const range = resolveWindow(args, yearWindow, scope.now)
  const selection = { url, host: hostOf(url), path: new URL(url).pathname, range }
  const [citations, referrals, crawls] = await Promise.all([
    citationsOf(scope, selection),
    referralsOfPage(scope, selection),
    crawlsOfPage(scope, selection),
  ])
  const clicks = () => clicksOfPage(scope, selection)
  return { url, citations, referrals, crawls, clicks, dateRange: range }
}

export type PageMetrics = Awaited<ReturnType<typeof pageMetrics>>
