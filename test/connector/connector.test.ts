import { beforeAll, describe, expect, test } from 'vitest'
import { type AnswerLine, type TestWorkspace, useApi } from '../kit/api.ts'
import { countedStatements } from '../kit/statements.ts'
import { connectSource, putHits } from '../kit/tracker/hits.ts'
import { type Cell, type ConnectorAsk, connectorDoors, type Field } from './connector.ts'

const statements = countedStatements()
const api = useApi({}, statements.log)

/**
 *   day  platform    prompt  names Acme  cites
 *   10   chatgpt     p1      twice       a.org/1 · b.org/x
 *   10   perplexity  p1      no          a.org/1
 *   11   chatgpt     p1      once        a.org/1 · a.org/2
 *   11   chatgpt     p2      no          nothing
 *
 *   April 20: chatgpt p1, once, a.org/1
 */
const cited = (...urls: string[]) => ({ citations: urls.map((url) => ({ url: `https://${url}` })) })
const lines: readonly AnswerLine[] = [
  {
    prompt: 'p1',
    collectedAt: '2025-05-10T08:00:00Z',
    text: 'Acme, and Acme.',
    ...cited('a.org/1', 'b.org/x'),
  },
  {
    prompt: 'p1',
    collectedAt: '2025-05-10T09:00:00Z',
    platform: 'perplexity',
    text: 'None.',
    ...cited('a.org/1'),
  },
  {
    prompt: 'p1',
    collectedAt: '2025-05-11T08:00:00Z',
    text: 'Acme.',
    ...cited('a.org/1', 'a.org/2'),
  },
  { prompt: 'p2', collectedAt: '2025-05-11T09:00:00Z', text: 'None.' },
  { prompt: 'p1', collectedAt: '2025-04-20T08:00:00Z', text: 'Acme.', ...cited('a.org/1') },
]

let workspace: TestWorkspace
let key = ''
let project = ''
let ids: Record<string, string> = {}

const doors = connectorDoors(
  api,
  () => project,
  () => key,
)
const may = { startDate: '2025-05-01', endDate: '2025-05-31' }

test('null in the body means absent, and a required field is named', async () => {
  const nulls = { fields: null, limit: null, offset: null, startDate: null, endDate: null }
  const all = await doors.post('data', { dataset: 'prompts' })
  const same = await doors.post('data', { dataset: 'prompts', ...nulls })
  expect([same.status, await same.json()]).toEqual([200, await all.json()])
  const refused = await doors.post('data', { ...nulls, dataset: null })
  expect(await refused.json()).toMatchObject({
    code: 'invalid_argument',
    details: { fieldErrors: { dataset: [expect.any(String)] } },
  })
})

async function rowsOf(ask: ConnectorAsk) {
  return (await doors.everywhere({ ...may, ...ask })).rows
}

beforeAll(async () => {
  workspace = await api.workspace()
  project = await workspace.project()
  key = (await workspace.key()).key
  await workspace.load(project, lines)
  const prompt = await api.db.prompt.create({
    data: { projectId: project, text: 'p3', isTracked: false, createdAt: '2025-01-31T23:59:00Z' },
  })
  const set = (text: string, data: object) =>
    api.db.prompt.updateMany({ where: { projectId: project, text }, data })
  await set('p1', { keywordSearchVolume: 100, keywordDifficulty: 41 })
  await set('p2', { keywordSearchVolume: 300, keywordDifficulty: 40, intentCategory: 'commercial' })
  for (const [position, name] of ['Second', 'First'].entries()) {
    const topic = await api.db.topic.create({ data: { projectId: project, name } })
    const link = { promptId: prompt.id, topicId: topic.id, position: 1 - position }
    await api.db.promptTopic.create({ data: link })
  }
  const prompts = await api.db.prompt.findMany({ where: { projectId: project } })
  ids = Object.fromEntries(prompts.map(({ id, text }) => [text, id]))
  await connectSource(api.db, project)
  await putHits(api.warehouse, project, [
    { bot: 'GPTBot', at: '2025-05-10T08:00:00Z', path: '/a' },
    { bot: 'GPTBot', at: '2025-05-10T09:00:00Z', path: '/a/', event: 'page_view' },
    { bot: 'PerplexityBot', at: '2025-05-11T08:00:00Z', path: '/b', host: 'shop.acme.com' },
    { bot: 'GPTBot', at: '2025-04-20T08:00:00Z', path: '/a' },
  ])
})

const byText = (a: readonly Cell[], b: readonly Cell[]) => (String(a[0]) < String(b[0]) ? -1 : 1)
const visibility = ['responses', 'responsesWithBrand', 'mentions', 'visibilityScore']

describe('visibility', () => {
  test('metrics alone are one row', async () => {
    expect(await rowsOf({ dataset: 'visibility', fields: visibility })).toEqual([[4, 2, 3, 50]])
  })

  test.each<[string, Cell[][]]>([
    [
      'platform',
      [
        ['chatgpt', 3, 2, 3, 66.67],
        ['perplexity', 1, 0, 0, 0],
      ],
    ],
    [
      'date',
      [
        ['2025-05-10', 2, 1, 2, 50],
        ['2025-05-11', 2, 1, 1, 50],
      ],
    ],
  ])('by %s', async (dimension, expected) => {
    const fields = [dimension, ...visibility]
    expect(await rowsOf({ dataset: 'visibility', fields })).toEqual(expected)
  })

  test('by prompt: in the order of their ids, under their wording', async () => {
    const fields = ['promptId', 'prompt', 'visibilityScore', 'responses']
    const expected = [
      [ids.p1 ?? '', 'p1', 66.67, 3],
      [ids.p2 ?? '', 'p2', 0, 1],
    ]
    expect(await rowsOf({ dataset: 'visibility', fields })).toEqual(expected.sort(byText))
    const wordings = await rowsOf({ dataset: 'visibility', fields: ['responses', 'prompt'] })
    expect(wordings.map(([, text]) => text).sort()).toEqual(['p1', 'p2'])
  })

  test('a project without answers has a row of nothing, or no row', async () => {
    const before = { ...may, startDate: '2025-01-01', endDate: '2025-01-02' }
    const ask = { dataset: 'visibility', ...before }
    expect(await rowsOf({ ...ask, fields: visibility })).toEqual([[0, 0, 0, null]])
    expect(await rowsOf({ ...ask, fields: ['date', ...visibility] })).toEqual([])
  })
})

describe('sources', () => {
  test.each<[string[], Cell[][]]>([
    [
      ['domain'],
      [
        ['a.org', 4, 3],
        ['b.org', 1, 1],
      ],
    ],
    [
      ['url', 'platform'],
      [
        ['https://a.org/1', 'chatgpt', 2, 2],
        ['https://a.org/1', 'perplexity', 1, 1],
        ['https://a.org/2', 'chatgpt', 1, 1],
        ['https://b.org/x', 'chatgpt', 1, 1],
      ],
    ],
    [[], [[5, 3]]],
  ])('by %s', async (dimensions, expected) => {
    const fields = [...dimensions, 'citations', 'responses']
    expect(await rowsOf({ dataset: 'sources', fields })).toEqual(expected)
  })
})

describe('traffic', () => {
  test('events of any name by all that tells crawlers apart, a page once', async () => {
    expect(await rowsOf({ dataset: 'traffic' })).toEqual([
      ['2025-05-10', 'chatgpt', 'GPTBot', 'OpenAI', 'ai_training', 'acme.com', '/a', 2],
      [
        '2025-05-11',
        'perplexity',
        'PerplexityBot',
        'Perplexity',
        'ai_search',
        'shop.acme.com',
        '/b',
        1,
      ],
    ])
  })

  test('a project without a source of traffic has none', async () => {
    const other = connectorDoors(
      api,
      () => unconnected,
      () => key,
    )
    const unconnected = await workspace.project()
    const { rows } = await other.everywhere({ dataset: 'traffic', fields: ['host', 'visits'] })
    expect(rows).toEqual([])
  })
})

describe('prompts', () => {
  test('one a row, whatever the dates', async () => {
    const fields = ['text', 'promptId', 'topic', 'intentCategory', 'isBranded', 'isTracked']
    expect(await rowsOf({ dataset: 'prompts', fields })).toEqual([
      ['p1', ids.p1, null, null, false, true],
      ['p2', ids.p2, null, 'commercial', false, true],
      ['p3', ids.p3, 'First', null, false, false],
    ])
  })

  test('counted by what they are: volumes are summed, difficulties averaged, the unknown is null', async () => {
    const fields = ['isTracked', 'prompts', 'keywordSearchVolume', 'keywordDifficulty']
    expect(await rowsOf({ dataset: 'prompts', fields })).toEqual([
      [false, 1, null, null],
      [true, 2, 400, 40.5],
    ])
  })

  test('a day is a UTC day', async () => {
    const rows = await rowsOf({ dataset: 'prompts', fields: ['createdAt', 'text'] })
    expect(rows[0]).toEqual(['2025-01-31', 'p3'])
  })
})

describe('the schema', () => {
  const of = async (dataset: string) =>
    (await doors.everywhere<{ fields: Field[] }>({ dataset }, 'schema')).fields

  test.each(['visibility', 'sources', 'traffic', 'prompts'])('of %s', async (dataset) => {
    const fields = await of(dataset)
    expect(new Set(fields.map(({ id }) => id)).size).toBe(fields.length)
    const table = await doors.everywhere({ ...may, dataset })
    expect(table.schema).toEqual(fields)
  })

  test('tells of each field what it is', async () => {
    expect((await of('visibility')).slice(-2)).toEqual([
      { id: 'mentions', label: 'Mentions', type: 'integer', role: 'metric' },
      { id: 'visibilityScore', label: 'Visibility score', type: 'number', role: 'metric' },
    ])
  })

  test('of data is in the order that was asked for', async () => {
    const { schema } = await doors.everywhere({ dataset: 'sources', fields: ['citations', 'url'] })
    expect(schema.map(({ id }) => id)).toEqual(['citations', 'url'])
  })
})

describe('pages', () => {
  test.each(['visibility', 'sources', 'traffic', 'prompts'])('of %s join', async (dataset) => {
    const whole = await doors.everywhere({ ...may, dataset })
    const joined: (readonly Cell[])[] = []
    for (let offset = 0, more = true; more; ) {
      const page = await doors.everywhere({ ...may, dataset, limit: 2, offset })
      joined.push(...page.rows)
      expect(page.pagination).toMatchObject({ limit: 2, offset, totalCount: whole.rows.length })
      more = page.pagination.hasMore === true
      offset = Number(page.pagination.nextOffset)
    }
    expect(joined).toEqual(whole.rows)
  })

  test.each(['visibility', 'prompts'])('of %s behind the last are empty', async (dataset) => {
    const { rows, pagination } = await doors.everywhere({
      ...may,
      dataset,
      limit: 5000,
      offset: Number.MAX_SAFE_INTEGER - 1000,
      fields: dataset === 'prompts' ? ['text'] : ['platform'],
    })
    expect(rows).toEqual([])
    const totalCount = dataset === 'prompts' ? 3 : 2
    expect(pagination).toMatchObject({ limit: 1000, totalCount, hasMore: false })
  })

  test('keep what the first one saw, though an import completes in between', async () => {
    const own = await workspace.project()
    const other = connectorDoors(
      api,
      () => own,
      () => key,
    )
    await workspace.load(own, lines)
    const ask = { ...may, dataset: 'visibility', fields: ['platform', 'responses'], limit: 1 }
    const first = await other.everywhere(ask)
    expect(first.rows).toEqual([['chatgpt', 3]])
    const after = await other.cursor(ask)
    await workspace.load(own, [{ platform: 'claude' }])
    const second = await other.everywhere({ ...ask, offset: 1 }, 'data', after)
    expect(second.rows).toEqual([['perplexity', 1]])
    expect(second.pagination.totalCount).toBe(2)
    expect((await other.everywhere(ask)).pagination.totalCount).toBe(3)
  })

  test('take one statement each', async () => {
    statements.taken()
    await doors.post('data', { dataset: 'sources', fields: ['url', 'citations'], limit: 3 })
    expect(statements.taken()).toEqual(['connector.sources'])
  })
})
