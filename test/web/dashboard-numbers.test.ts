import { beforeEach, describe, expect, test } from 'vitest'
import {
  AiTrafficDocument,
  CompetitorDocument,
  CrawlerPagesDocument,
  DataCollectionDocument,
  DomainDocument,
  HeadlineDocument,
  PromptDocument,
  SearchesDocument,
  SourcePageDocument,
  SourcesDocument,
} from '../../dashboard/documents.ts'
import { dataCollection } from '../../dashboard/texts/english/data-collection.ts'
import { count, shown } from '../../web/share/numbers.ts'
import { useApi } from '../kit/api.ts'
import { lacksChromium, useBrowser } from '../kit/web/browser.ts'
import { csvOf } from './dashboard-page.ts'
import { percent, useDemoPages } from './demo-pages.ts'

const api = useApi()
const browser = useBrowser()
const { demo, open, asked, keys } = useDemoPages(api, browser)

const score = (value: number | null | undefined) => shown(value ?? null, 'score')
const position = (value: number | null | undefined) => shown(value ?? null, 'position')

type Figures = Readonly<Record<string, string>>

const overview = async (): Promise<Figures> => {
  const { visibility, shareOfVoice, sentiment } = (await asked(HeadlineDocument)).project ?? {}
  const { metrics } = visibility?.summary ?? {}
  const voices = (shareOfVoice?.nodes ?? []).toSorted(
    (a, b) => (b.metrics.shareOfVoice.value ?? 0) - (a.metrics.shareOfVoice.value ?? 0),
  )
  const rank = voices.findIndex(({ brand }) => brand.isOwn) + 1
  return {
    Visibility: percent(metrics?.visibilityScore.value),
    'Share of voice': `#${rank} of ${voices.length}`,
    Sentiment: score(sentiment?.summary.metrics.score.value),
    'Average position': position(metrics?.averagePosition.value),
  }
}

const aiTraffic = async (): Promise<Figures> => {
  const { trafficOverview, sitemapCoverage } = (await asked(AiTrafficDocument)).project ?? {}
  const { total = 0, byStatus = [] } = trafficOverview?.crawlers ?? {}
  const failed = byStatus
    .filter(({ statusCode }) => statusCode >= 400)
    .reduce((sum, { visits }) => sum + visits, 0)
  return {
    'Crawler visits': count(total),
    'AI referrals': count(trafficOverview?.referrals.total ?? 0),
    'Sitemap crawled': percent(sitemapCoverage?.summary.coverageRate),
    'Errors for crawlers': percent((100 * failed) / total),
  }
}

const authority = async (): Promise<Figures> => {
  const { latest } = (await asked(SourcesDocument)).project?.domainAuthority ?? {}
  return { 'Domain authority': score(latest?.score) }
}

const domain = async (name: string): Promise<Figures> => {
  const found = (await asked(DomainDocument, { domain: name })).project?.sourceDomain
  return {
    'Cited in': percent(found?.metrics.citationRate.value),
    Citations: count(found?.citationCount ?? 0),
  }
}

const crawler = async (name: string): Promise<Figures> => {
  const found = (await asked(CrawlerPagesDocument, { name })).project?.crawler
  return {
    'Crawler visits': count(found?.visits ?? 0),
    Pages: count(found?.paths ?? 0),
    Verified: count(found?.verification?.verified ?? 0),
    Spoofed: count(found?.verification?.impostor ?? 0),
  }
}

const searches = async (): Promise<Figures> => {
  const { summary, topQueries = [] } = (await asked(SearchesDocument)).project?.queryFanout ?? {}
  return {
    Searches: count(summary?.queryCount ?? 0),
    'Searches per answer': position(summary?.queriesPerAnswer),
    'Without a page of yours': count(topQueries.filter(({ page }) => page === null).length),
  }
}

const spending = async (): Promise<Figures> => {
  const found = (await asked(DataCollectionDocument)).project?.spending
  return {
    Today: dataCollection.money(found?.today ?? 0),
    'This month': dataCollection.money(found?.thisMonth ?? 0),
  }
}

describe.skipIf(lacksChromium)('every headline number is that of the graph', () => {
  const some = { brand: '', prompt: '', url: '' }
  beforeEach(async () => {
    const query = `query($project: ID!) { project(id: $project) {
      competitors(first: 1) { nodes { id } } prompts(first: 1) { nodes { id } }
      sourceUrls(window: { from: "2025-06-01", to: "2025-06-30" }, first: 1) { nodes { url } }
    } }`
    const { data } = await (await api.graphql(query, keys.test, { project: demo })).json()
    const { competitors, prompts, sourceUrls } = data.project
    some.brand = competitors.nodes[0].id
    some.prompt = prompts.nodes[0].id
    some.url = sourceUrls.nodes[0].url
  })

  const prompt = async (): Promise<Figures> => {
    const found = await asked(PromptDocument, { prompt: some.prompt, interval: 'day' })
    const { metrics } = found.project?.prompt?.visibility?.summary ?? {}
    return { Visibility: percent(metrics?.visibilityScore.value) }
  }
  const competitor = async (): Promise<Figures> => {
    const wins = { competitorIds: [some.brand], results: ['lost'] }
    const found = await asked(CompetitorDocument, { brand: some.brand, interval: 'day', wins })
    const { visibility, sentiment } = found.project?.competitor ?? {}
    return {
      Visibility: percent(visibility?.metrics.visibilityScore.value),
      Sentiment: score(sentiment?.metrics.score.value),
      'Average position': position(visibility?.metrics.averagePosition.value),
    }
  }
  const sourcePage = async (): Promise<Figures> => {
    const found = await asked(SourcePageDocument, { url: some.url })
    return { 'Cited in': percent(found.project?.sourceUrl?.metrics.citationRate.value) }
  }

  test.each<[page: string, path: () => string, expected: () => Promise<Figures>]>([
    ['overview', () => 'overview', overview],
    ['prompt', () => `prompts/${some.prompt}`, prompt],
    ['competitor', () => `competitors/${some.brand}`, competitor],
    ['sources', () => 'sources', authority],
    ['domain', () => 'sources/rtings.com', () => domain('rtings.com')],
    ['source page', () => `sources/${encodeURIComponent(some.url)}`, sourcePage],
    ['AI traffic', () => 'ai-traffic', aiTraffic],
    ['crawler', () => 'ai-traffic/GPTBot', () => crawler('GPTBot')],
    ['searches', () => 'prompts?list=searches', searches],
    ['data collection', () => 'data-collection', spending],
  ])('%s', async (_name, path, expected) => {
    const { page } = await open(path())
    const figures = page.locator('li.figure:has(.figure-value)')
    await figures.first().waitFor()
    const read = () =>
      figures.evaluateAll((cards) =>
        Object.fromEntries(
          cards.map((card) => [
            card.getAttribute('aria-label'),
            card.querySelector('.figure-value')?.textContent,
          ]),
        ),
      )
    const wanted = await expected()
    expect(Object.values(wanted)).not.toContain('')
    await expect.poll(read).toEqual(wanted)
  })
})

describe.skipIf(lacksChromium)('a file has every row that the graph counts', () => {
  const window = '(window: { from: "2025-06-01", to: "2025-06-30" }'
  test.each<[page: string, tables: Readonly<Record<string, string>>]>([
    ['prompts', { Prompts: `promptResults${window}) { totalCount }` }],
    [
      'sources',
      {
        Domains: `sourceDomains${window}) { totalCount }`,
        Pages: `sourceUrls${window}) { totalCount }`,
        'Sources to win': `domainsToWin${window}) { totalCount }`,
      },
    ],
    [
      'competitors',
      {
        Brands: `brands${window}) { totalCount }`,
        'Products in answers': `shopping${window}) { totalCount }`,
        Advertisers: `advertisers${window}) { totalCount }`,
        Ads: `ads${window}) { totalCount }`,
      },
    ],
    [
      'ai-traffic',
      {
        Crawlers: `crawlers${window}) { totalCount }`,
        'Pages: crawled, cited, visited': `trafficCorrelation${window}, groupBy: path) { totalCount }`,
        'Sitemap pages that no crawler visited': `sitemapCoverage${window}) { totalCount }`,
        'Google queries': `searchQueries${window}) { totalCount }`,
        'Pages in Google results': `searchPages${window}) { totalCount }`,
      },
    ],
    ['site-audit', { Audits: 'audits { totalCount }' }],
  ])('%s', async (path, tables) => {
    const { page, faults } = await open(path)
    await page.locator('main table').first().waitFor()
    // What is below is asked when a reader comes near.
    await page.evaluate('scrollTo(0, document.body.scrollHeight)')
    const saved: Record<string, number> = {}
    const counted: Record<string, number> = {}
    for (const [table, field] of Object.entries(tables)) {
      const query = `query($project: ID!) { project(id: $project) { list: ${field} } }`
      const { data, errors } = await (await api.graphql(query, keys.test, { project: demo })).json()
      expect(errors).toBeUndefined()
      counted[table] = data.project.list.totalCount
      saved[table] = (await csvOf(page, table)).lines.length
    }
    expect(saved).toEqual(counted)
    expect(Math.min(...Object.values(counted))).toBeGreaterThan(0)
    expect(faults).toEqual([])
  })
})
