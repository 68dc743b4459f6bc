import { blockedCrawlers, hasNoStructuredData } from './ai-readiness.ts'
import type { PageHits } from './facts.ts'
import { type Conditions, type Outcome, when } from './finding.ts'
import {
  hitsOf,
  isArticleLike,
  isNoindex,
  otherCanonical,
  type ReadContext,
} from './site-context.ts'

const day = 24 * 60 * 60 * 1000

/** A finding of a cited page, whose count is its citing answers. */
const cited = ({ citing }: ReadContext, holds: boolean, evidence = {}) =>
  when(citing > 0 && holds, {
    n: citing,
    ...(Object.keys(evidence).length > 0 ? { evidence: [evidence] } : {}),
  })

/** Decides by AI hits, which are known only where a traffic source is connected. */
function byHits(
  { page }: ReadContext,
  decide: (hits: PageHits, total: number) => Outcome,
): Outcome {
  return page.hits === null ? undefined : decide(page.hits, hitsOf(page))
}

/** Half or more of the AI hits got one of the statuses. */
function mostGot(context: ReadContext, least: { hits: number; of: number }, statuses: Set<number>) {
  return byHits(context, ({ byCrawler }, total) => {
    const rows = byCrawler.filter(({ status }) => statuses.has(status))
    const n = rows.reduce((sum, { hits }) => sum + hits, 0)
    return when(n >= least.hits && total >= least.of && 2 * n >= total, {
      n,
      evidence: rows
        .toSorted((a, b) => b.hits - a.hits || (a.crawler < b.crawler ? -1 : 1))
        .map(({ crawler, status, hits }) => ({ crawler, status, count: hits })),
    })
  })
}

const refusals = new Set([401, 403, 406, 429, 503])
/** Not 304, which confirms that the crawler has the page. */
const redirects = new Set([300, 301, 302, 303, 307, 308])

/** Checks that use answers and AI hits, of a page that was read. */
export const readConditions: Conditions<ReadContext> = {
  'cited-page-404-to-crawlers': (context) =>
    byHits(context, ({ newest }) => {
      const missing = newest.filter(({ status }) => status === 404 || status === 410)
      return when(context.citing > 0 && missing.length > 0, {
        n: context.citing,
        evidence: missing.map(({ crawler, status }) => ({ crawler, status })),
      })
    }),
  'cited-page-noindex': (context) => cited(context, isNoindex(context)),
  'cited-url-not-canonical': (context) => {
    const other = otherCanonical(context)
    return cited(context, other?.leads === 'elsewhere', { address: other?.address })
  },
  'crawlers-refused': (context) => mostGot(context, { hits: 3, of: 3 }, refusals),
  'crawlers-redirected': (context) =>
    context.page.reading.hops.length > 0
      ? byHits(context, () => null)
      : mostGot(context, { hits: 1, of: 5 }, redirects),
  'slow-for-crawlers': (context) =>
    byHits(context, ({ timed, medianMs }) =>
      when(timed >= 5 && medianMs !== null && medianMs > 2000, {
        n: Math.round(medianMs ?? 0),
        evidence: [{ count: timed }],
      }),
    ),
}

/** Answers of platforms that cite the page though robots.txt forbids it to their crawlers. */
function citedThoughBlocked(context: ReadContext): Outcome {
  const blocked = blockedCrawlers(context)
  const platforms = Object.entries(context.page.citingAnswers).flatMap(([platform, answers]) => {
    const crawlers = blocked.filter(({ platforms }) => platforms.includes(platform))
    return answers > 0 && crawlers.length > 0 ? [{ platform, answers, crawlers }] : []
  })
  const evidence = platforms.flatMap(({ platform, answers, crawlers }) =>
    crawlers.map(({ name, line }) => ({
      crawler: name,
      platform,
      count: answers,
      ...(line === null ? {} : { line }),
    })),
  )
  const n = platforms.reduce((sum, { answers }) => sum + answers, 0)
  return when(n > 0, { n, evidence })
}

/** Checks that use answers, AI hits and imported texts, of an indexable page. */
export const indexableConditions: Conditions<ReadContext> = {
  'cited-page-blocked': citedThoughBlocked,
  'cited-page-without-structured-data': (context) => cited(context, hasNoStructuredData(context)),
  'cited-page-stale': (context) => {
    const { newestDate } = context.document
    const oldest = new Date(context.site.facts.startedAt.getTime() - 365 * day)
    const isStale = newestDate !== null && newestDate < oldest.toISOString().slice(0, 10)
    return cited(context, isArticleLike(context) && isStale, { text: newestDate ?? '' })
  },
  'cited-page-not-in-sitemap': (context) =>
    cited(context, context.site.facts.sitemap.urls > 0 && !context.page.inSitemap),
  'top-crawled-page-without-date': (context) =>
    byHits(context, (_, total) => {
      const isTop = context.site.facts.hits?.topPages.includes(context.page.url) ?? false
      const isDated = context.document.newestDate !== null || context.answer.lastModified !== null
      return when(isTop && total >= 5 && !isDated, { n: total })
    }),
  'not-crawled-by-ai': (context) =>
    byHits(context, (_, total) => {
      const { hits, startedAt } = context.site.facts
      const isOld = (hits?.oldestAt?.getTime() ?? Infinity) <= startedAt.getTime() - 30 * day
      const isUsual = hits !== null && hits.total >= 100 && isOld
      return when(isUsual && context.page.inSitemap && total === 0)
    }),
  'content-partly-needs-javascript': ({ page: { importedWords }, document: { mainWords } }) =>
    when(importedWords !== null && importedWords >= 100 && 2 * mainWords < importedWords, {
      n: (importedWords ?? 0) - mainWords,
      evidence: [{ text: `${mainWords} of ${importedWords} words` }],
    }),
}
