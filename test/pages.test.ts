import { beforeAll, describe, expect, test } from 'vitest'
import { importPages } from '../imports/content/pages.ts'
import { insert } from '../warehouse/run.ts'
import { type TestWorkspace, useApi } from './kit/api.ts'
import { asking, faultIn } from './kit/changes.ts'
import { flat } from './kit/graphql/flat.ts'
import { askingRest, outcomeOf } from './kit/prompts.ts'
import { connectSource, putHits } from './kit/tracker/hits.ts'

const api = useApi()

let workspace: TestWorkspace
let key = ''
let project = ''

async function* bytesOf(text: string) {
  yield Buffer.from(text)
}

const load = (of: string, text: string) =>
  importPages(api, { projectId: of, name: 'the file', bytes: bytesOf(text) })

const sitemap = (...urls: string[]) =>
  `<urlset>${urls.map((url) => `<url><loc>${url}</loc></url>`).join('')}</urlset>`

beforeAll(async () => {
  workspace = await api.workspace()
  project = await workspace.project()
  key = (await workspace.key({ scopes: ['admin'] })).key
})

const rest = askingRest(
  api,
  () => project,
  () => key,
)
const graph = asking(api, () => key)

describe('the pages of a site', () => {
  test('are listed by URL, with their counts by type', async () => {
    const of = await workspace.project()
    await load(
      of,
      'URL,Type,Title,Meta Description,Tracked\n' +
        'http://WWW.acme.com/blog/Post/?utm_source=x#a,guide,A post,About.,no\n' +
        'https://www.acme.com,,,,\n' +
        'https://www.acme.com/b,guide,B,,yes\n',
    )
    const response = await api.get(`/api/mcp/projects/${of}/pages`, key)
    const page = {
      id: expect.any(String),
      isBeingAudited: false,
      openIssueCount: 0,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    }
    const front = { slug: 'home', url: 'https://www.acme.com/', type: 'homepage', title: '' }
    const post = { slug: 'Post', url: 'https://www.acme.com/blog/Post', type: 'guide' }
    const body = await response.json()
    expect(body).toEqual({
      project: { id: of, name: 'Acme', domain: 'acme.com' },
      summary: {
        totalPages: 3,
        trackedPages: 2,
        pagesWithIssues: 0,
        byType: { guide: 2, homepage: 1 },
      },
      pages: [
        { ...page, ...front, description: '', isTracked: true },
        {
          ...page,
          slug: 'b',
          url: 'https://www.acme.com/b',
          type: 'guide',
          title: 'B',
          description: '',
          isTracked: true,
        },
        { ...page, ...post, title: 'A post', description: 'About.', isTracked: false },
      ],
    })
    const [first] = (body as { pages: { id: string }[] }).pages
    const one = await api.get(`/api/mcp/projects/${of}/pages/${first?.id}`, key)
    expect(await one.json()).toEqual({ page: first, latestAudit: null })
    const fields = `{ summary { totalPages: pageCount typeCounts { key count } }
      pages: nodes { url } totalCount pageInfo { hasNextPage } }`
    const { data } = await graph(
      `{ project(id: "${of}") {
           pages(first: 1) ${fields} page(id: "${first?.id}") { slug } } }`,
    )
    const pages = {
      summary: {
        totalPages: 3,
        typeCounts: [
          { key: 'guide', count: 2 },
          { key: 'homepage', count: 1 },
        ],
      },
      pages: [{ url: 'https://www.acme.com/' }],
      totalCount: 3,
      pageInfo: { hasNextPage: true },
    }
    expect(data).toEqual({ project: { pages, page: { slug: 'home' } } })
  })

  test('are found by their own ids alone', async () => {
    const foreign = await workspace.project()
    await load(foreign, 'url\nhttps://acme.com/x\n')
    const other = await api.db.page.findFirstOrThrow({ where: { projectId: foreign } })
    for (const id of [other.id, 'x']) {
      expect(outcomeOf(await rest('GET', `/pages/${id}`))).toBe('404 not_found')
      const answer = await graph(`{ project(id: "${project}") { page(id: "${id}") { slug } } }`)
      expect(faultIn(answer)).toBe('not_found')
    }
  })
})

const may = 'from=2025-05-10&to=2025-05-12'
const url = 'https://www.acme.com/a'
const metricsPath = (of: string) =>
  `/api/mcp/projects/${of}/pages/metrics?url=${encodeURIComponent(`${url}/`)}&${may}`

describe('what became of a page', () => {
  test('is joined day by day: citations, crawls by crawler, sessions by platform', async () => {
    const of = await workspace.project()
    const at = (day: number) => ({ collectedAt: `2025-05-${day}T12:00:00Z` })
    await workspace.load(of, [
      { ...at(10), citations: [{ url }, { url: `${url}#x` }] },
      { ...at(10), prompt: 'other?', citations: [{ url: `${url}/?utm_source=x` }] },
      { ...at(12), citations: [{ url }, { url: `${url}?page=2` }] },
      { ...at(13), citations: [{ url }] },
    ])
    const without = await (await api.get(metricsPath(of), key)).json()
    const citations = {
      available: true,
      series: [
        { date: '2025-05-10', count: 2 },
        { date: '2025-05-11', count: 0 },
        { date: '2025-05-12', count: 1 },
      ],
    }
    const nothing = { available: false, series: [] }
    const dateRange = { from: '2025-05-10', to: '2025-05-12' }
    expect(without).toEqual({ url, citations, referrals: nothing, crawls: nothing, dateRange })

    await connectSource(api.db, of)
    await api.db.connection.create({ data: { projectId: of, kind: 'webAnalytics' } })
    const hit = { bot: 'GPTBot', host: 'www.acme.com', path: '/a' }
    await putHits(api.warehouse, of, [
      { ...hit, at: '2025-05-10T08:00:00Z' },
      { ...hit, at: '2025-05-10T09:00:00Z', path: '/a/?x=1', as: { name: 'GPTBot of old' } },
      { ...hit, at: '2025-05-12T08:00:00Z' },
      { ...hit, at: '2025-05-12T09:00:00Z', bot: 'ClaudeBot' },
      { ...hit, at: '2025-05-12T09:00:00Z', path: '/a/b' },
      { ...hit, at: '2025-05-12T09:00:00Z', path: '/%61/b' },
      { ...hit, at: '2025-05-12T09:00:00Z', host: 'acme.com' },
      { ...hit, at: '2025-05-13T09:00:00Z' },
    ])
    const session = { project_id: of, host: 'www.acme.com', page: '/a/', source: 's', medium: '' }
    const more = { users: 1, bounced_sessions: 0, duration_seconds: 1, loaded_at: '2025-06-01' }
    const rows = [
      { day: '2025-05-11', platform: 'chatgpt', sessions: 5 },
      { day: '2025-05-11', platform: 'chatgpt', sessions: 2, host: '', page: '/a' },
      { day: '2025-05-11', platform: '', sessions: 90, source: 'search' },
      { day: '2025-05-12', platform: 'perplexity', sessions: 1, host: 'shop.acme.com' },
    ].map((row) => ({ ...session, ...more, ...row }))
    await insert(api.warehouse, { table: 'web_analytics', rows, token: of })

    const crawls = [
      ['2025-05-10', 'ClaudeBot', 0],
      ['2025-05-10', 'GPTBot', 2],
      ['2025-05-11', 'ClaudeBot', 0],
      ['2025-05-11', 'GPTBot', 0],
      ['2025-05-12', 'ClaudeBot', 1],
      ['2025-05-12', 'GPTBot', 1],
    ].map(([date, botName, visits]) => ({ date, botName, visits }))
    const referrals = [
      ['2025-05-10', 0],
      ['2025-05-11', 7],
      ['2025-05-12', 0],
    ].map(([date, sessions]) => ({ date, platform: 'chatgpt', sessions }))
    const expected = {
      url,
      citations,
      dateRange,
      crawls: { available: true, series: crawls },
      referrals: { available: true, series: referrals },
    }
    expect(await (await api.get(metricsPath(of), key)).json()).toEqual(expected)
    const fields = `{ url citations { series { date count: citedIn } }
      referrals { available series { date platform { slug } sessions } }
      crawls { available series { date botName visits } } dateRange { from to } }`
    const { data } = await graph(
      `{ project(id: "${of}") { pageMetrics(url: "${url}", window: { from: "2025-05-10", to: "2025-05-12" }) ${fields} } }`,
    )
    const { series } = citations
    const inGraph = { ...expected, citations: { series } }
    expect(flat(data)).toEqual({ project: { pageMetrics: inGraph } })
    const totals = `{ citations { total series(interval: week) { date citedIn } } retrievals { total } clicks { total impressions }
      referrals { total byPlatform { platform { slug } sessions } series(interval: week) { date sessions } }
      crawls { total byBot { botName visits } series(interval: month) { date botName visits } } }`
    const sums = await graph(
      `{ project(id: "${of}") { pageMetrics(url: "${url}", window: { from: "2025-05-10", to: "2025-05-12" }) ${totals} } }`,
    )
    const byBot = [
      { botName: 'GPTBot', visits: 3 },
      { botName: 'ClaudeBot', visits: 1 },
    ]
    expect(flat(sums.data?.project?.pageMetrics)).toEqual({
      citations: {
        total: 3,
        series: [
          { date: '2025-05-05', citedIn: 2 },
          { date: '2025-05-12', citedIn: 1 },
        ],
      },
      retrievals: { total: 0 },
      clicks: { total: null, impressions: null },
      referrals: {
        total: 7,
        byPlatform: [{ platform: 'chatgpt', sessions: 7 }],
        series: [
          { date: '2025-05-05', sessions: 7 },
          { date: '2025-05-12', sessions: 0 },
        ],
      },
      crawls: {
        total: 4,
        byBot,
        series: [
          { date: '2025-05-01', botName: 'ClaudeBot', visits: 1 },
          { date: '2025-05-01', botName: 'GPTBot', visits: 3 },
        ],
      },
    })
  })

  test('needs a URL and a window that is one', async () => {
    const cases = [
      ['', '400 invalid_argument url'],
      ['?url=acme', '400 invalid_argument url'],
      [`?url=${url}&days=0`, '400 invalid_argument days'],
      [`?url=${url}&from=2025-05-01`, '400 invalid_argument to'],
    ] as const
    for (const [query, outcome] of cases) {
      expect(outcomeOf(await rest('GET', `/pages/metrics${query}`))).toBe(outcome)
    }
    const answer = await graph(`{ project(id: "${project}") { pageMetrics(url: "acme") { url } } }`)
    expect(faultIn(answer)).toBe('invalid_argument url')
  })
})

describe('a site of more pages than a list usually has', () => {
  const urlOf = (i: number) => `https://acme.com/${String(i).padStart(5, '0')}`
  interface Body {
    readonly summary: { readonly totalPages: number }
    readonly pages: readonly { readonly url: string }[]
  }

  test('comes whole by REST, without a limit', async () => {
    const of = await workspace.project()
    await api.db.page.createMany({
      data: Array.from({ length: 1001 }, (_, i) => ({
        projectId: of,
        url: urlOf(i),
        slug: String(i),
        type: 'other',
        title: '',
        description: '',
      })),
    })
    const reply = await api.get(`/api/mcp/projects/${of}/pages`, key)
    const body = (await reply.json()) as Body
    expect([body.pages.length, body.summary.totalPages]).toEqual([1001, 1001])
    expect(reply.headers.get('link')).toBeNull()
    const part = await api.get(`/api/mcp/projects/${of}/pages?limit=2&offset=1`, key)
    expect(part.headers.get('link')).toMatch(/limit=2&offset=3>; rel="next"$/)
  })
})

describe('how much of the sitemap was crawled', () => {
  test('is counted by URL; what was not is listed, with its last crawl before', async () => {
    const of = await workspace.project()
    const path = `/api/mcp/projects/${of}/traffic/sitemap-coverage?${may}`
    const refused = await api.get(path, key)
    expect(await refused.json()).toMatchObject({ status: 409, code: 'traffic_not_connected' })
    const query = `{ project(id: "${of}") { sitemapCoverage { summary { sitemapUrls } } } }`
    expect(faultIn(await graph(query))).toBe('traffic_not_connected')

    await connectSource(api.db, of)
    expect(await (await api.get(path, key)).json()).toMatchObject({
      summary: { sitemapUrls: 0, crawledUrls: 0, coverageRate: null },
      uncrawled: [],
    })
    const host = 'https://www.acme.com'
    await load(
      of,
      sitemap(`${host}/`, `${host}/ü/`, `${host}/b`, `${host}/c`, 'https://shop.acme.com/a'),
    )
    const hit = { bot: 'GPTBot', host: 'www.acme.com' }
    await putHits(api.warehouse, of, [
      { ...hit, at: '2025-05-10T08:00:00Z', path: '/ü' },
      { ...hit, at: '2025-05-10T08:00:00Z', path: '/%C3%BC/' },
      // An event counts whatever its name.
      { ...hit, at: '2025-05-12T08:00:00Z', path: '/', event: 'page_view' },
      { ...hit, at: '2025-05-01T08:00:00Z', path: '/b' },
      { ...hit, at: '2025-05-02T08:00:00Z', path: '/b/' },
      { ...hit, at: '2025-05-13T08:00:00Z', path: '/c' },
    ])
    const uncrawled = [
      { url: 'https://shop.acme.com/a', path: '/a', lastCrawledAt: null },
      { url: `${host}/b`, path: '/b', lastCrawledAt: '2025-05-02T08:00:00.000Z' },
      { url: `${host}/c`, path: '/c', lastCrawledAt: null },
    ]
    const expected = {
      summary: { sitemapUrls: 5, crawledUrls: 2, coverageRate: 40 },
      uncrawled,
      pagination: {
        limit: 50,
        offset: 0,
        returnedCount: 3,
        totalCount: 3,
        hasMore: false,
        nextOffset: 3,
      },
      dateRange: { from: '2025-05-10', to: '2025-05-12' },
    }
    expect(await (await api.get(path, key)).json()).toEqual(expected)
    const fields = `{ summary { sitemapUrls crawledUrls coverageRate }
      uncrawled: nodes { url path lastCrawledAt } dateRange { from to } totalCount }`
    const given = 'from: "2025-05-10", to: "2025-05-12"'
    const { data } = await graph(
      `{ project(id: "${of}") { sitemapCoverage(window: { ${given} }) ${fields} } }`,
    )
    const { pagination: _pagination, ...shown } = expected
    expect(data).toEqual({ project: { sitemapCoverage: { ...shown, totalCount: 3 } } })
    const paged = await api.get(`${path}&host=WWW.acme.com&limit=1&offset=1`, key)
    expect(await paged.json()).toMatchObject({
      summary: { sitemapUrls: 4, crawledUrls: 2, coverageRate: 50 },
      uncrawled: [uncrawled[2]],
      pagination: { totalCount: 2, hasMore: false, nextOffset: 2 },
    })
  })
})
