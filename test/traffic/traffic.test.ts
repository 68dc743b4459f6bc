import { beforeAll, describe, expect, test } from 'vitest'
import { type TestWorkspace, useApi } from '../kit/api.ts'
import { flat } from '../kit/graphql/flat.ts'
import { connectSource, putHits, type TestHit } from '../kit/tracker/hits.ts'

const api = useApi()

const may = 'from=2025-05-01&to=2025-05-31'

/**
 * Eleven crawls in May, of which one has a name of the sender's own, and one in April. Counted by hand:
 *
 *   day  crawler          serves      reads for     path
 *   10   GPTBot           chatgpt     ai_training   /a, /a/, /b
 *   10   PerplexityBot    perplexity  ai_search     /a
 *   11   GPTBot           chatgpt     ai_training   /c on shop.acme.com
 *   12   ChatGPT-User     chatgpt     ai_assistant  /a, /b
 *   13   PerplexityBot    perplexity  ai_search     /b, /b, /b (the last POST, 404)
 *   14   bingbot          copilot     search_engine / on shop.acme.com
 */
const hits: readonly TestHit[] = [
  { bot: 'GPTBot', at: '2025-05-10T08:00:00.250Z', path: '/a' },
  { bot: 'GPTBot', at: '2025-05-10T09:00:00Z', path: '/a/', event: 'page_view' },
  { bot: 'GPTBot', at: '2025-05-10T23:59:59.999Z', path: '/b' },
  { bot: 'PerplexityBot', at: '2025-05-10T10:00:00Z', path: '/a' },
  { bot: 'GPTBot', at: '2025-05-11T08:00:00Z', path: '/c', host: 'Shop.Acme.com:443' },
  { bot: 'ChatGPT-User', at: '2025-05-12T08:00:00Z', path: '/a' },
  { bot: 'ChatGPT-User', at: '2025-05-12T08:00:00Z', path: '/b?x=1' },
  { bot: 'PerplexityBot', at: '2025-05-13T08:00:00Z', path: '/b' },
  { bot: 'PerplexityBot', at: '2025-05-13T09:00:00Z', path: '/b' },
  {
    bot: 'PerplexityBot',
    at: '2025-05-13T10:00:00Z',
    path: '/b',
    method: 'POST',
    status: 404,
    tookMs: 31,
    country: 'de',
    referrer: 'https://www.example.org/x?secret=1',
  },
  { bot: 'bingbot', at: '2025-05-14T08:00:00Z', host: 'shop.acme.com' },
  { bot: 'GPTBot', at: '2025-04-20T08:00:00Z', path: '/a' },
]

let workspace: TestWorkspace
let key = ''
let project = ''
let base = ''

beforeAll(async () => {
  workspace = await api.workspace()
  project = await workspace.project()
  key = (await workspace.key({ scopes: ['read'] })).key
  base = `/api/mcp/projects/${project}/traffic`
  await connectSource(api.db, project)
  await putHits(api.warehouse, project, hits)
})

type Body = Record<string, unknown>

async function get(path: string) {
  return (await (await api.get(path, key)).json()) as Body
}

async function rest(path: string, window = may) {
  const response = await api.get(`${base}${path}${path.includes('?') ? '&' : '?'}${window}`, key)
  return { status: response.status, body: (await response.json()) as Body }
}

/** What a field gives, without errors: of `Project`. */
async function graph(field: string) {
  const response = await api.graphql(`query($id: ID!) { project(id: $id) { ${field} } }`, key, {
    id: project,
  })
  const { data, errors } = (await response.json()) as { data: { project: Body }; errors?: unknown }
  expect(errors).toBeUndefined()
  return flat(Object.values(data.project)[0])
}

const window = 'from: "2025-05-01", to: "2025-05-31"'

const platforms = [
  { platform: 'chatgpt', visits: 6 },
  { platform: 'perplexity', visits: 4 },
  { platform: 'copilot', visits: 1 },
]
const bots = [
  {
    botId: 1,
    botName: 'GPTBot',
    botVendor: 'OpenAI',
    botCategory: 'ai_training',
    visits: 4,
    paths: 3,
    firstSeen: '2025-05-10T08:00:00.250Z',
    lastSeen: '2025-05-11T08:00:00.000Z',
  },
  {
    botId: 6,
    botName: 'PerplexityBot',
    botVendor: 'Perplexity',
    botCategory: 'ai_search',
    visits: 4,
    paths: 2,
    firstSeen: '2025-05-10T10:00:00.000Z',
    lastSeen: '2025-05-13T10:00:00.000Z',
  },
  {
    botId: 3,
    botName: 'ChatGPT-User',
    botVendor: 'OpenAI',
    botCategory: 'ai_assistant',
    visits: 2,
    paths: 2,
    firstSeen: '2025-05-12T08:00:00.000Z',
    lastSeen: '2025-05-12T08:00:00.000Z',
  },
  {
    botId: 8,
    botName: 'bingbot',
    botVendor: 'Microsoft',
    botCategory: 'search_engine',
    visits: 1,
    paths: 1,
    firstSeen: '2025-05-14T08:00:00.000Z',
    lastSeen: '2025-05-14T08:00:00.000Z',
  },
]
const byBot = bots.map(({ paths: _, firstSeen: __, lastSeen: ___, ...bot }) => bot)
const byStatus = [
  { statusCode: 200, visits: 10 },
  { statusCode: 404, visits: 1 },
]
// Four of each: ties go by name.
const byCategory = [
  { botCategory: 'ai_search', visits: 4 },
  { botCategory: 'ai_training', visits: 4 },
  { botCategory: 'ai_assistant', visits: 2 },
  { botCategory: 'search_engine', visits: 1 },
]
const dateRange = { from: '2025-05-01', to: '2025-05-31' }

describe('the overview', () => {
  const legacy = {
    crawlers: { total: 11, byPlatform: platforms },
    referrals: { total: 0, byPlatform: [] },
    topPages: [
      { path: '/b', crawls: 5, referrals: null },
      { path: '/a', crawls: 4, referrals: null },
      { path: '/', crawls: 1, referrals: null },
      { path: '/c', crawls: 1, referrals: null },
    ],
    dateRange,
  }

  test('has the legacy shape, to the key, where nothing is grouped', async () => {
    expect(await rest('/overview')).toEqual({ status: 200, body: legacy })
  })

  test.each([
    ['platform', {}],
    ['botCategory', { byCategory }],
    ['botName', { byBot }],
  ])('grouped by %s keeps the platforms, and has one more list at the most', async (by, more) => {
    expect(await rest(`/overview?groupBy=${by}`)).toEqual({
      status: 200,
      body: { ...legacy, crawlers: { ...legacy.crawlers, ...more }, groupBy: by },
    })
  })

  test('gives in GraphQL what is selected, by root field and by project', async () => {
    const fields = `{
      crawlers { total byPlatform { platform { slug } visits } byCategory { botCategory visits }
        byBot { botId botName botVendor botCategory visits } byStatus { statusCode visits } }
      referrals { total byPlatform { platform { slug } sessions } }
      topPages { path crawls: visits } dateRange { from to } }`
    const expected = {
      ...legacy,
      crawlers: { total: 11, byPlatform: platforms, byCategory, byBot, byStatus },
      topPages: legacy.topPages.map(({ referrals: _, ...page }) => page),
    }
    expect(await graph(`trafficOverview(window: { ${window} }) ${fields}`)).toEqual(expected)
  })

  test('tells crawls beside those of the days before', async () => {
    const change = 'change { previous change percent }'
    const days = 'window: { from: "2025-05-11", to: "2025-05-12" }, compare: previous_period'
    expect(
      await graph(`trafficOverview(${days}) {
        crawlers { total ${change} byPlatform { platform { slug } visits ${change} } } }`),
    ).toEqual({
      crawlers: {
        total: 3,
        change: { previous: 4, change: -1, percent: -25 },
        byPlatform: [
          { platform: 'chatgpt', visits: 3, change: { previous: 3, change: 0, percent: 0 } },
        ],
      },
    })
    const { nodes } = (await graph(
      `crawlers(${days}) { nodes { visits change { previous } } }`,
    )) as { nodes: { visits: number; change: { previous: number } }[] }
    const sum = (of: (row: (typeof nodes)[number]) => number) =>
      nodes.reduce((total, row) => total + of(row), 0)
    expect([sum(({ visits }) => visits), sum(({ change }) => change.previous)]).toEqual([3, 3])
  })

  test('tells crawls by day and week, 0 on a day without any, also of each platform', async () => {
    const overview =
      await graph(`trafficOverview(window: { from: "2025-05-09", to: "2025-05-12" }) {
      crawlers {
        series { date total: visits } weeks: series(interval: week) { date from to total: visits }
        byPlatform { platform { slug } series { total: visits } weeks: series(interval: week) { total: visits } } } }`)
    const totals = (...counts: number[]) => counts.map((total) => ({ total }))
    expect(overview).toEqual({
      crawlers: {
        series: [
          { date: '2025-05-09', total: 0 },
          { date: '2025-05-10', total: 4 },
          { date: '2025-05-11', total: 1 },
          { date: '2025-05-12', total: 2 },
        ],
        weeks: [
          { date: '2025-05-05', from: '2025-05-09', to: '2025-05-11', total: 5 },
          { date: '2025-05-12', from: '2025-05-12', to: '2025-05-12', total: 2 },
        ],
        byPlatform: [
          { platform: 'chatgpt', series: totals(0, 3, 1, 2), weeks: totals(4, 2) },
          { platform: 'perplexity', series: totals(0, 1, 0, 0), weeks: totals(1, 0) },
        ],
      },
    })
  })

  test.each([
    ['shop.acme.com', 2],
    ['SHOP.acme.com:443', 2],
    ['shop.acme.com, acme.com', 11],
    ['acme.com', 9],
    ['other.com', 0],
  ])('of the hosts %s has %i crawls', async (host, total) => {
    const { body } = await rest(`/overview?host=${encodeURIComponent(host)}`)
    expect(body).toMatchObject({ crawlers: { total } })
    const hosts = JSON.stringify(host.split(', '))
    const overview = await graph(
      `trafficOverview(window: { ${window} }, filter: { hosts: ${hosts} }) { crawlers { total } }`,
    )
    expect(overview).toEqual({ crawlers: { total } })
  })

  test('shows ten pages, and of those with as many crawls the first by path', async () => {
    const id = await workspace.project()
    await connectSource(api.db, id)
    const paths = Array.from({ length: 12 }, (_, i) => `/${String(i).padStart(2, '0')}`)
    const at = '2025-05-10T08:00:00Z'
    await putHits(
      api.warehouse,
      id,
      [...paths, '/11'].map((path) => ({ bot: 'GPTBot', at, path })),
    )
    const { topPages } = await get(`/api/mcp/projects/${id}/traffic/overview?${may}`)
    const shown = (topPages as { path: string; crawls: number }[]).map(({ path, crawls }) => [
      path,
      crawls,
    ])
    expect(shown).toEqual([['/11', 2], ...paths.slice(0, 9).map((path) => [path, 1])])
  })
})

describe('crawlers', () => {
  const fields =
    'botId botName botVendor botCategory visits paths firstSeen: firstSeenAt lastSeen: lastSeenAt'
  const pagination = {
    limit: 50,
    offset: 0,
    returnedCount: 4,
    totalCount: null,
    hasMore: false,
    nextOffset: 4,
  }

  test('come with most crawls first, the same at both doors', async () => {
    expect(await rest('/bots')).toEqual({ status: 200, body: { bots, pagination, dateRange } })
    const list = `{ bots: nodes { ${fields} } totalCount pageInfo { hasNextPage } dateRange { from to } }`
    const expected = { bots, totalCount: 4, pageInfo: { hasNextPage: false }, dateRange }
    expect(await graph(`crawlers(window: { ${window} }) ${list}`)).toEqual(expected)
  })

  test.each([
    ['botName', bots],
    ['platform', platforms],
    ['botCategory', byCategory],
  ])('grouped by %s', async (groupBy, rows) => {
    const { body } = await rest(`/bots?groupBy=${groupBy}`)
    const counts = { returnedCount: rows.length, nextOffset: rows.length }
    const expected = { bots: rows, pagination: { ...pagination, ...counts }, dateRange, groupBy }
    expect(body).toEqual(expected)
  })

  test.each([
    ['', bots],
    ['groupBy=platform', platforms],
  ])('page by page (%s), and say exactly whether more follow', async (groupBy, rows) => {
    for (const [offset, row] of rows.entries()) {
      const { body } = await rest(`/bots?limit=1&offset=${offset}&${groupBy}`)
      expect(body.bots).toEqual([row])
      const hasMore = offset < rows.length - 1
      expect(body.pagination).toMatchObject({ hasMore, nextOffset: offset + 1, totalCount: null })
    }
    const { body } = await rest(`/bots?offset=${rows.length}&${groupBy}`)
    expect(body).toMatchObject({ bots: [], pagination: { hasMore: false, returnedCount: 0 } })
  })

  test('a crawler that the registry renamed is one, under its latest name', async () => {
    const id = await workspace.project()
    await connectSource(api.db, id)
    await putHits(api.warehouse, id, [
      { bot: 'GPTBot', at: '2025-05-11T08:00:00Z', path: '/a' },
      { bot: 'GPTBot', at: '2025-05-10T08:00:00Z', path: '/b', as: { name: 'Old', vendor: 'X' } },
      { bot: 'GPTBot', at: '2025-05-09T08:00:00Z', path: '/a', as: { name: 'Older' } },
    ])
    const whole = { ...bots[0], visits: 3, paths: 2 }
    const list = await get(`/api/mcp/projects/${id}/traffic/bots?${may}`)
    expect(list.bots).toEqual([
      { ...whole, firstSeen: '2025-05-09T08:00:00.000Z', lastSeen: '2025-05-11T08:00:00.000Z' },
    ])
    const overview = await get(`/api/mcp/projects/${id}/traffic/overview?${may}&groupBy=botName`)
    expect(overview.crawlers).toMatchObject({ total: 3, byBot: [{ ...byBot[0], visits: 3 }] })
  })
})
