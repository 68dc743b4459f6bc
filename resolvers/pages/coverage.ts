import { share } from '../../core/metrics.ts'
import { type PageArgs, pagination } from '../../core/pagination.ts'
import { run } from '../../warehouse/run.ts'
import type { ProjectScope } from '../shared/scope.ts'
import { resolveCrawls, type TrafficArgs, whereCrawls } from '../traffic/crawls.ts'
import { crawledPages, lastCrawls, sitemapBeside } from './pages.sql.ts'
import { encodedPath, spellingsOf } from './paths.ts'

interface SitemapUrl {
  readonly url: string
  readonly host: string
  readonly path: string
}

interface Beside {
  readonly sitemapUrls: number
  readonly crawledUrls: number
  readonly uncrawled: readonly SitemapUrl[]
}

interface CrawledPage {
  readonly host: string
  readonly page: string
}

const keyOf = (host: string, path: string) => `${host}${encodedPath(path)}`

/** Time of the last crawl of each URL, up to `to`. */
async function lastCrawlsOf(scope: ProjectScope, urls: readonly SitemapUrl[], to: string) {
  if (urls.length === 0) return new Map<string, number>()
  const rows = await run<CrawledPage & { lastMs: number }>(scope.warehouse, {
    id: 'pages.last-crawls',
    sql: lastCrawls,
    params: {
      project: scope.project.id,
      to,
      hosts: [...new Set(urls.map(({ host }) => host))],
      pages: [...new Set(urls.flatMap(({ path }) => spellingsOf(path)))],
    },
  })
  const last = new Map<string, number>()
  for (const { host, page, lastMs } of rows) {
    const key = keyOf(host, page)
    last.set(key, Math.max(lastMs, last.get(key) ?? 0))
  }
  return last
}

/**
 * The share of sitemap URLs that AI crawlers requested in the window, and a page of the other URLs, by URL. Crawls
 * match by host and path: URLs that differ only in their query share their crawls.
 * @throws {Fault} `invalid_argument`, `traffic_not_connected`
 */
export async function sitemapCoverage(scope: ProjectScope, args: TrafficArgs & PageArgs) {
  const { limit, offset } = args
  const selection = resolveCrawls(scope, args)
  const { where, params } = whereCrawls([scope], selection)
  const crawled = await run<CrawledPage>(scope.warehouse, {
    id: 'pages.crawled',
    sql: crawledPages(where),
    params,
  })
  // Two spellings of a path are one page.
  const pages = new Map(
    crawled.map(({ host, page }) => [keyOf(host, page), [host, encodedPath(page)] as const]),
  )
  const [found] = await scope.db.$queryRawUnsafe<Beside[]>(
    sitemapBeside,
    scope.project.id,
    [...pages.values()].map(([host]) => host),
    [...pages.values()].map(([, path]) => path),
    selection.hosts,
    limit,
    offset,
  )
  const { sitemapUrls = 0, crawledUrls = 0, uncrawled = [] } = found ?? {}
  const lastOf = await lastCrawlsOf(scope, uncrawled, selection.to)
  return {
    scope,
    summary: { sitemapUrls, crawledUrls, coverage: share(crawledUrls, sitemapUrls) },
    uncrawled: uncrawled.map(({ url, host, path }) => {
      const lastMs = lastOf.get(keyOf(host, path))
      const { id: projectId } = scope.project
      return { projectId, url, path, lastCrawledAt: lastMs === undefined ? null : new Date(lastMs) }
    }),
    pagination: pagination({ limit, offset }, uncrawled.length, sitemapUrls - crawledUrls),
    dateRange: { from: selection.from, to: selection.to },
  }
}

export type SitemapCoverage = Awaited<ReturnType<typeof sitemapCoverage>>
