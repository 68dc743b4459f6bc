import { beforeAll, describe, expect, test } from 'vitest'
import { type AnswerLine, type TestWorkspace, useApi } from '../kit/api.ts'
import { asking, faultIn } from '../kit/changes.ts'
import { flat } from '../kit/graphql/flat.ts'
import { askingRest, outcomeOf } from '../kit/prompts.ts'
import { countedStatements } from '../kit/statements.ts'

const statements = countedStatements()
const api = useApi({}, statements.log)

const may = 'from=2025-05-01&to=2025-05-31'
const window = 'from: "2025-05-01", to: "2025-05-31"'
const mayRange = { from: '2025-05-01', to: '2025-05-31' }

/**
 *   day  platform    prompt  country  ads
 *   10   chatgpt     p1      DE       Bolt "Boom" · Crest "Calm"
 *   11   chatgpt     p1               Bolt "Boom" · BOLT "Bang" · Crest "Calm"
 *   12   perplexity  p1      US       Bolt "Boom"
 *   13   chatgpt     p2               Bolt "Boom" twice
 *   14   chatgpt     p2               none
 *   15   perplexity  p2               nobody looked
 *
 *   April 20: chatgpt p1              Bolt "Boom"
 *
 * Eight impressions in May: six of Bolt, two of Crest.
 */
const boom = { advertiser: 'Bolt', url: 'https://www.bolt.io/boom?utm_source=ai', title: 'Boom' }
const bang = { advertiser: 'BOLT', url: 'https://bolt.shop/bang', title: 'Bang' }
const calm = { advertiser: 'Crest', domain: 'crest.org' }
const p1 = { prompt: 'p1', topic: 'T1' }
const p2 = { prompt: 'Is Acme good?', topic: 'T2' }
const lines: readonly AnswerLine[] = [
  { ...p1, collectedAt: '2025-05-10T08:00:00Z', country: 'DE', ads: [boom, calm] },
  { ...p1, collectedAt: '2025-05-11T08:00:00Z', ads: [boom, bang, calm] },
  {
    ...p1,
    platform: 'perplexity',
    model: 'sonar',
    country: 'US',
    collectedAt: '2025-05-12T08:00:00Z',
    ads: [boom],
  },
  { ...p2, collectedAt: '2025-05-13T08:00:00Z', ads: [boom, boom] },
  { ...p2, collectedAt: '2025-05-14T08:00:00Z', ads: [] },
  { ...p2, platform: 'perplexity', collectedAt: '2025-05-15T08:00:00Z' },
  { ...p1, collectedAt: '2025-04-20T08:00:00Z', ads: [boom] },
]

type Row = Record<string, unknown>

let workspace: TestWorkspace
let key = ''
let project = ''
let prompts: Record<string, string> = {}
let topics: Record<string, string> = {}

const rest = askingRest(
  api,
  () => project,
  () => key,
)
const ask = asking(api, () => key)

beforeAll(async () => {
  workspace = await api.workspace()
  project = await workspace.project()
  key = (await workspace.key()).key
  expect(await workspace.load(project, lines)).toMatchObject({ loaded: 7, rejected: [] })
  const byText = (rows: { id: string; text: string }[]) =>
    Object.fromEntries(rows.map(({ id, text }) => [text, id]))
  const of = { where: { projectId: project } }
  prompts = byText(await api.db.prompt.findMany(of))
  topics = byText((await api.db.topic.findMany(of)).map(({ id, name }) => ({ id, text: name })))
})

const onDay = (day: number) => `2025-05-${day}T08:00:00.000Z`
const ad = (of: Row, platform: string, prompt: string, days: [number, number, number]) => ({
  id: expect.any(String),
  ...of,
  platform,
  promptId: prompts[prompt],
  impressions: days[0],
  firstSeen: onDay(days[1]),
  lastSeen: onDay(days[2]),
})
const boomRow = {
  advertiser: 'Bolt',
  domain: 'bolt.io',
  title: 'Boom',
  url: 'https://www.bolt.io/boom',
}
const bangRow = {
  advertiser: 'BOLT',
  domain: 'bolt.shop',
  title: 'Bang',
  url: 'https://bolt.shop/bang',
}
const calmRow = { advertiser: 'Crest', domain: 'crest.org', title: null, url: null }
const summary = { measuredResponses: 5, responsesWithAds: 4, adRate: 80 }
const page = (limit: number, offset: number, returnedCount: number, totalCount: number) => ({
  limit,
  offset,
  returnedCount,
  totalCount,
  hasMore: offset + returnedCount < totalCount,
  nextOffset: offset + returnedCount,
})

/** The three of two impressions come by advertiser, then title, then id. */
const ads = () => ({
  ofTwo: [
    ad(boomRow, 'chatgpt', 'p1', [2, 10, 11]),
    ad(boomRow, 'chatgpt', p2.prompt, [2, 13, 13]),
    ad(calmRow, 'chatgpt', 'p1', [2, 10, 11]),
  ],
  ofOne: [ad(bangRow, 'chatgpt', 'p1', [1, 11, 11]), ad(boomRow, 'perplexity', 'p1', [1, 12, 12])],
})

const adSelection = `{ summary { measuredResponses: measuredAnswers responsesWithAds: answersWithAds adRate }
  ads: nodes { id: adId advertiser domain title url platform { slug } promptId: prompt { id } impressions firstSeen: firstSeenAt lastSeen: lastSeenAt }
  totalCount dateRange { from to } }`

describe('ads', () => {
  test('are listed by ad, platform and prompt, with numbers that can be counted by hand, at both doors', async () => {
    const { status, body } = await rest('GET', `/ads?${may}`)
    const { ads: found, ...others } = body as Row
    const rows = found as Row[]
    expect([status, others]).toEqual([
      200,
      {
        project: { id: project, name: 'Acme', domain: 'acme.com' },
        summary,
        pagination: page(50, 0, 5, 5),
        dateRange: mayRange,
      },
    ])
    const { ofTwo, ofOne } = ads()
    expect(rows).toHaveLength(5)
    expect(rows.slice(0, 2)).toEqual(expect.arrayContaining(ofTwo.slice(0, 2)))
    expect(rows.slice(2)).toEqual([ofTwo[2], ...ofOne])
    expect(Object.keys(rows[0] ?? {})).toEqual([
      'id',
      'advertiser',
      'domain',
      'title',
      'url',
      'platform',
      'promptId',
      'impressions',
      'firstSeen',
      'lastSeen',
    ])
    const idsOfTies = rows.slice(0, 2).map(({ id }) => String(id))
    expect(idsOfTies.toSorted()).toEqual(idsOfTies)
    expect(new Set(rows.map(({ id }) => id)).size).toBe(5)
    const { project: _, pagination: _pagination, ...whole } = body as Row
    const { data } = await ask(
      `{ project(id: "${project}") { ads(window: { ${window} }) ${adSelection} } }`,
    )
    expect(flat(data)).toEqual({ project: { ads: { ...whole, totalCount: 5 } } })
  })

  test('are rated in GraphQL with what was counted', async () => {
    const { data } = await ask(
      `{ project(id: "${project}") { ads(window: { ${window} }) { summary { metrics { adRate { value numerator denominator low high } } } } } }`,
    )
    // Two prompts, 3 of 3 and 1 of 2: a design effect of 1.8, and t = 12.706
    const adRate = { value: 80, numerator: 4, denominator: 5, low: 1.08, high: 99.93 }
    expect(data.project?.ads).toEqual({ summary: { metrics: { adRate } } })
  })

  test.each([
    ['platform=Perplexity', 1, 1, 100, 1],
    ['platform=sonar', 1, 1, 100, 1],
    ['country=DE', 1, 1, 100, 2],
    ['branded=true', 2, 1, 50, 1],
    ['unbranded=true', 3, 3, 100, 4],
    ['platform=gemini', 0, 0, null, 0],
  ])('narrowed by %s', async (filter, measured, withAds, adRate, rows) => {
    const { body } = await rest('GET', `/ads?${may}&${filter}`)
    expect(body).toMatchObject({
      summary: { measuredResponses: measured, responsesWithAds: withAds, adRate },
      pagination: { totalCount: rows },
    })
  })

  test('narrowed by topic and by location', async () => {
    const { body } = await rest('GET', `/ads?${may}&topicId=${topics.T2?.toUpperCase()}`)
    expect(body).toMatchObject({
      summary: { measuredResponses: 2, responsesWithAds: 1, adRate: 50 },
      ads: [ads().ofTwo[1]],
    })
    const nowhere = await rest('GET', `/ads?${may}&locationId=${project}`)
    expect(outcomeOf(nowhere)).toBe('404 not_found')
  })

  test('page: each once, the summary stays, and the end still tells the total', async () => {
    const all = (await rest('GET', `/ads?${may}`)).body.ads as Row[]
    for (const [offset, row] of all.entries()) {
      const { body } = await rest('GET', `/ads?${may}&limit=1&offset=${offset}`)
      expect(body).toMatchObject({ summary, ads: [row], pagination: page(1, offset, 1, 5) })
    }
    const behind = await rest('GET', `/ads?${may}&limit=99999&offset=9007199254740991`)
    expect(behind.body).toMatchObject({
      summary,
      ads: [],
      pagination: { limit: 1000, returnedCount: 0, totalCount: 5, hasMore: false },
    })
  })

  test('where nobody looked have no rate', async () => {
    const of = await workspace.project()
    await workspace.load(of, [{ collectedAt: '2025-05-10' }])
    const response = await api.get(`/api/mcp/projects/${of}/ads?${may}`, key)
    expect(await response.json()).toMatchObject({
      summary: { measuredResponses: 0, responsesWithAds: 0, adRate: null },
      ads: [],
      pagination: page(50, 0, 0, 0),
    })
  })

  test('an import between two pages neither repeats nor hides one', async () => {
    const of = await workspace.project()
    const get = async (query: string) => {
      const response = await api.get(`/api/mcp/projects/${of}/ads?${may}&limit=1${query}`, key)
      return (await response.json()) as { ads: Row[]; summary: Row }
    }
    await workspace.load(of, [{ ads: [boom, boom, calm] }])
    const first = await get('')
    await workspace.load(of, [{ run: 2, ads: [bang, bang, bang] }])
    const second = await get('&offset=1')
    expect([first, second].map((it) => it.ads[0]?.advertiser)).toEqual(['Bolt', 'Crest'])
    expect([second.summary.measuredResponses, (await get('')).summary.measuredResponses]).toEqual([
      1, 2,
    ])
  })
})

describe('advertisers', () => {
  const rows = [
    { advertiser: 'Bolt', domain: 'bolt.io', impressions: 6, responses: 4, shareOfAds: 75 },
    { advertiser: 'Crest', domain: 'crest.org', impressions: 2, responses: 2, shareOfAds: 25 },
  ]

  test('have the impressions of all their ads, whatever the case of the name, at both doors', async () => {
    const { status, body } = await rest('GET', `/ads/advertisers?${may}`)
    const expected = {
      project: { id: project, name: 'Acme', domain: 'acme.com' },
      advertisers: rows,
      pagination: page(50, 0, 2, 2),
      dateRange: mayRange,
    }
    expect([status, JSON.stringify(body)]).toEqual([200, JSON.stringify(expected)])
    const { data } = await ask(`{ project(id: "${project}") { advertisers(window: { ${window} }) {
      advertisers: nodes { advertiser domain impressions responses: shownIn shareOfAds metrics { shareOfAds { numerator denominator } } }
      totalCount dateRange { from to } } } }`)
    const withMetrics = rows.map((row) => ({
      ...row,
      metrics: { shareOfAds: { numerator: row.impressions, denominator: 8 } },
    }))
    expect(data.project).toEqual({
      advertisers: {
        advertisers: withMetrics,
        totalCount: 2,
        dateRange: mayRange,
      },
    })
  })

  test('have their share of what the filters leave, and of all pages together', async () => {
    const narrowed = await rest('GET', `/ads/advertisers?${may}&country=DE`)
    expect(narrowed.body.advertisers).toMatchObject([
      { advertiser: 'Bolt', impressions: 1, shareOfAds: 50 },
      { advertiser: 'Crest', impressions: 1, shareOfAds: 50 },
    ])
    const second = await rest('GET', `/ads/advertisers?${may}&limit=1&offset=1`)
    expect(second.body).toMatchObject({ advertisers: [rows[1]], pagination: page(1, 1, 1, 2) })
    const behind = await rest('GET', `/ads/advertisers?${may}&offset=7`)
    expect(behind.body).toMatchObject({ advertisers: [], pagination: page(50, 7, 0, 2) })
  })

  test('without a domain have none', async () => {
    const of = await workspace.project()
    await workspace.load(of, [{ ads: [{ advertiser: 'Nameless' }] }])
    const response = await api.get(`/api/mcp/projects/${of}/ads/advertisers?${may}`, key)
    expect(await response.json()).toMatchObject({
      advertisers: [{ advertiser: 'Nameless', domain: null, shareOfAds: 100 }],
    })
  })
})

test.each(['/ads', '/ads/advertisers'])('%s checks its arguments', async (path) => {
  for (const [query, outcome] of [
    ['days=0', '400 invalid_argument days'],
    ['days=7&from=2025-05-01&to=2025-05-02', '400 invalid_argument days'],
    ['to=2025-05-01', '400 invalid_argument from'],
    ['limit=0', '400 invalid_argument limit'],
    ['offset=-1', '400 invalid_argument offset'],
    ['platform=altavista', '400 invalid_argument platform'],
    ['country=Atlantis', '400 invalid_country country'],
    ['branded=true&unbranded=true', '400 invalid_argument branded'],
    ['topicId=T1', '404 not_found'],
    ['format=csv', '400 invalid_argument format'],
  ]) {
    expect(`${query}: ${outcomeOf(await rest('GET', `${path}?${query}`))}`).toBe(
      `${query}: ${outcome}`,
    )
  }
})

test.each(['ads', 'advertisers'])('%s checks them in GraphQL too', async (field) => {
  for (const [given, fault] of [
    ['window: { days: 0 }', 'invalid_argument window.days'],
    ['window: { to: "2025-05-01" }', 'invalid_argument window.from'],
    ['first: 0', 'invalid_argument first'],
    ['filter: { platforms: ["altavista"] }', 'invalid_argument filter.platforms'],
    ['filter: { countries: ["Atlantis"] }', 'invalid_country filter.countries'],
    ['filter: { topicIds: ["T1"] }', 'not_found filter.topicIds.0'],
  ]) {
    const call = `${field}(${given}) { dateRange { from } }`
    const answer = await ask(`{ project(id: "${project}") { ${call} } }`)
    expect([given, answer.data.project?.[field], faultIn(answer)]).toEqual([given, null, fault])
  }
})

test('ads of several projects are one statement a part', async () => {
  const many = await api.workspace()
  const { key: as } = await many.key()
  for (let i = 0; i < 3; i++) {
    const id = await many.project({ name: `P${i}` })
    if (i < 2) await many.load(id, lines.slice(0, i + 1))
  }
  statements.taken()
  const { data } = await ask(
    `{ projects(first: 3) { nodes { ads(window: { ${window} }) { summary { adRate } totalCount }
      advertisers(window: { ${window} }) { advertisers: nodes { advertiser impressions } } } } }`,
    as,
  )
  expect(statements.taken().sort()).toEqual(['ads.advertisers', 'ads.list', 'ads.summary'])
  const of = (adRate: number | null, totalCount: number, counts: Record<string, number>) => ({
    ads: { summary: { adRate }, totalCount },
    advertisers: {
      advertisers: Object.entries(counts).map(([advertiser, impressions]) => ({
        advertiser,
        impressions,
      })),
    },
  })
  expect(data.projects?.nodes).toEqual([
    of(100, 2, { Bolt: 1, Crest: 1 }),
    of(100, 3, { Bolt: 3, Crest: 2 }),
    of(null, 0, {}),
  ])
})
