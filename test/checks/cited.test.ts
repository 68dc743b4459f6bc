import { describe, expect, test } from 'vitest'
import type { PageFacts, PageHits, SiteFacts, SiteHits } from '../../site/checks/facts.ts'
import {
  faultsOf,
  judgeFirst,
  origin,
  readPage,
  robotsOf,
  siteFacts,
  soundHead,
  soundRobots,
  startedAt,
  words,
} from './facts.ts'

const day = 24 * 60 * 60 * 1000
const url = `${origin}/plain`
const cited = { citingAnswers: { claude: 2, you: 1 } }

const hitsOf = (rows: [crawler: string, status: number, hits: number][], more = {}): PageHits => ({
  byCrawler: rows.map(([crawler, status, hits]) => ({ crawler, status, hits })),
  newest: [],
  timed: 0,
  medianMs: null,
  ...more,
})
const siteHits = (parts: Partial<SiteHits> = {}): SiteHits => ({
  total: 99,
  errors: 0,
  oldestAt: startedAt,
  crawlers: [],
  topPages: [],
  missingPaths: [],
  ...parts,
})
const page = (facts: Partial<PageFacts>) => readPage({}, facts)
const byHits = (hits: PageHits, facts: Partial<PageFacts> = {}, site: Partial<SiteHits> = {}) =>
  faultsOf([page({ hits, ...facts })], { hits: siteHits(site) })

describe('a cited page', () => {
  test('with noindex, of another canonical or outside the sitemap replaces the plain checks', () => {
    const noindex = readPage({ head: `${soundHead(url)}<meta name=robots content=none>` }, cited)
    const verdict = judgeFirst([noindex])
    expect(verdict.findings).toMatchObject([{ check: 'cited-page-noindex', affectedCount: 3 }])
    expect(verdict.superseded).toEqual(['noindex', 'noindex-in-sitemap'])
    expect(verdict.alsoFailed).toEqual(['noindex-in-sitemap'])
    const outside = faultsOf([page({ ...cited, inSitemap: false })])
    expect(outside).toEqual(['cited-page-without-structured-data', 'cited-page-not-in-sitemap'])
    const elsewhere = readPage({ head: soundHead(`${origin}/other`) }, cited)
    expect(judgeFirst([elsewhere])).toMatchObject({
      findings: [{ check: 'cited-url-not-canonical' }],
      superseded: ['canonical-elsewhere'],
      standing: 'elsewhere',
    })
  })

  test('without structured data is a fault of any kind of page', () => {
    expect(faultsOf([page(cited)])).toEqual(['cited-page-without-structured-data'])
    const body = `<main itemscope itemtype="https://schema.org/Thing"><h1>Acme</h1>${words(60)}</main>`
    expect(faultsOf([readPage({ body }, cited)])).toEqual([])
  })

  test('that robots.txt forbids to the crawlers of its platforms counts their answers', () => {
    const site = (name: string) => {
      const text = `${soundRobots}User-agent: ${name}\nDisallow: /plain\n`
      const origins = siteFacts().origins.map((facts) => ({ ...facts, robots: robotsOf(text) }))
      const facts = page({ citingAnswers: { claude: 2, gemini: 5 } })
      const { findings } = judgeFirst([facts], { origins })
      return findings.map(({ check, affectedCount }) => [check, affectedCount])
    }
    const bare = ['cited-page-without-structured-data', 7]
    expect(site('Claude-User')).toEqual([['cited-page-blocked', 2], bare])
    expect(site('Googlebot')).toEqual([['cited-page-blocked', 5], bare])
    expect(site('PerplexityBot')).toEqual([['ai-bots-blocked-page', 1], bare])
  })

  test.each([
    ['2025-06-15', []],
    ['2025-06-14', ['cited-page-stale']],
  ])('of %s, audited on 2026-06-15, has the faults %j', (date, faults) => {
    const address = `${origin}/blog/shoe`
    const body =
      `<main itemscope itemtype="https://schema.org/Article"><h1>Acme</h1>${words(210)}` +
      `<a rel=author>Me</a><time datetime=${date}></time></main>`
    expect(faultsOf([readPage({ url: address, head: soundHead(address), body }, cited)])).toEqual(
      faults,
    )
    expect(faultsOf([readPage({ url: address, head: soundHead(address), body })])).toEqual([])
  })

  test('whose newest hit of some crawler got 404 differs for crawlers', () => {
    const newest = [
      { crawler: 'GPTBot', status: 200 },
      { crawler: 'ClaudeBot', status: 404 },
    ]
    const hits = hitsOf([['ClaudeBot', 404, 1]], { newest })
    expect(byHits(hits, cited)).toContain('cited-page-404-to-crawlers')
    expect(byHits(hits)).toEqual([])
    expect(byHits({ ...hits, newest: newest.slice(0, 1) }, cited)).not.toContain(
      'cited-page-404-to-crawlers',
    )
  })
})

describe('AI hits of a page', () => {
  test.each([
    [3, 3, ['crawlers-refused']],
    [3, 4, []],
    [2, 0, []],
  ])('%i refused and %i answered are the faults %j', (refused, answered, faults) => {
    expect(
      byHits(
        hitsOf([
          ['ClaudeBot', 403, refused],
          ['GPTBot', 200, answered],
        ]),
      ),
    ).toEqual(faults)
  })

  test.each([
    [3, 2, ['crawlers-redirected']],
    [3, 3, ['crawlers-redirected']],
    [3, 4, []],
    [4, 0, []],
  ])('%i redirected and %i answered are the faults %j', (redirected, answered, faults) => {
    expect(
      byHits(
        hitsOf([
          ['GPTBot', 301, redirected],
          ['GPTBot', 200, answered],
        ]),
      ),
    ).toEqual(faults)
    expect(
      byHits(
        hitsOf([
          ['GPTBot', 304, redirected],
          ['GPTBot', 200, answered],
        ]),
      ),
    ).toEqual([])
  })

  test.each([
    [5, 2001, ['slow-for-crawlers']],
    [5, 2000, []],
    [4, 2001, []],
  ])('%i timed with a median of %i ms are the faults %j', (timed, medianMs, faults) => {
    expect(byHits(hitsOf([['GPTBot', 200, 5]], { timed, medianMs }))).toEqual(faults)
  })

  test('that are slow replace the slow response to us', () => {
    const hits = hitsOf([['GPTBot', 200, 5]], { timed: 5, medianMs: 3000 })
    const slow = readPage({ answer: { firstByteMs: [1600, 1700] } }, { hits })
    expect(faultsOf([slow], { hits: siteHits() })).toEqual(['slow-for-crawlers'])
  })

  test('make a page one of the most crawled, which needs a date', () => {
    const hits = hitsOf([['GPTBot', 200, 5]])
    const top = { topPages: [url] }
    expect(byHits(hits, {}, top)).toEqual(['top-crawled-page-without-date'])
    expect(byHits(hits)).toEqual([])
    expect(byHits(hitsOf([['GPTBot', 200, 4]]), {}, top)).toEqual([])
    const dated = readPage({ answer: { lastModified: 'Mon, 01 Jun 2026 00:00:00 GMT' } }, { hits })
    expect(faultsOf([dated], { hits: siteHits(top) })).toEqual([])
  })

  test('are missing where crawlers read the rest of the site', () => {
    const none = hitsOf([])
    const usual = { total: 100, oldestAt: new Date(startedAt.getTime() - 30 * day) }
    expect(byHits(none, {}, usual)).toEqual(['not-crawled-by-ai'])
    expect(byHits(none, {}, { ...usual, total: 99 })).toEqual([])
    expect(
      byHits(none, {}, { ...usual, oldestAt: new Date(startedAt.getTime() - 29 * day) }),
    ).toEqual([])
    expect(byHits(none, { inSitemap: false }, usual)).toEqual(['page-not-in-sitemap'])
    expect(byHits(hitsOf([['GPTBot', 200, 1]]), {}, usual)).toEqual([])
  })
})

test.each([
  [123, ['content-partly-needs-javascript']],
  [122, []],
  [99, []],
  [null, []],
])(
  'an imported text of %s words and 61 words of HTML have the faults %j',
  (importedWords, faults) => {
    const body = `<main><h1>Acme</h1>${words(60)}</main>`
    expect(faultsOf([readPage({ body }, { importedWords })])).toEqual(faults)
  },
)

test('an imported text counts from 100 words', () => {
  const body = `<main><h1>Acme</h1>${words(44)}</main>`
  expect(faultsOf([readPage({ body }, { importedWords: 100 })])).toHaveLength(1)
  expect(faultsOf([readPage({ body }, { importedWords: 99 })])).toHaveLength(0)
})

describe('a topic whose answers cite competitors alone', () => {
  const lostTopics: SiteFacts['lostTopics'] = [{ id: 't', name: 'Trail Running in NZ', answers: 6 }]
  const about = (path: string, title: string, hits = 0) => {
    const address = origin + path
    return readPage(
      {
        url: address,
        head: soundHead(address, title),
        body: `<main><h1>Running</h1>${words(60)}${path}</main>`,
      },
      { hits: hitsOf([['GPTBot', 200, hits]]) },
    )
  }

  test('is a fault of the page whose title and h1 hold its words', () => {
    const verdict = judgeFirst([about('/a', 'Acme trail shoes')], { lostTopics })
    expect(verdict.findings).toMatchObject([
      { check: 'competitor-cited-for-own-topic', affectedCount: 6, evidence: [{ id: 't' }] },
    ])
    expect(faultsOf([about('/a', 'Acme road shoes')], { lostTopics })).toEqual([])
  })

  test('is a fault of the most crawled of several pages, then of the first', () => {
    const [a, b] = [about('/a', 'Acme trail shoes one'), about('/b', 'Acme trail shoes two', 1)]
    expect(faultsOf([a, b], { lostTopics })).toEqual([])
    expect(faultsOf([b, a], { lostTopics })).toEqual(['competitor-cited-for-own-topic'])
    const c = about('/c', 'Acme trail shoes three')
    expect(faultsOf([a, c], { lostTopics })).toEqual(['competitor-cited-for-own-topic'])
  })
})
