import { beforeAll, describe, expect, test } from 'vitest'
import { lengthOf } from '../../core/window.ts'
import { type AnswerLine, type TestWorkspace, useApi } from '../kit/api.ts'
import { flat } from '../kit/graphql/flat.ts'
import { assertProblem } from '../kit/rest/problem-schema.ts'

const api = useApi()

const may = 'from=2025-05-01&to=2025-05-31'
const window = 'from: "2025-05-01", to: "2025-05-31"'
const mayRange = { from: '2025-05-01', to: '2025-05-31' }

/**
 *   day  model    prompt           searched for
 *   10   gpt-4o   p1               Best headphones 2025 · headphones review · best headphones 2025
 *   10   sonar    p1               BEST HEADPHONES 2025
 *   11   gpt-4o   p1               nothing
 *   12   gpt-5    p2               headphones review · straße sound
 *   13   none     p2               STRASSE SOUND
 *   14   gpt-5    Is Acme good?    headphones review, in full-width letters
 *
 *   April 20: p1                   in april
 */
const p1 = { prompt: 'p1', topic: 'T1', model: 'gpt-4o' }
const p2 = { prompt: 'p2', topic: 'T2', model: 'gpt-5' }
const lines: readonly AnswerLine[] = [
  {
    ...p1,
    collectedAt: '2025-05-10T08:00:00Z',
    searchQueries: ['Best headphones 2025', 'headphones review', ' best headphones 2025 ', ''],
  },
  {
    ...p1,
    platform: 'perplexity',
    model: 'sonar',
    collectedAt: '2025-05-10T09:00:00Z',
    searchQueries: ['BEST HEADPHONES 2025'],
  },
  { ...p1, collectedAt: '2025-05-11T08:00:00Z', searchQueries: [] },
  {
    ...p2,
    collectedAt: '2025-05-12T08:00:00Z',
    searchQueries: ['headphones review', 'straße sound'],
  },
  {
    ...p2,
    platform: 'Google AI Overviews',
    model: null,
    collectedAt: '2025-05-13T08:00:00Z',
    searchQueries: ['STRASSE SOUND'],
  },
  {
    prompt: 'Is Acme good?',
    model: 'gpt-5',
    collectedAt: '2025-05-14T08:00:00Z',
    searchQueries: ['ｈｅａｄｐｈｏｎｅｓ review'],
  },
  { ...p1, collectedAt: '2025-04-20T08:00:00Z', searchQueries: ['in april'] },
]

type Row = Record<string, unknown>
type Prompts = Record<string, string>

let workspace: TestWorkspace
let key = ''
let project = ''
let prompts: Prompts = {}
let topics: Record<string, string> = {}

async function promptsOf(projectId: string): Promise<Prompts> {
  const rows = await api.db.prompt.findMany({ where: { projectId } })
  return Object.fromEntries(rows.map(({ id, text }) => [text, id]))
}

beforeAll(async () => {
  workspace = await api.workspace('growth')
  project = await workspace.project()
  key = (await workspace.key()).key
  expect(await workspace.load(project, lines)).toMatchObject({ loaded: 7, rejected: [] })
  prompts = await promptsOf(project)
  const rows = await api.db.topic.findMany({ where: { projectId: project } })
  topics = Object.fromEntries(rows.map(({ id, name }) => [name, id]))
})

async function rest(tail: string, { of = project, as = key } = {}) {
  const response = await api.get(`/api/mcp/projects/${of}/query-fanout${tail}`, as)
  const body = (await response.json()) as Row
  if (!response.ok) assertProblem(body)
  return { status: response.status, body }
}

async function graph(field: string, { of = project, as = key } = {}) {
  const response = await api.graphql(`{ project(id: "${of}") { ${field} } }`, as)
  return (await response.json()) as {
    data: { project: Record<string, Row | null> }
    errors?: { extensions: Row }[]
  }
}

/** Status and code, with the fields that a refusal names. */
function outcomeOf({ status, body }: { status: number; body: Row }): string {
  const { fieldErrors = {} } = (body.details ?? {}) as { fieldErrors?: object }
  return [status, body.code ?? 'ok', ...Object.keys(fieldErrors)].join(' ')
}

const summary = { totalPrompts: 3, totalQueries: 8, avgQueriesPerResponse: 1.6 }
const topQueries = [
  { query: 'best headphones 2025', count: 3, promptsCount: 1 },
  { query: 'headphones review', count: 3, promptsCount: 3 },
  { query: 'straße sound', count: 2, promptsCount: 1 },
]
const promptRow = (text: string, total: number, unique: number, average: number) => ({
  promptId: prompts[text],
  text,
  totalQueries: total,
  uniqueQueries: unique,
  avgQueriesPerResponse: average,
})
const promptRows = () => [
  promptRow('p1', 4, 2, 2),
  promptRow('p2', 3, 2, 1.5),
  promptRow('Is Acme good?', 1, 1, 1),
]
const modelRow = (model: string, responses: number, withFanout: number, total: number) => ({
  model,
  responses,
  responsesWithFanout: withFanout,
  totalQueries: total,
})
const modelStats = [
  modelRow('gpt-4o', 2, 1, 3),
  modelRow('gpt-5', 2, 2, 3),
  modelRow('google_ai_overviews', 1, 1, 1),
  modelRow('sonar', 1, 1, 1),
]
const onePage = {
  limit: 50,
  offset: 0,
  returnedCount: 3,
  totalCount: 3,
  hasMore: false,
  nextOffset: 3,
}

const everything = `summary { totalPrompts: promptCount totalQueries: queryCount avgQueriesPerResponse: queriesPerAnswer }
  topQueries { query count promptsCount: promptCount }
  prompts: nodes { promptId: prompt { id } text: prompt { text } totalQueries: queryCount uniqueQueries: uniqueQueryCount avgQueriesPerResponse: queriesPerAnswer }
  modelStats { model responses: answerCount responsesWithFanout: answersWithFanout totalQueries: queryCount }
  totalCount dateRange { from to }`

describe('query fanout', () => {
  test('has the shape of the contract, with numbers that can be counted by hand, at both doors', async () => {
    const { status, body } = await rest(`?${may}`)
    const expected = {
      project: { id: project, name: 'Acme', domain: 'acme.com' },
      summary,
      topQueries,
      prompts: promptRows(),
      modelStats,
      pagination: onePage,
      dateRange: mayRange,
    }
    expect([status, body]).toEqual([200, expected])
    expect(JSON.stringify(body)).toBe(JSON.stringify(expected))
    const { project: _, pagination: _pagination, ...rows } = expected
    const { data } = await graph(`queryFanout(window: { ${window} }) { ${everything} }`)
    expect(flat(data.project)).toEqual({ queryFanout: { ...rows, totalCount: 3 } })
  })

  test('a ratio says in GraphQL what it was counted from', async () => {
    const { data } = await graph(`queryFanout(window: { ${window} }, first: 1) {
      summary { metrics { avgQueriesPerResponse: queriesPerAnswer { value numerator denominator low } } }
      prompts: nodes { metrics { avgQueriesPerResponse: queriesPerAnswer { numerator denominator } } }
      modelStats { model metrics { fanoutRate { value numerator denominator low high } avgQueriesPerResponse: queriesPerAnswer { value } } }
    }`)
    const rate = (
      numerator: number,
      denominator: number,
      low: number | null = null,
      high: number | null = null,
    ) => ({
      value: (100 * numerator) / denominator,
      numerator,
      denominator,
      low,
      high,
    })
    const model = (name: string, fanoutRate: Row, value: number) => ({
      model: name,
      metrics: { fanoutRate, avgQueriesPerResponse: { value } },
    })
    const average = { value: 1.6, numerator: 8, denominator: 5, low: 1 }
    expect(data.project.queryFanout).toEqual({
      summary: { metrics: { avgQueriesPerResponse: average } },
      prompts: [{ metrics: { avgQueriesPerResponse: { numerator: 4, denominator: 2 } } }],
      // One prompt says nothing of others. Of two prompts that both count: 2 ⁄ (2 + 12.706²)
      modelStats: [
        model('gpt-4o', rate(1, 2), 3),
        model('gpt-5', rate(2, 2, 1.22, 100), 1.5),
        model('google_ai_overviews', rate(1, 1), 1),
        model('sonar', rate(1, 1), 1),
      ],
    })
  })

  test.each([
    ['platform=ChatGPT', { totalPrompts: 3, totalQueries: 6, avgQueriesPerResponse: 2 }],
    [
      'platform=perplexity,gpt-5',
      { totalPrompts: 3, totalQueries: 4, avgQueriesPerResponse: 1.33 },
    ],
    ['unbranded=true', { totalPrompts: 2, totalQueries: 7, avgQueriesPerResponse: 1.75 }],
    ['branded=true', { totalPrompts: 1, totalQueries: 1, avgQueriesPerResponse: 1 }],
    ['platform=gemini', { totalPrompts: 0, totalQueries: 0, avgQueriesPerResponse: null }],
  ])('narrowed by %s', async (filter, expected) => {
    expect((await rest(`?${may}&${filter}`)).body.summary).toEqual(expected)
  })

  test.each([
    { by: 'a country', param: () => 'country=DE', filter: () => 'countries: ["Germany"]' },
    {
      by: 'countries',
      param: () => 'country=germany,FR',
      filter: () => 'countries: ["DE", "fr"]',
    },
    {
      by: 'a place',
      param: (id: string) => `locationId=${id}`,
      filter: (id: string) => `locationIds: ["${id}"]`,
    },
  ])('is narrowed by $by, at both doors', async ({ param, filter }) => {
    const of = await workspace.project()
    const line = (location: string, queries: string[]): AnswerLine => ({
      prompt: location,
      model: 'm',
      location,
      collectedAt: '2025-05-10T08:00:00Z',
      searchQueries: queries,
    })
    await workspace.load(of, [line('Berlin, Germany', ['a', 'b']), line('Rome, Italy', ['c'])])
    const { id } = await api.db.location.findFirstOrThrow({
      where: { projectId: of, city: 'Berlin' },
    })
    const { body } = await rest(`?${may}&${param(id)}`, { of })
    const narrowed = {
      summary: { totalPrompts: 1, totalQueries: 2, avgQueriesPerResponse: 2 },
      modelStats: [modelRow('m', 1, 1, 2)],
    }
    expect(body).toMatchObject({ ...narrowed, prompts: [{ text: 'Berlin, Germany' }] })
    const fields = `summary { totalPrompts: promptCount totalQueries: queryCount avgQueriesPerResponse: queriesPerAnswer }
      modelStats { model responses: answerCount responsesWithFanout: answersWithFanout totalQueries: queryCount }`
    const query = `{ project(id: "${of}") {
      queryFanout(window: { ${window} }, filter: { ${filter(id)} }) { ${fields} } } }`
    expect(await (await api.graphql(query, key)).json()).toEqual({
      data: { project: { queryFanout: narrowed } },
    })
  })

  test('names an answer without a model as the list of answers does', async () => {
    const answers = await api.get(`/api/mcp/projects/${project}/answers?${may}`, key)
    const rows = ((await answers.json()) as { answers: Row[] }).answers
    const models = rows.map(({ model }) => model).sort()
    const named = modelStats.flatMap(({ model, responses }) => Array(responses).fill(model))
    expect(models).toEqual(named.sort())
    const query = `{ project(id: "${project}") { answers(window: { ${window} }) { nodes { model } } } }`
    const { data } = (await (await api.graphql(query, key)).json()) as {
      data: { project: { answers: { nodes: { model: string }[] } } }
    }
    expect(data.project.answers.nodes.map(({ model }) => model).sort()).toEqual(models)
  })

  test('of one topic has its prompts, queries and models alone', async () => {
    const { body } = await rest(`?${may}&topicId=${topics.T2?.toUpperCase()}`)
    expect(body).toMatchObject({
      summary: { totalPrompts: 1, totalQueries: 3, avgQueriesPerResponse: 1.5 },
      topQueries: [
        { query: 'straße sound', count: 2, promptsCount: 1 },
        { query: 'headphones review', count: 1, promptsCount: 1 },
      ],
      prompts: [promptRows()[1]],
      modelStats: [modelRow('gpt-5', 1, 1, 2), modelRow('google_ai_overviews', 1, 1, 1)],
    })
  })

  test('pages the prompts alone: each once, the rest stays, and the end still tells the total', async () => {
    for (const [offset, row] of promptRows().entries()) {
      const { body } = await rest(`?${may}&limit=1&offset=${offset}`)
      expect(body).toMatchObject({ summary, topQueries, modelStats, prompts: [row] })
      expect(body.pagination).toEqual({
        limit: 1,
        offset,
        returnedCount: 1,
        totalCount: 3,
        hasMore: offset < 2,
        nextOffset: offset + 1,
      })
    }
    expect((await rest(`?${may}&offset=9007199254740991&limit=99999`)).body).toMatchObject({
      summary,
      prompts: [],
      pagination: { limit: 50, returnedCount: 0, totalCount: 3, hasMore: false },
    })
  })

  test('topQueriesLimit caps the queries; more than 200 is clamped', async () => {
    const of = async (limit: string) =>
      ((await rest(`?${may}&topQueriesLimit=${limit}`)).body.topQueries as Row[]).length
    expect([await of('1'), await of('2'), await of('99999999999')]).toEqual([1, 2, 3])
    const many = Array.from({ length: 210 }, (_, i) => `query ${i}`)
    const crowded = await workspace.project()
    await workspace.load(crowded, [{ collectedAt: '2025-05-10', searchQueries: many }])
    const counts = ['', '&topQueriesLimit=200', '&topQueriesLimit=201'].map(async (limit) => {
      const { body } = await rest(`?${may}${limit}`, { of: crowded })
      return (body.topQueries as Row[]).length
    })
    expect(await Promise.all(counts)).toEqual([50, 200, 200])
  })

  test('a project without answers has zeros and no average', async () => {
    const of = await workspace.project()
    const { body } = await rest('', { of })
    expect(body).toMatchObject({
      summary: { totalPrompts: 0, totalQueries: 0, avgQueriesPerResponse: null },
      topQueries: [],
      prompts: [],
      modelStats: [],
      pagination: { limit: 50, offset: 0, returnedCount: 0, totalCount: 0, hasMore: false },
    })
    expect(lengthOf(body.dateRange as typeof mayRange)).toBe(30)
  })

  test('an import between two pages neither repeats nor hides a prompt', async () => {
    const of = await workspace.project()
    const line = (prompt: string, count: number): AnswerLine => ({
      prompt,
      collectedAt: '2025-05-10T08:00:00Z',
      searchQueries: Array.from({ length: count }, (_, i) => `${prompt} ${i}`),
    })
    await workspace.load(of, [line('a', 3), line('b', 2)])
    const first = await rest(`?${may}&limit=1`, { of })
    await workspace.load(of, [line('c', 9)])
    const second = await rest(`?${may}&limit=1&offset=1`, { of })
    const texts = [first, second].map(({ body }) => (body.prompts as Row[])[0]?.text)
    expect([texts, second.body.summary]).toMatchObject([['a', 'b'], { totalQueries: 5 }])
    expect((await rest(`?${may}`, { of })).body.summary).toMatchObject({ totalQueries: 14 })
  })
})

describe('the fanout of one prompt', () => {
  const queries = [
    { query: 'best headphones 2025', count: 3, lastSeen: '2025-05-10T09:00:00.000Z' },
    { query: 'headphones review', count: 1, lastSeen: '2025-05-10T08:00:00.000Z' },
  ]

  test('lists its sub-queries, at both doors', async () => {
    const { status, body } = await rest(`/prompts/${prompts.p1?.toUpperCase()}?${may}`)
    const expected = {
      project: { id: project, name: 'Acme', domain: 'acme.com' },
      promptId: prompts.p1,
      queries,
      pagination: { ...onePage, returnedCount: 2, totalCount: 2, nextOffset: 2 },
      dateRange: mayRange,
    }
    expect([status, JSON.stringify(body)]).toEqual([200, JSON.stringify(expected)])
    const { data } = await graph(
      `prompt(id: "${prompts.p1}") { fanoutQueries(window: { ${window} }) { nodes { query count lastSeenOn } } }`,
    )
    const nodes = queries.map(({ lastSeen, ...row }) => {
      return { ...row, lastSeenOn: lastSeen.slice(0, 10) }
    })
    expect(data.project).toEqual({ prompt: { fanoutQueries: { nodes } } })
  })

  test('pages, up to a page behind the end; a wider window has more', async () => {
    const path = `/prompts/${prompts.p1}`
    expect((await rest(`${path}?${may}&limit=1`)).body).toMatchObject({
      queries: [queries[0]],
      pagination: { limit: 1, hasMore: true, nextOffset: 1 },
    })
    expect((await rest(`${path}?${may}&limit=60&offset=7`)).body).toMatchObject({
      queries: [],
      pagination: { limit: 50, totalCount: 2, hasMore: false },
    })
    const wider = await rest(`${path}?from=2025-04-01&to=2025-05-31`)
    expect(wider.body.queries).toMatchObject([...queries, { query: 'in april', count: 1 }])
  })

  test('of a prompt without any is empty; of one that is not of the project, not found', async () => {
    const quiet = await api.db.prompt.create({ data: { projectId: project, text: 'quiet' } })
    const { body } = await rest(`/prompts/${quiet.id}`)
    expect(body).toMatchObject({ queries: [], pagination: { totalCount: 0 } })
    const other = await workspace.project()
    const foreign = await api.db.prompt.create({ data: { projectId: other, text: 'x' } })
    for (const id of [foreign.id, project, 'p1', '%00']) {
      expect(outcomeOf(await rest(`/prompts/${id}`))).toBe('404 not_found')
    }
  })
})
