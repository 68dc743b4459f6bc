import { beforeAll, describe, expect, test } from 'vitest'
import { useApi } from '../kit/api.ts'

const api = useApi()

const may = 'from=2025-05-01&to=2025-05-31'
const window = 'from: "2025-05-01", to: "2025-05-31"'

/**
 * Six answers in May 2025, three in the 31 days before, one a year before. p2 is of both topics, p3 of none.
 *
 *   day    platform    prompt  place     names, in order      cites
 *   05-10  chatgpt     p1      Berlin    Acme (twice), Rival  acme.com, wikipedia.org
 *   05-10  perplexity  p1                Rival, Acme          wikipedia.org
 *   05-11  chatgpt     p1      Berlin
 *   05-12  chatgpt     p2      New York  Rival                rival.com
 *   05-13  perplexity  p2                Acme
 *   05-13  perplexity  p3
 *   04-20  chatgpt     p1                Acme
 *   04-21  chatgpt     p2
 *   04-22  chatgpt     p1
 *   2024-05-10 chatgpt p3                Rival
 */
const p1 = { prompt: 'p1', topic: 'T1' }
const p2 = { prompt: 'p2', topic: 'T2' }
const cite = (...urls: string[]) => ({
  citations: urls.map((url, i) => ({ position: i + 1, url })),
})
const lines = [
  {
    ...p1,
    platform: 'chatgpt',
    collectedAt: '2025-05-10T08:00:00Z',
    location: 'Berlin, Germany',
    text: 'Acme, yes Acme, then Rival.',
    ...cite('https://acme.com/x', 'https://wikipedia.org/a'),
  },
  {
    ...p1,
    platform: 'perplexity',
    collectedAt: '2025-05-10T09:00:00Z',
    text: 'Rival before Acme.',
    ...cite('https://wikipedia.org/a'),
  },
  { ...p1, collectedAt: '2025-05-11T08:00:00Z', location: 'Berlin, Germany' },
  {
    ...p2,
    collectedAt: '2025-05-12T08:00:00Z',
    location: 'New York, United States',
    text: 'Rival alone.',
    ...cite('https://rival.com/r'),
  },
  { ...p2, platform: 'perplexity', collectedAt: '2025-05-13T08:00:00Z', text: 'Acme.' },
  { prompt: 'p3', platform: 'perplexity', collectedAt: '2025-05-13T09:00:00Z' },
  { ...p1, collectedAt: '2025-04-20T08:00:00Z', text: 'Acme.' },
  { ...p2, collectedAt: '2025-04-21T08:00:00Z' },
  { ...p1, collectedAt: '2025-04-22T08:00:00Z' },
  { prompt: 'p3', collectedAt: '2024-05-10T08:00:00Z', text: 'Rival.' },
]

let key = ''
let project = ''
let topics: Record<string, string> = {}

beforeAll(async () => {
  const workspace = await api.workspace()
  project = await workspace.project({
    competitors: [
      { name: 'Rival', domain: 'rival.com' },
      { name: 'Third', domain: 'third.com' },
    ],
  })
  key = (await workspace.key()).key
  expect(await workspace.load(project, lines)).toMatchObject({ loaded: 10, rejected: [] })
  const rows = await api.db.topic.findMany({ where: { projectId: project } })
  topics = Object.fromEntries(rows.map(({ name, id }) => [name, id]))
  const prompt = await api.db.prompt.findFirstOrThrow({ where: { projectId: project, text: 'p2' } })
  await api.db.promptTopic.create({
    data: { promptId: prompt.id, topicId: topics.T1 ?? '', position: 1 },
  })
})

type Row = Record<string, unknown>

async function rest(path: string, query = may) {
  const response = await api.get(`/api/mcp/projects/${project}/visibility${path}?${query}`, key)
  return (await response.json()) as Row
}

async function graph(field: string) {
  const text = `query($id: ID!) { project(id: $id) { ${field} } }`
  const response = await api.graphql(text, key, { id: project })
  const { data, errors } = (await response.json()) as { data: { project: Row }; errors?: unknown }
  expect(errors).toBeUndefined()
  return Object.values(data.project)[0]
}

const dateRange = { from: '2025-05-01', to: '2025-05-31' }
const frame = () => ({ project: { id: project, name: 'Acme', domain: 'acme.com' }, dateRange })
const keysOf = (value: unknown) => Object.keys(value as object).join(' ')

const countNames = 'totalResponses responsesWithBrand totalMentions totalCitations totalSources'
const graphSummary = `visibilityScore scoreChange averagePosition ${countNames}`
const old = 'responseMentionRate mentionRate overallMentionRate'
const restSummary = graphSummary.replace('averagePosition', `${old} averagePosition`)
/** REST has other words for the visibility score of some rows. */
const inGraph = (asked: string) =>
  asked.replace(/\w+Rate/, '$&: visibilityScore').replace('isBrand', '$&: isOwn')
/** GraphQL has the score under one name. */
const plain = ({ responseMentionRate: _, mentionRate: __, overallMentionRate: ___, ...row }: Row) =>
  row
const inSummary = (score: number | null) => ({
  visibilityScore: score,
  responseMentionRate: score,
  mentionRate: score,
  overallMentionRate: score,
})
const row = (names: string, ...values: unknown[]) =>
  Object.fromEntries(names.split(' ').map((name, i) => [name, values[i]]))
const counts = (...values: number[]) => row(countNames, ...values)

const platformNames =
  'platform displayName visibilityRate responses responsesWithBrand mentions citations brandCitations sources averagePosition'
const platformRows = [
  row(platformNames, 'perplexity', 'Perplexity', 66.67, 3, 2, 2, 1, 0, 1, 1.5), // (2 + 1) ⁄ 2
  row(platformNames, 'chatgpt', 'ChatGPT', 33.33, 3, 1, 2, 3, 1, 3, 1),
]
const trend = [
  ['2025-05-10', 100],
  ['2025-05-11', 0],
  ['2025-05-12', 0],
  ['2025-05-13', 50],
].map((point) => row('date visibilityScore', ...point))

const entityNames = 'name domain rank mentions responseMentionRate isBrand'
const ranking = {
  entities: [
    row(entityNames, 'Acme', 'acme.com', 1, 4, 50, true), // a tie with Rival, by name
    row(entityNames, 'Rival', 'rival.com', 2, 3, 50, false),
    row(entityNames, 'Third', 'third.com', 3, 0, 0, false),
  ],
  hasMore: false,
}

const summaryOfMay = {
  ...inSummary(50), // 3 of 6
  scoreChange: 16.67, // from 1 of 3
  averagePosition: 1.33, // (1 + 2 + 1) ⁄ 3
  ...counts(6, 3, 4, 4, 3),
}

describe('visibility', () => {
  test('both doors give the numbers that can be counted by hand', async () => {
    const body = await rest('')
    expect(body).toEqual({ ...frame(), summary: summaryOfMay, platforms: platformRows, trend })
    expect(keysOf(body)).toBe('project summary platforms trend dateRange')
    expect(keysOf(body.summary)).toBe(restSummary)
    expect(keysOf((body.platforms as Row[])[0])).toBe(platformNames)
    expect(
      await graph(
        `visibility(window: { ${window} }) { dateRange { from to } summary { ${graphSummary} }
           platforms { ${inGraph(platformNames)} } trend { date visibilityScore } comparison { mode }
           industryRanking { entities { ${inGraph(entityNames)} } hasMore } }`,
      ),
    ).toEqual({
      dateRange,
      summary: plain(summaryOfMay),
      platforms: platformRows,
      trend,
      comparison: null,
      industryRanking: ranking,
    })
  })

  test('the industry ranking is there when included, ties by name', async () => {
    const body = await rest('', `${may}&include=industryRanking`)
    expect(body.industryRanking).toEqual(ranking)
    expect(keysOf(body)).toBe('project summary platforms trend industryRanking dateRange')
    expect(await rest('', `${may}&include=nothing`)).toMatchObject({ code: 'invalid_argument' })
  })

  test('compared with the period before, its summary and the changes stand beside', async () => {
    const body = await rest('', `${may}&compare=previous_period`)
    expect(keysOf(body)).toBe('project summary platforms trend comparison dateRange')
    const comparison = {
      mode: 'previous_period',
      dateRange: { from: '2025-03-31', to: '2025-04-30' },
      previous: {
        ...inSummary(33.33),
        scoreChange: null,
        averagePosition: 1,
        ...counts(3, 1, 1, 0, 0),
      },
      // From 4 ⁄ 3 − 1, not from 1.33 − 1.
      deltas: {
        ...inSummary(16.67),
        scoreChange: null,
        averagePosition: 0.33,
        ...counts(3, 2, 3, 4, 3),
      },
    }
    expect(body.comparison).toEqual(comparison)
    expect(keysOf((body.comparison as Row).deltas)).toBe(restSummary)
    const same = await graph(
      `visibility(window: { ${window} }, compare: previous_period) { comparison { mode dateRange { from to }
         previous { ${graphSummary} } deltas { ${graphSummary} } } }`,
    )
    expect(same).toEqual({
      comparison: {
        ...comparison,
        previous: plain(comparison.previous),
        deltas: plain(comparison.deltas),
      },
    })
  })

  test('compared with the year before, a change without a denominator is null', async () => {
    const { comparison } = await rest('', `${may}&compare=previous_year`)
    expect(comparison).toMatchObject({
      dateRange: { from: '2024-05-01', to: '2024-05-31' },
      previous: { visibilityScore: 0, averagePosition: null, totalResponses: 1 },
      deltas: { visibilityScore: 50, averagePosition: null, totalResponses: 5 },
    })
    expect(await rest('', `${may}&compare=never`)).toMatchObject({ code: 'invalid_argument' })
  })

  test('without answers ratios are null, counts 0, and lists empty', async () => {
    const none = 'from=2023-01-01&to=2023-01-31'
    expect(await rest('', none)).toMatchObject({
      summary: {
        ...inSummary(null),
        scoreChange: null,
        averagePosition: null,
        ...counts(0, 0, 0, 0, 0),
      },
      platforms: [],
      trend: [],
    })
    expect(await rest('/prompts', none)).toMatchObject({
      overallVisibilityScore: null,
      prompts: [],
    })
    expect(await rest('/history', none)).toMatchObject({ overallMentionRate: null, history: [] })
  })

  test('a ratio says in GraphQL what it was counted from', async () => {
    const metric = '{ value numerator denominator low }'
    expect(
      await graph(
        `visibility(window: { ${window} }) { summary { metrics { visibilityScore ${metric} averagePosition ${metric} } } }`,
      ),
    ).toEqual({
      summary: {
        metrics: {
          // Three prompts name it in 2 of 3, 1 of 2, 0 of 1: 0.5 − ½·4.303 ⁄ √(6 + 4.303²)
          visibilityScore: { value: 50, numerator: 3, denominator: 6, low: 6.55 },
          averagePosition: { value: 1.33, numerator: 4, denominator: 3, low: 1 },
        },
      },
    })
  })
})

/** REST gives the body. GraphQL gives the same, without the fields for old clients. */
async function bothDoors(
  path: string,
  field: string,
  list: string,
  expected: Row,
  graphName = list,
) {
  const listed = /ByTopic|ByLocation/.test(field) ? 'nodes' : graphName
  const body = await rest(path)
  expect(body).toEqual({ ...frame(), ...expected })
  expect(keysOf(body)).toBe(`project ${keysOf(expected)} dateRange`)
  const rows = expected[list] as Row[]
  expect(keysOf((body[list] as Row[])[0])).toBe(keysOf(rows[0]))
  const modern = rows.map(plain)
  const same = await graph(
    `${field}(window: { ${window} }) { ${listed} { ${inGraph(keysOf(modern[0]))} } }`,
  )
  expect(same).toEqual({ [listed]: modern })
}

describe('visibility by', () => {
  test('day counts mentions per answer in its legacy rates', async () => {
    const day = (date: string, named: number, responses: number, mentions: number) => ({
      date,
      visibilityScore: (100 * named) / responses,
      responseMentionRate: (100 * named) / responses,
      mentionRate: (100 * mentions) / responses,
      responsesWithBrand: named,
      totalResponses: responses,
      totalMentions: mentions,
    })
    await bothDoors('/history', 'visibilityHistory', 'history', {
      overallMentionRate: 66.67, // 4 in 6
      history: [
        day('2025-05-10', 2, 2, 3),
        day('2025-05-11', 0, 1, 0),
        day('2025-05-12', 0, 1, 0),
        day('2025-05-13', 1, 2, 1),
      ],
    })
  })

  const topic = (name: string, score: number, responses: number, named: number) => ({
    topicId: topics[name],
    topicName: name,
    visibilityScore: score,
    responseMentionRate: score,
    totalResponses: responses,
    responsesWithBrand: named,
  })

  test('topic, a prompt of two counting under each', async () => {
    await bothDoors('/topics', 'visibilityByTopic', 'topics', {
      topics: [topic('T1', 60, 5, 3), topic('T2', 50, 2, 1)],
    })
    const { topics: asked } = await rest('/topics', `${may}&topicId=${topics.T2}`)
    expect(asked).toEqual([topic('T2', 50, 2, 1)])
  })

  test('topic, compared: the changes stand in the rows, null where nothing was before', async () => {
    const was = (before: number | null, delta: number | null) => ({
      previousVisibilityScore: before,
      visibilityScoreDelta: delta,
      previousResponseMentionRate: before,
      responseMentionRateDelta: delta,
    })
    const { comparison, topics: rows } = await rest('/topics', `${may}&compare=previous_period`)
    expect(comparison).toEqual({
      mode: 'previous_period',
      dateRange: { from: '2025-03-31', to: '2025-04-30' },
    })
    expect(rows).toEqual([
      { ...topic('T1', 60, 5, 3), ...was(33.33, 26.67) }, // from 1 of 3
      { ...topic('T2', 50, 2, 1), ...was(0, 50) },
    ])
    const yearly = await rest('/topics', `${may}&compare=previous_year`)
    expect(yearly.topics).toEqual([
      { ...topic('T1', 60, 5, 3), ...was(null, null) },
      { ...topic('T2', 50, 2, 1), ...was(null, null) },
    ])
  })

  test('prompt, page by page, best score first', async () => {
    const ids = await api.db.prompt.findMany({ where: { projectId: project } })
    const prompt = (
      text: string,
      topicName: string,
      score: number,
      averagePosition: number | null,
      responses: number,
      named: number,
    ) => ({
      promptId: ids.find((row) => row.text === text)?.id,
      text,
      topicId: topics[topicName] ?? null,
      visibilityScore: score,
      mentionRate: score,
      averagePosition,
      totalResponses: responses,
      responsesWithBrand: named,
    })
    const prompts = [
      prompt('p1', 'T1', 66.67, 1.5, 3, 2),
      prompt('p2', 'T2', 50, 1, 2, 1),
      prompt('p3', '', 0, null, 1, 0),
    ]
    const overall = { overallVisibilityScore: 50, overallMentionRate: 50 }
    const block = { limit: 50, offset: 0, returnedCount: 3, totalCount: 3, hasMore: false }
    const body = { ...overall, prompts, pagination: { ...block, nextOffset: 3 } }
    await bothDoors('/prompts', 'visibilityByPrompt', 'prompts', body, 'nodes')
    expect(await rest('/prompts', `${may}&limit=1&offset=1`)).toMatchObject({
      ...overall,
      prompts: [prompts[1]],
      pagination: { returnedCount: 1, totalCount: 3, hasMore: true, nextOffset: 2 },
    })
    const beyond = await rest('/prompts', `${may}&offset=7`)
    expect(beyond).toMatchObject({ ...overall, prompts: [], pagination: { totalCount: 3 } })
  })

  test('location, without the answers that have none', async () => {
    const rows = await api.db.location.findMany({ where: { projectId: project } })
    const idOf = (name: string) => rows.find(({ city }) => city === name)?.id
    const place = (countryCode: string, city: string, score: number, all: number, n: number) => ({
      locationId: idOf(city),
      countryCode,
      city,
      visibilityScore: score,
      totalResponses: all,
      responsesWithBrand: n,
    })
    await bothDoors('/locations', 'visibilityByLocation', 'locations', {
      locations: [place('DE', 'Berlin', 50, 2, 1), place('US', 'New York', 0, 1, 0)],
    })
  })

  test('platform', async () => {
    await bothDoors('/platforms', 'visibilityByPlatform', 'platforms', { platforms: platformRows })
    const { platforms } = await rest('/platforms', `${may}&platform=ChatGPT`)
    expect(platforms).toEqual([platformRows[1]])
  })
})
