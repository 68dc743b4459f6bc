import { beforeAll, describe, expect, test } from 'vitest'
import { useApi } from '../kit/api.ts'

const api = useApi()

/**
 * Five answers in May, one in April. Counted by hand; a bracket is the place among the tracked brands:
 *
 *   day  platform    names                    cites
 *   10   chatgpt     Acme [1] (2), Rival [2]  rival.com/a, shop.rival.com/b
 *   10   perplexity  Rival [1], Bolt [2]      bolt.com/x
 *   11   chatgpt     Rival [1], Acme [2]      rival.com/a
 *   12   chatgpt     nobody                   silent.com/s
 *   13   perplexity  Bolt [1] (3)             wikipedia.org/w
 *
 *   April 20: chatgpt Rival [1]               rival.com/a
 */
const cited = (...paths: string[]) => paths.map((path) => ({ url: `https://${path}` }))
const lines = [
  {
    collectedAt: '2025-05-10T08:00:00Z',
    text: 'Acme, yes, Acme, and Rival.',
    citations: cited('rival.com/a', 'shop.rival.com/b'),
  },
  {
    collectedAt: '2025-05-10T09:00:00Z',
    platform: 'perplexity',
    text: 'Rival, then Bolt.',
    citations: cited('bolt.com/x'),
  },
  {
    collectedAt: '2025-05-11T08:00:00Z',
    text: 'Rival beats Acme.',
    citations: cited('rival.com/a'),
  },
  { collectedAt: '2025-05-12T08:00:00Z', text: 'Nobody here.', citations: cited('silent.com/s') },
  {
    collectedAt: '2025-05-13T08:00:00Z',
    platform: 'perplexity',
    text: 'Bolt, Bolt, Bolt.',
    citations: cited('wikipedia.org/w'),
  },
  { collectedAt: '2025-04-20T08:00:00Z', text: 'Rival.', citations: cited('rival.com/a') },
]

const names = ['Zero', 'Silent', 'Bolt', 'Rival']
const may = 'from=2025-05-01&to=2025-05-31'
const window = 'from: "2025-05-01", to: "2025-05-31"'
let key = ''
let project = ''
let foreign = ''
const ids = new Map<string, string>()

beforeAll(async () => {
  const workspace = await api.workspace()
  const competitors = names.map((name) => ({ name, domain: `${name.toLowerCase()}.com` }))
  project = await workspace.project({ competitors })
  const elsewhere = await workspace.project({ competitors })
  key = (await workspace.key()).key
  for (const { id, name } of await api.db.competitor.findMany({ where: { projectId: project } })) {
    ids.set(name, id)
  }
  const other = { where: { projectId: elsewhere } }
  foreign = (await api.db.competitor.findFirstOrThrow(other)).id
  expect(await workspace.load(project, lines)).toMatchObject({ loaded: 6, rejected: [] })
})

type Row = Record<string, unknown>

async function rest(path: string) {
  const response = await api.get(`/api/mcp/projects/${project}/competitors${path}`, key)
  return { status: response.status, body: (await response.json()) as Row }
}

async function graph(field: string) {
  const response = await api.graphql(`{ project(id: "${project}") { ${field} } }`, key)
  const { data, errors } = (await response.json()) as { data: { project: Row }; errors?: unknown }
  expect(errors).toBeUndefined()
  return Object.values(data.project)[0]
}

const rowFields =
  'id name domain mentions responsesWithMention responseMentionRate averagePosition citations'

const rival = {
  name: 'Rival',
  domain: 'rival.com',
  mentions: 3,
  responsesWithMention: 3,
  responseMentionRate: 60, // 3 of 5
  averagePosition: 1.33, // places 2, 1, 1
  citations: 3, // a and b of the first answer, a of the third
}

describe('the list', () => {
  test('both doors give the numbers that can be counted by hand', async () => {
    const { body } = await rest(`?${may}`)
    expect(Object.keys(body)).toEqual([
      'project',
      'competitors',
      'totalCount',
      'pagination',
      'dateRange',
    ])
    const rows = body.competitors as Row[]
    expect(Object.keys(rows[0] ?? {}).join(' ')).toBe(rowFields)
    expect(rows).toEqual([
      { id: ids.get('Rival'), ...rival },
      {
        id: ids.get('Bolt'),
        name: 'Bolt',
        domain: 'bolt.com',
        mentions: 4,
        responsesWithMention: 2,
        responseMentionRate: 40,
        averagePosition: 1.5, // places 2 and 1
        citations: 1,
      },
      {
        id: ids.get('Silent'),
        name: 'Silent',
        domain: 'silent.com',
        mentions: 0,
        responsesWithMention: 0,
        responseMentionRate: 0,
        averagePosition: null,
        citations: 1, // a citation is not a mention
      },
      expect.objectContaining({ name: 'Zero', mentions: 0, averagePosition: null, citations: 0 }),
    ])
    expect(body).toMatchObject({
      project: { id: project, name: 'Acme', domain: 'acme.com' },
      totalCount: 4,
      pagination: {
        limit: 50,
        offset: 0,
        returnedCount: 4,
        totalCount: 4,
        hasMore: false,
        nextOffset: 4,
        total: 4,
      },
      dateRange: { from: '2025-05-01', to: '2025-05-31' },
    })
    const { nodes } =
      (await graph(`brands(window: { ${window} }) { nodes { brand { ... on Competitor {
      id name domain } } visibility { mentions: mentionCount responsesWithMention: mentionedIn averagePosition citations: citationCount
      responseMentionRate: visibilityScore } } }`)) as { nodes: { brand: Row; visibility: Row }[] }
    const ranked = nodes.map(({ brand, visibility }) => ({ ...brand, ...visibility }))
    expect(ranked.filter((row) => 'id' in row)).toEqual(rows)
  })

  test('a ratio says in GraphQL what it was counted from', async () => {
    expect(
      await graph(`competitor(id: "${ids.get('Rival')}") { visibility(window: { ${window} }) { metrics {
        visibilityScore { numerator denominator low } averagePosition { numerator denominator low } } } }`),
    ).toEqual({
      visibility: {
        metrics: {
          // All answers are to one prompt, which says nothing of others
          visibilityScore: { numerator: 3, denominator: 5, low: null },
          averagePosition: { numerator: 4, denominator: 3, low: null },
        },
      },
    })
  })

  test('pages follow each other without gap or repetition', async () => {
    const seen: unknown[] = []
    let offset = 0
    for (let hasMore = true; hasMore; ) {
      const { body } = await rest(`?${may}&limit=3&offset=${offset}`)
      const page = body.pagination as { hasMore: boolean; nextOffset: number; total: number }
      expect([page.total, body.totalCount]).toEqual([4, 4])
      seen.push(...(body.competitors as Row[]).map((row) => row.name))
      ;({ hasMore, nextOffset: offset } = page)
    }
    expect(seen).toEqual(['Rival', 'Bolt', 'Silent', 'Zero'])
    const beyond = await rest(`?${may}&offset=9`)
    expect(beyond.body).toMatchObject({ competitors: [], totalCount: 4 })
  })

  test('a filter narrows answers, mentions and citations alike', async () => {
    const { body } = await rest(`?${may}&platform=perplexity&limit=2`)
    expect(body.competitors).toMatchObject([
      { name: 'Bolt', responsesWithMention: 2, responseMentionRate: 100, citations: 1 },
      { name: 'Rival', responsesWithMention: 1, responseMentionRate: 50, citations: 0 },
    ])
  })

  test('without answers every competitor is there, and a rate has no value', async () => {
    const { body } = await rest('?from=2024-01-01&to=2024-01-31')
    expect((body.competitors as Row[]).map((row) => [row.name, row.responseMentionRate])).toEqual([
      ['Bolt', null],
      ['Rival', null],
      ['Silent', null],
      ['Zero', null],
    ])
  })
})

describe('one competitor', () => {
  test('both doors give its row and the days that have answers', async () => {
    const { body } = await rest(`/${ids.get('Rival')}?${may}`)
    expect(Object.keys(body)).toEqual(['project', 'competitor', 'dateRange'])
    const row = body.competitor as Row
    expect(Object.keys(row).join(' ')).toBe(`${rowFields} trend`)
    expect(row).toEqual({
      id: ids.get('Rival'),
      ...rival,
      trend: [
        {
          date: '2025-05-10',
          responseMentionRate: 100,
          responsesWithMention: 2,
          totalResponses: 2,
        },
        {
          date: '2025-05-11',
          responseMentionRate: 100,
          responsesWithMention: 1,
          totalResponses: 1,
        },
        { date: '2025-05-12', responseMentionRate: 0, responsesWithMention: 0, totalResponses: 1 },
        { date: '2025-05-13', responseMentionRate: 0, responsesWithMention: 0, totalResponses: 1 },
      ],
    })
    const days = 'date responseMentionRate responsesWithMention totalResponses'
    expect(Object.keys((row.trend as Row[])[0] ?? {}).join(' ')).toBe(days)
    const asked = (of: string) => `visibility(window: { ${window} }${of}) {
      trend { date responseMentionRate: visibilityScore responsesWithMention: mentionedIn totalResponses: answerCount } }`
    expect(await graph(`competitor(id: "${ids.get('Rival')}") { ${asked('')} }`)).toEqual({
      visibility: { trend: row.trend },
    })
    const chatgpt = await rest(`/${ids.get('Rival')}?${may}&platform=chatgpt`)
    const filter = ', filter: { platforms: ["chatgpt"] }'
    expect(await graph(`competitor(id: "${ids.get('Rival')}") { ${asked(filter)} }`)).toEqual({
      visibility: { trend: (chatgpt.body.competitor as Row).trend },
    })
  })

  test('the own brand has its days too, each with the answers behind its ratio', async () => {
    const trend = `trend { date responsesWithMention: mentionedIn metrics { visibilityScore { numerator denominator low } } }`
    const day = (date: string, numerator: number, denominator: number) => ({
      date,
      responsesWithMention: numerator,
      metrics: { visibilityScore: { numerator, denominator, low: null } },
    })
    expect(await graph(`ownBrand { visibility(window: { ${window} }) { ${trend} } }`)).toEqual({
      visibility: {
        trend: [
          day('2025-05-10', 1, 2),
          day('2025-05-11', 1, 1),
          day('2025-05-12', 0, 1),
          day('2025-05-13', 0, 1),
        ],
      },
    })
  })

  test('that no answer names counts 0, and its trend still has the days', async () => {
    const { body } = await rest(`/${ids.get('Silent')}?${may}`)
    expect(body.competitor).toMatchObject({
      mentions: 0,
      responseMentionRate: 0,
      averagePosition: null,
      citations: 1,
    })
    expect((body.competitor as { trend: Row[] }).trend).toHaveLength(4)
    const none = await rest(`/${ids.get('Silent')}?from=2024-01-01&to=2024-01-31`)
    expect(none.body.competitor).toMatchObject({ responseMentionRate: null, trend: [] })
  })

  test('an id may be written in capitals', async () => {
    expect((await rest(`/${ids.get('Rival')?.toUpperCase()}`)).status).toBe(200)
  })

  test('a foreign, an unknown and a malformed id are the same 404, arguments are checked first', async () => {
    const unknown = '3fa85f64-5717-4562-b3fc-2c963f66afa6'
    const bodies: Row[] = []
    for (const id of [foreign, unknown, 'nonsense']) {
      const { status, body } = await rest(`/${id}`)
      expect([status, body.code]).toEqual([404, 'not_found'])
      bodies.push({ ...body, requestId: '' })
      expect((await rest(`/${id}?days=0`)).body.code).toBe('invalid_argument')
    }
    expect(new Set(bodies.map((body) => JSON.stringify(body))).size).toBe(1)
  })
})

describe('bad arguments are refused, and the field is named', () => {
  test.each([
    ['days=0', 'days'],
    ['limit=0', 'limit'],
    ['offset=-1', 'offset'],
    ['platform=nonsense', 'platform'],
    ['format=csv', 'format'],
  ])('%s', async (query, field) => {
    const { status, body } = await rest(`?${query}`)
    expect([status, body.code]).toEqual([400, 'invalid_argument'])
    expect(Object.keys((body.details as { fieldErrors: object }).fieldErrors)).toEqual([field])
  })

  test('an over-long page is clamped', async () => {
    const { body } = await rest('?limit=99999999999')
    expect(body.pagination).toMatchObject({ limit: 1000 })
  })
})
