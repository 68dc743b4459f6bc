import { builtinBots } from '../../../core/bots/bots.ts'
import type { PageFacts, PageHits, SiteFacts } from '../../../crawler/checks/facts.ts'
import { type CaseFacts, cases, site } from './cases.ts'
import { type AuditSite, caseAt, sitemapAddresses } from './site.ts'

/** Facts of answers, hits and texts for the planted site, as if they were imported. */

const day = 24 * 60 * 60 * 1000

/** Visible answers of the project. Perplexity's crawlers never come. */
const answers = { claude: 20, perplexity: 40 }

/** AI hits beside those of the pages. */
const otherHits = [
  { address: `${site}/gone`, status: 404, hits: 3 },
  { address: `${site}/fails`, status: 500, hits: 25 },
]

const isOpen = (state: AuditSite, path: string) =>
  !state.mended.has('all') && !state.mended.has(path)

const usual: NonNullable<CaseFacts['hits']> = [['GPTBot', 200, 1]]

function hitsAt(state: AuditSite, address: string): NonNullable<CaseFacts['hits']> {
  const found = caseAt(address)
  return (found !== undefined && isOpen(state, found.path) ? found.hits : undefined) ?? usual
}

function pageHits(rows: NonNullable<CaseFacts['hits']>): PageHits {
  const timed = rows.filter(([, , , ms]) => ms !== undefined)
  return {
    byCrawler: rows.map(([crawler, status, hits]) => ({ crawler, status, hits })),
    newest: [...new Map(rows.map(([crawler, status]) => [crawler, { crawler, status }])).values()],
    timed: timed.reduce((sum, [, , hits]) => sum + hits, 0),
    medianMs: timed[0]?.[3] ?? null,
  }
}

/** The facts of a page beside its reading. */
export function factsAt(state: AuditSite, address: string, withFacts: boolean) {
  const found = caseAt(address)
  const isPlanted = found !== undefined && isOpen(state, found.path)
  return {
    inSitemap: sitemapAddresses(state).includes(address),
    citingAnswers: withFacts ? (found?.cited ?? {}) : {},
    hits: withFacts ? pageHits(hitsAt(state, address)) : null,
    importedWords: withFacts && isPlanted ? (found.importedWords ?? null) : null,
  } satisfies Partial<PageFacts>
}

/** The facts of the site beside those of its origins and targets. */
export function siteFactsOf(state: AuditSite, addresses: readonly string[], withFacts: boolean) {
  const counts = addresses.map((address) => ({
    url: address.replace('http:', 'https:'),
    hits: hitsAt(state, address).reduce((sum, [, , hits]) => sum + hits, 0),
  }))
  const total = [...counts, ...otherHits].reduce((sum, { hits }) => sum + hits, 0)
  const isPlanted = isOpen(state, site)
  const startedAt = new Date('2026-06-15T12:00:00Z')
  const hasTopic = cases.some(
    ({ faults, path }) => faults.includes('competitor-cited-for-own-topic') && isOpen(state, path),
  )
  return {
    startedAt,
    isWholeSite: true,
    ownDomains: ['shop.test'],
    bots: builtinBots.bots,
    answers: withFacts && isPlanted ? answers : {},
    origin: site,
    hits: withFacts
      ? {
          total,
          errors: isPlanted ? 25 : 0,
          oldestAt: new Date(startedAt.getTime() - 30 * day),
          crawlers: ['GPTBot', 'ClaudeBot'],
          topPages: counts.filter(({ hits }) => hits >= 5).map(({ url }) => url),
          missingPaths: isPlanted ? [{ address: `${site}/gone`, hits: 3 }] : [],
        }
      : null,
    lostTopics: withFacts && hasTopic ? [{ id: 'topic', name: 'Trail running', answers: 6 }] : [],
    citedUrls: withFacts && isPlanted ? [{ address: `${site}/gone`, answers: 2, status: 404 }] : [],
  } satisfies Omit<SiteFacts, 'origins' | 'targets' | 'sitemap'>
}
