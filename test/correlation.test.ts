import { beforeAll, describe, expect, test } from 'vitest'
import { graphWord } from '../schema/kit/words.ts'
import { useApi } from './kit/api.ts'
import { flat } from './kit/graphql/flat.ts'
import { importReport, reportOf, reportRow } from './kit/imports/web-analytics.ts'
import { assertProblem } from './kit/rest/problem-schema.ts'
import { connectSource, putHits } from './kit/tracker/hits.ts'

const api = useApi()

type Body = Record<string, unknown>

const may = 'from=2025-05-01&to=2025-05-31'
const inMay = 'from: "2025-05-01", to: "2025-05-31"'
const dateRange = { from: '2025-05-01', to: '2025-05-31' }

/**
 * In May, counted by hand:
 *
 *   path  crawls                     AI sessions (conversions)            citations
 *   /a    4: 3 GPTBot, 1 Perplexity  3: 2 chatgpt (1), 1 perplexity (0)   2: chatgpt, perplexity
 *   /b    1: GPTBot                  0                                    1: chatgpt
 *   /c    0                          1: chatgpt (0.5)                     0
 *   /d    0                          0                                    1 on the shop: perplexity
 *   /e    0                          0: claude (1)                        0
 *   -     0                          1: chatgpt (0), page not known       0
 */
const crawl = (bot: string, path: string, host = 'acme.com') => ({
  bot,
  at: '2025-05-10T08:00:00Z',
  path,
  host,
})
const hits = [
  crawl('GPTBot', '/a'),
  crawl('GPTBot', '/a'),
  crawl('GPTBot', '/a/'),
  crawl('PerplexityBot', '/a'),
  crawl('GPTBot', '/b', 'shop.acme.com'),
  { ...crawl('GPTBot', '/a'), at: '2025-04-10T08:00:00Z' },
]
const sessions = [
  { page: '/a', source: 'chatgpt.com', sessions: 2, conversions: 1 },
  { page: '/a', source: 'perplexity.ai', sessions: 1 },
  { page: '/a', source: 'google', sessions: 50, conversions: 9 },
  {
    page: '/c/?utm=1',
    source: 'chat.openai.com',
    host: 'shop.acme.com',
    sessions: 1,
    conversions: 0.5,
  },
  { page: '(not set)', source: 'chatgpt.com', sessions: 1 },
  { page: '/e', source: 'claude.ai', sessions: 0, conversions: 1 },
  { date: '20250410', page: '/a', source: 'chatgpt.com', sessions: 9 },
]
const cites = (platform: string, urls: string[]) => ({
  platform,
  citations: urls.map((url) => ({ url })),
})
const answers = [
  cites('chatgpt', ['https://acme.com/a', 'https://acme.com/b?x=1', 'https://other.org/a']),
  cites('perplexity', ['http://www.acme.com/a/', 'https://shop.acme.com/d']),
]

let key = ''
let project = ''
let crawledOnly = ''
let bare = ''

beforeAll(async () => {
  const workspace = await api.workspace()
  key = (await workspace.key()).key
  project = await workspace.project()
  crawledOnly = await workspace.project()
  bare = await workspace.project()
  for (const id of [project, crawledOnly]) {
    await connectSource(api.db, id)
    await putHits(api.warehouse, id, hits)
  }
  await importReport(api, project, JSON.stringify(reportOf(sessions.map(reportRow))))
  await workspace.load(project, answers)
})

async function rest(path: string, id = project) {
  const response = await api.get(`/api/mcp/projects/${id}/traffic${path}`, key)
  return (await response.json()) as Body
}

async function graph(field: string) {
  const response = await api.graphql(`{ project(id: "${project}") { ${field} } }`, key)
  const { data, errors } = (await response.json()) as { data: { project: Body }; errors?: unknown }
  expect(errors).toBeUndefined()
  return flat(Object.values(data.project)[0])
}

describe('crawls beside referrals and citations', () => {
  const byPath = [
    { path: '/a', crawls: 4, referrals: 3, citations: 2, crawlToReferral: 1.33 },
    { path: '/b', crawls: 1, referrals: 0, citations: 1, crawlToReferral: null },
    { path: '/c', crawls: 0, referrals: 1, citations: 0, crawlToReferral: 0 },
    { path: '/d', crawls: 0, referrals: 0, citations: 1, crawlToReferral: null },
  ]
  const page = {
    limit: 50,
    offset: 0,
    returnedCount: 4,
    totalCount: 4,
    hasMore: false,
    nextOffset: 4,
  }
  const fields = 'crawls: visits referrals: sessions citations: citationCount crawlToReferral'

  test('by path, whatever slash it ends with', async () => {
    const body = await rest(`/correlation?${may}`)
    expect(body).toEqual({
      rows: byPath,
      pagination: page,
      dateRange,
      note: expect.stringMatching(/does not prove/),
    })
    expect(
      await graph(`trafficCorrelation(window: { ${inMay} }) { rows: nodes { path ${fields} } }`),
    ).toEqual({
      rows: byPath,
    })
  })

  test('by platform, whatever the page', async () => {
    const rows = [
      { platform: 'chatgpt', crawls: 4, referrals: 4, citations: 2, crawlToReferral: 1 },
      { platform: 'perplexity', crawls: 1, referrals: 1, citations: 2, crawlToReferral: 1 },
    ]
    expect((await rest(`/correlation?${may}&groupBy=platform`)).rows).toEqual(rows)
    const asked = `trafficCorrelation(window: { ${inMay} }, groupBy: platform) { rows: nodes { platform { slug } ${fields} } }`
    expect(await graph(asked)).toEqual({ rows })
  })

  test.each([
    ['botName', ['GPTBot', 'PerplexityBot']],
    ['botCategory', ['ai_training', 'ai_search']],
  ])('by %s of crawls alone', async (groupBy, [first, second]) => {
    const nothing = { referrals: null, citations: null, crawlToReferral: null }
    const rows = [
      { [groupBy]: first, crawls: 4, ...nothing },
      { [groupBy]: second, crawls: 1, ...nothing },
    ]
    expect((await rest(`/correlation?${may}&groupBy=${groupBy}`)).rows).toEqual(rows)
    const asked = `trafficCorrelation(window: { ${inMay} }, groupBy: ${graphWord(groupBy)}) { rows: nodes { ${groupBy} ${fields} } }`
    expect(await graph(asked)).toEqual({ rows })
  })

  test('on one host', async () => {
    expect((await rest(`/correlation?${may}&host=Shop.Acme.com`)).rows).toEqual([
      { ...byPath[1], citations: 0 },
      byPath[2],
      byPath[3],
    ])
  })

  test('page by page, and behind the end', async () => {
    const second = await rest(`/correlation?${may}&limit=1&offset=1`)
    expect(second.rows).toEqual([byPath[1]])
    expect(second.pagination).toEqual({
      ...page,
      limit: 1,
      offset: 1,
      returnedCount: 1,
      hasMore: true,
      nextOffset: 2,
    })
    const behind = await rest(`/correlation?${may}&offset=9`)
    expect(behind).toMatchObject({
      rows: [],
      pagination: { totalCount: 4, hasMore: false, nextOffset: 9 },
    })
  })

  test('without web analytics nobody knows the referrals', async () => {
    expect((await rest(`/correlation?${may}`, crawledOnly)).rows).toMatchObject([
      { path: '/a', crawls: 4, referrals: null, citations: 0, crawlToReferral: null },
      { path: '/b', crawls: 1, referrals: null },
    ])
  })
})

describe('sessions that AI assistants sent', () => {
  test('are the referrals of the overview, from web analytics', async () => {
    const referrals = {
      total: 5,
      byPlatform: [
        { platform: 'chatgpt', sessions: 4 },
        { platform: 'perplexity', sessions: 1 },
      ],
    }
    expect((await rest(`/overview?${may}`)).referrals).toEqual(referrals)
    const asked = `trafficOverview(window: { ${inMay} }) { referrals { total byPlatform { platform { slug } sessions } } }`
    expect(await graph(asked)).toEqual({ referrals })
    const onShop = { total: 1, byPlatform: [{ platform: 'chatgpt', sessions: 1 }] }
    expect((await rest(`/overview?${may}&host=shop.acme.com`)).referrals).toEqual(onShop)
    expect((await rest(`/overview?${may}`, crawledOnly)).referrals).toEqual({
      total: 0,
      byPlatform: [],
    })
  })

  const whole = { platform: null, landingPath: null }
  const rowsOf = {
    '': [
      { platform: 'chatgpt', landingPath: '/a', sessions: 2, conversions: 1 },
      { platform: 'chatgpt', landingPath: null, sessions: 1, conversions: 0 },
      { platform: 'chatgpt', landingPath: '/c', sessions: 1, conversions: 0.5 },
      { platform: 'perplexity', landingPath: '/a', sessions: 1, conversions: 0 },
      { platform: 'claude', landingPath: '/e', sessions: 0, conversions: 1 },
    ],
    platform: [
      { ...whole, platform: 'chatgpt', sessions: 4, conversions: 1.5 },
      { ...whole, platform: 'perplexity', sessions: 1, conversions: 0 },
      { ...whole, platform: 'claude', sessions: 0, conversions: 1 },
    ],
    landingPath: [
      { ...whole, landingPath: '/a', sessions: 3, conversions: 1 },
      { ...whole, sessions: 1, conversions: 0 },
      { ...whole, landingPath: '/c', sessions: 1, conversions: 0.5 },
      { ...whole, landingPath: '/e', sessions: 0, conversions: 1 },
    ],
  }

  test.each(Object.entries(rowsOf))(
    'are told with their conversions by "%s"',
    async (groupBy, rows) => {
      const by =
        groupBy === '' ? ['', ''] : [`&groupBy=${groupBy}`, `, groupBy: ${graphWord(groupBy)}`]
      expect(await rest(`/attribution?${may}${by[0]}`)).toEqual({ rows, dateRange })
      const fields = 'platform { slug } landingPath sessions conversions'
      expect(
        await graph(`trafficAttribution(window: { ${inMay} }${by[1]}) { rows { ${fields} } }`),
      ).toEqual({
        rows,
      })
    },
  )

  test('have no conversions where the report tells none', async () => {
    const workspace = await api.workspace()
    const id = await workspace.project()
    const { key: reader } = await workspace.key()
    const head =
      'date,landingPage,sessionSource,sessions,totalUsers,bounceRate,averageSessionDuration'
    await connectSource(api.db, id)
    await importReport(api, id, `${head}\n20250510,/a,claude.ai,3,3,0,1\n`)
    const response = await api.get(`/api/mcp/projects/${id}/traffic/attribution?${may}`, reader)
    expect(((await response.json()) as Body).rows).toEqual([
      { platform: 'claude', landingPath: '/a', sessions: 3, conversions: null },
    ])
  })
})

describe('what is refused', () => {
  test.each([
    ['/correlation', 'trafficCorrelation { note }'],
    ['/attribution', 'trafficAttribution { rows { sessions } }'],
  ])('%s without a source of crawls, behind wrong arguments', async (path, field) => {
    const base = `/api/mcp/projects/${bare}/traffic${path}`
    const response = await api.get(base, key)
    expect(response.status).toBe(409)
    expect(assertProblem(await response.json()).code).toBe('traffic_not_connected')
    const asked = await api.graphql(`{ project(id: "${bare}") { ${field} } }`, key)
    expect(await asked.json()).toMatchObject({
      errors: [{ extensions: { code: 'traffic_not_connected' } }],
    })
    const wrong = await api.get(`${base}?groupBy=country`, key)
    expect(wrong.status).toBe(400)
    expect(assertProblem(await wrong.json()).details?.fieldErrors).toHaveProperty('groupBy')
  })
})
