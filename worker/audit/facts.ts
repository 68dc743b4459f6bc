import { pageKey, undressed } from '../../core/sites/cited-url.ts'
import type { Db } from '../../prisma/client.ts'
import {
  type Cited,
  citedUrls,
  crawlerHits,
  crawlerTimes,
  crawlerTotals,
  type HitRow,
  hitKey,
  importedWords,
  keyOfHit,
  platformAnswers,
  reachBy,
  rivalsByPrompt,
} from '../../resolvers/audits/facts.ts'
import { brandDomains, hasTrafficSource } from '../../resolvers/projects/projects.ts'
import type { ProjectScope } from '../../resolvers/shared/scope.ts'
import type { PageFacts, PageHits, SiteFacts, SiteHits } from '../../site/checks/facts.ts'
import type { TargetReading } from '../../site/reading.ts'
import type { KeptReading, KeptSite } from './state.ts'

const sumOf = (rows: readonly { readonly hits: number }[]) =>
  rows.reduce((sum, { hits }) => sum + hits, 0)

function newestOf(rows: readonly HitRow[]): PageHits['newest'] {
  const newest = new Map<string, HitRow>()
  for (const row of rows) {
    const before = newest.get(row.crawler)
    if (before === undefined || row.lastMs > before.lastMs) newest.set(row.crawler, row)
  }
  return [...newest.values()].map(({ crawler, status }) => ({ crawler, status }))
}

/** Facts of the stores about the pages of a site. */
export interface StoredFacts {
  readonly site: Omit<
    SiteFacts,
    'startedAt' | 'isWholeSite' | 'bots' | 'origin' | 'origins' | 'targets'
  >
  readonly reachOf: (url: string) => number
  /** The sum over all tracked pages. */
  readonly siteReach: number
  readonly ofPage: (
    url: string,
  ) => Pick<PageFacts, 'citingAnswers' | 'hits' | 'inSitemap' | 'importedWords'>
}

const mostCited = 50
const mostTop = 10
const leastTop = 5
const leastMissing = 3

async function lostTopics(scope: ProjectScope): Promise<SiteFacts['lostTopics']> {
  const { db, project } = scope
  const [rows, topics] = await Promise.all([
    rivalsByPrompt(scope),
    db.topic.findMany({
      where: { projectId: project.id },
      select: { id: true, name: true, prompts: { select: { promptId: true } } },
      orderBy: { name: 'asc' },
    }),
  ])
  const byPrompt = new Map(rows.map((row) => [row.promptId, row]))
  return topics.flatMap(({ id, name, prompts }) => {
    const found = prompts.flatMap(({ promptId }) => byPrompt.get(promptId) ?? [])
    const answers = found.reduce((sum, { rivals }) => sum + rivals, 0)
    const isLost = answers >= 5 && found.every(({ own }) => own === 0)
    return isLost ? [{ id, name, answers }] : []
  })
}

/** The own URLs that answers cite most and that are no tracked pages. */
export function citedElsewhere(cited: readonly Cited[], tracked: ReadonlySet<string>) {
  const counts = new Map<string, number>()
  for (const { url, answers } of cited) {
    if (!tracked.has(url)) counts.set(url, (counts.get(url) ?? 0) + answers)
  }
  return [...counts]
    .map(([address, answers]) => ({ address, answers }))
    .sort((a, b) => b.answers - a.answers || (a.address < b.address ? -1 : 1))
    .slice(0, mostCited)
}

/** The normalised URLs of the tracked pages. */
export async function trackedUrls(db: Db, projectId: string): Promise<Set<string>> {
  const rows = await db.page.findMany({
    where: { projectId, isTracked: true },
    select: { url: true },
  })
  return new Set(rows.map(({ url }) => url))
}

interface Hits {
  readonly rows: readonly HitRow[]
  readonly byKey: ReadonlyMap<string, readonly HitRow[]>
}

/** Answers by platform; a page that answers cite on several of its hosts has a row of each. */
function answersOf(rows: readonly { readonly platform: string; readonly answers: number }[]) {
  const found: Record<string, number> = {}
  for (const { platform, answers } of rows) found[platform] = (found[platform] ?? 0) + answers
  return found
}

async function siteHitsOf(
  scope: ProjectScope,
  { rows, byKey }: Hits,
  tracked: ReadonlySet<string>,
): Promise<SiteHits> {
  const { total, errors, oldestMs, crawlers } = await crawlerTotals(scope)
  const own = new Set(brandDomains(scope.project))
  const known = new Set([...tracked].map(hitKey))
  const isMissing = ({ status }: HitRow) => status === 404 || status === 410
  const isOwn = (host: string) => [...own].some((it) => host === it || host.endsWith(`.${it}`))
  const missing = Map.groupBy(rows.filter(isMissing), ({ host, page }) => keyOfHit(host, page))
  const top = [...tracked]
    .map((url) => ({ url, hits: sumOf(byKey.get(hitKey(url)) ?? []) }))
    .filter(({ hits }) => hits >= leastTop)
    .sort((a, b) => b.hits - a.hits || (a.url < b.url ? -1 : 1))
  return {
    total,
    errors,
    crawlers,
    oldestAt: oldestMs > 0 ? new Date(oldestMs) : null,
    topPages: top.slice(0, mostTop).map(({ url }) => url),
    missingPaths: [...missing]
      .flatMap(([key, found]) => {
        const [first] = found
        const hits = sumOf(found)
        const isCounted = hits >= leastMissing && !known.has(key)
        if (first === undefined || !isCounted || !isOwn(first.host)) return []
        return [{ address: `https://${first.host}${first.page}`, hits }]
      })
      .sort((a, b) => b.hits - a.hits || (a.address < b.address ? -1 : 1)),
  }
}

/** Reads the facts of the stores for the pages of an audit. */
export async function storedFacts(
  scope: ProjectScope,
  urls: readonly string[],
  kept: KeptSite,
  statusOf: (address: string) => number | null,
): Promise<StoredFacts> {
  const { db, project } = scope
  const projectId = project.id
  const [cited, answers, rows, times, words, tracked, topics, sitemap, catalog] = await Promise.all(
    [
      citedUrls(scope),
      platformAnswers(scope),
      crawlerHits(scope),
      crawlerTimes(scope),
      importedWords(scope, urls),
      trackedUrls(db, projectId),
      lostTopics(scope),
      db.sitemapUrl.findMany({ where: { projectId }, select: { url: true, lastModified: true } }),
      db.project.findUniqueOrThrow({
        where: { id: projectId },
        select: { sitemapError: true },
      }),
    ],
  )
  const byKey = Map.groupBy(rows, ({ host, page }) => keyOfHit(host, page))
  const timeOf = new Map(times.map((row) => [keyOfHit(row.host, row.page), row]))
  const citedBy = Map.groupBy(cited, ({ url }) => pageKey(url))
  const inSitemap = new Set(sitemap.map(({ url }) => pageKey(url)))
  const hasTraffic = hasTrafficSource(project)
  const hitsOf = (url: string): PageHits => {
    const found = byKey.get(hitKey(url)) ?? []
    const time = timeOf.get(hitKey(url))
    return {
      byCrawler: found.map(({ crawler, status, hits }) => ({ crawler, status, hits })),
      newest: newestOf(found),
      timed: time?.timed ?? 0,
      medianMs: time?.medianMs ?? null,
    }
  }
  const reachOf = reachBy(cited, rows)
  const files = kept.sitemaps ?? []
  const { sitemapError } = catalog
  // Also beside sitemaps that could be read.
  const isOwnFault = sitemapError !== null && sitemapError !== 'internal'
  return {
    reachOf,
    siteReach: [...tracked].reduce((sum, url) => sum + reachOf(url), 0),
    ofPage: (url) => ({
      citingAnswers: answersOf(citedBy.get(pageKey(url)) ?? []),
      hits: hasTraffic ? hitsOf(url) : null,
      inSitemap: inSitemap.has(pageKey(url)),
      importedWords: words.get(undressed(url)) ?? null,
    }),
    site: {
      ownDomains: brandDomains(project),
      answers: Object.fromEntries(answers.map((row) => [row.platform, row.answers])),
      sitemap: {
        urls: sitemap.length,
        withoutLastmod: sitemap.filter(({ lastModified }) => lastModified === null).length,
        address: files.find(({ isNamed }) => isNamed)?.address ?? null,
        refreshFault: isOwnFault ? sitemapError : null,
        files,
      },
      hits: hasTraffic ? await siteHitsOf(scope, { rows, byKey }, tracked) : null,
      lostTopics: topics,
      citedUrls: citedElsewhere(cited, tracked).map(({ address, answers: n }) => {
        return { address, answers: n, status: statusOf(address) }
      }),
    },
  }
}

/** Pages of an audit with their facts. */
export function pageFacts(
  pages: readonly { readonly pageId: string; readonly url: string; readonly reading: unknown }[],
  stored: StoredFacts,
): PageFacts[] {
  return pages.flatMap(({ pageId, url, reading: kept }) => {
    if (kept === null) return []
    const { reading, document } = kept as KeptReading
    return [{ pageId, url, reading, document, ...stored.ofPage(url) }]
  })
}

/** The status that a link target answered with; null where nothing answered. */
export function statusOfTarget({ outcome }: TargetReading): number | null {
  return outcome.kind === 'answered' ? outcome.status : null
}
