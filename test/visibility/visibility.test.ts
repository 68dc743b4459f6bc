import { beforeAll, describe, expect, test } from 'vitest'
import { useApi } from '../kit/api.ts'
import { flat } from '../kit/graphql/flat.ts'

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
  return flat(Object.values(data.project)[0])
}

const dateRange = { from: '2025-05-01', to: '2025-05-31' }
const frame = () => ({ project: { id: project, name: 'Acme', domain: 'acme.com' }, dateRange })
const keysOf = (value: unknown) => Object.keys(value as object)

/** GraphQL has the score under one name. REST repeats it for old clients, and has its change since the window before. */
const plain = ({
  responseMentionRate: _,
  mentionRate: __,
  overallMentionRate: ___,
  scoreChange: ____,
  ...row
}: Row) => row
const ofRatio = 'previous { value } change'
/** The changes of the graph as REST writes them: a summary before, and the differences. */
function asDeltas(changes: Record<string, { previous: unknown; change: unknown }>) {
  const each = Object.entries(changes)
  const before = (previous: unknown) =>
    typeof previous === 'object' ? (previous as { value: unknown }).value : previous
  return {
    previous: Object.fromEntries(each.map(([name, { previous }]) => [name, before(previous)])),
    deltas: Object.fromEntries(each.map(([name, { change }]) => [name, change])),
  }
}
const score = (value: number | null) => ({
  visibilityScore: value,
  responseMentionRate: value,
  mentionRate: value,
  overallMentionRate: value,
})

const graphSummary = `visibilityScore averagePosition totalResponses: answerCount
  responsesWithBrand: mentionedIn totalMentions: mentionCount totalCitations: citationCount totalSources: domainCount`
const graphChanges = `visibilityScore { ${ofRatio} } averagePosition { ${ofRatio} } totalResponses: answerCount { previous change }
  responsesWithBrand: mentionedIn { previous change } totalMentions: mentionCount { previous change }
  totalCitations: citationCount { previous change } totalSources: domainCount { previous change }`

const perplexity = {
  platform: 'perplexity',
  displayName: 'Perplexity',
  visibilityRate: 66.67,
  responses: 3,
  responsesWithBrand: 2,
  mentions: 2,
  citations: 1,
  brandCitations: 0,
  sources: 1,
  averagePosition: 1.5, // (2 + 1) ⁄ 2
}
const chatgpt = {
  platform: 'chatgpt',
  displayName: 'ChatGPT',
  visibilityRate: 33.33,
  responses: 3,
  responsesWithBrand: 1,
  mentions: 2,
  citations: 3,
  brandCitations: 1,
  sources: 3,
  averagePosition: 1,
}
const graphPlatform = `platform { slug } displayName: platform { displayName } visibilityRate: visibilityScore
  responses: answerCount responsesWithBrand: mentionedIn mentions: mentionCount citations: citationCount
  brandCitations: ownCitationCount sources: domainCount averagePosition`

const trend = [
  { date: '2025-05-10', visibilityScore: 100 },
  { date: '2025-05-11', visibilityScore: 0 },
  { date: '2025-05-12', visibilityScore: 0 },
  { date: '2025-05-13', visibilityScore: 50 },
]

/** Acme and Rival are a tie, by name. */
const ranking = {
  entities: [
    {
      name: 'Acme',
      domain: 'acme.com',
      rank: 1,
      mentions: 4,
      responseMentionRate: 50,
      isBrand: true,
    },
    {
      name: 'Rival',
      domain: 'rival.com',
      rank: 2,
      mentions: 3,
      responseMentionRate: 50,
      isBrand: false,
    },
    {
      name: 'Third',
      domain: 'third.com',
      rank: 3,
      mentions: 0,
      responseMentionRate: 0,
      isBrand: false,
    },
  ],
  hasMore: false,
}
const graphRanking = `entities { name: brand { name } domain: brand { domain } rank mentions: mentionCount
  responseMentionRate: visibilityScore isBrand: brand { isOwn } } hasMore`

const summaryOfMay = {
  visibilityScore: 50, // 3 of 6
  scoreChange: 16.67, // from 1 of 3
  responseMentionRate: 50,
  mentionRate: 50,
  overallMentionRate: 50,
  averagePosition: 1.33, // (1 + 2 + 1) ⁄ 3
  totalResponses: 6,
  responsesWithBrand: 3,
  totalMentions: 4,
  totalCitations: 4,
  totalSources: 3,
}

describe('visibility', () => {
  test('both doors give the numbers that can be counted by hand', async () => {
    const body = await rest('')
    expect(body).toEqual({
      ...frame(),
      summary: summaryOfMay,
      platforms: [perplexity, chatgpt],
      trend,
    })
    expect(keysOf(body)).toEqual(['project', 'summary', 'platforms', 'trend', 'dateRange'])
    expect(keysOf(body.summary)).toEqual(keysOf(summaryOfMay))
    expect(keysOf((body.platforms as Row[])[0])).toEqual(keysOf(perplexity))
    expect(
      await graph(
        `visibility(window: { ${window} }) { dateRange { from to } summary { ${graphSummary} }
           platforms { ${graphPlatform} } trend { date visibilityScore } comparison { mode }
           industryRanking { ${graphRanking} } }`,
      ),
    ).toEqual({
      dateRange,
      summary: plain(summaryOfMay),
      platforms: [perplexity, chatgpt],
      trend,
      comparison: null,
      industryRanking: ranking,
    })
  })

  test('the industry ranking is there when included, ties by name', async () => {
    const body = await rest('', `${may}&include=industryRanking`)
    expect(body.industryRanking).toEqual(ranking)
    expect(keysOf(body)).toEqual([
      'project',
      'summary',
      'platforms',
      'trend',
      'industryRanking',
      'dateRange',
    ])
    expect(await rest('', `${may}&include=nothing`)).toMatchObject({ code: 'invalid_argument' })
  })

  test('compared with the period before, its summary and the changes stand beside', async () => {
    const body = await rest('', `${may}&compare=previous_period`)
    expect(keysOf(body)).toEqual([
      'project',
      'summary',
      'platforms',
      'trend',
      'comparison',
      'dateRange',
    ])
    const comparison = {
      mode: 'previous_period',
      dateRange: { from: '2025-03-31', to: '2025-04-30' },
      previous: {
        ...score(33.33),
        scoreChange: null,
        averagePosition: 1,
        totalResponses: 3,
        responsesWithBrand: 1,
        totalMentions: 1,
        totalCitations: 0,
        totalSources: 0,
      },
      // From 4 ⁄ 3 − 1, not from 1.33 − 1.
      deltas: {
        ...score(16.67),
        scoreChange: null,
        averagePosition: 0.33,
        totalResponses: 3,
        responsesWithBrand: 2,
        totalMentions: 3,
        totalCitations: 4,
        totalSources: 3,
      },
    }
    expect(body.comparison).toEqual(comparison)
    expect(keysOf((body.comparison as Row).deltas)).toEqual(keysOf(summaryOfMay))
    const same = (await graph(
      `visibility(window: { ${window} }, compare: previous_period) { comparison { mode dateRange { from to } }
         summary { changes { ${graphChanges} } } }`,
    )) as Row
    const { mode, dateRange: earlier } = comparison
    expect(same.comparison).toEqual({ mode, dateRange: earlier })
    expect(asDeltas((same.summary as { changes: never }).changes)).toEqual({
      previous: plain(comparison.previous),
      deltas: plain(comparison.deltas),
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
        ...score(null),
        scoreChange: null,
        averagePosition: null,
        totalResponses: 0,
        responsesWithBrand: 0,
        totalMentions: 0,
        totalCitations: 0,
        totalSources: 0,
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

/** REST gives the body, in this order. GraphQL gives the rows of `list`, without the fields for old clients. */
async function bothDoors(asked: {
  readonly path: string
  readonly list: string
  readonly body: Row
  /** What GraphQL gives the rows as. */
  readonly field: (args: string) => string
}) {
  const rows = asked.body[asked.list] as Row[]
  const body = await rest(asked.path)
  expect(body).toEqual({ ...frame(), ...asked.body })
  expect(keysOf(body)).toEqual(['project', ...keysOf(asked.body), 'dateRange'])
  expect(keysOf((body[asked.list] as Row[])[0])).toEqual(keysOf(rows[0]))
  const found = (await graph(asked.field(`window: { ${window} }`))) as Row
  expect(Object.values(found)).toEqual([rows.map(plain)])
}

describe('visibility by', () => {
  test('day counts mentions per answer in its legacy rates', async () => {
    const day = (
      date: string,
      { named, responses, mentions }: { named: number; responses: number; mentions: number },
    ) => ({
      date,
      visibilityScore: (100 * named) / responses,
      responseMentionRate: (100 * named) / responses,
      mentionRate: (100 * mentions) / responses,
      responsesWithBrand: named,
      totalResponses: responses,
      totalMentions: mentions,
    })
    await bothDoors({
      path: '/history',
      list: 'history',
      field: (
        args,
      ) => `visibilityHistory(${args}) { history { date visibilityScore responsesWithBrand: mentionedIn
        totalResponses: answerCount totalMentions: mentionCount } }`,
      body: {
        overallMentionRate: 66.67, // 4 in 6
        history: [
          day('2025-05-10', { named: 2, responses: 2, mentions: 3 }),
          day('2025-05-11', { named: 0, responses: 1, mentions: 0 }),
          day('2025-05-12', { named: 0, responses: 1, mentions: 0 }),
          day('2025-05-13', { named: 1, responses: 2, mentions: 1 }),
        ],
      },
    })
  })

  const t1 = () => ({
    topicId: topics.T1,
    topicName: 'T1',
    visibilityScore: 60,
    responseMentionRate: 60,
    totalResponses: 5,
    responsesWithBrand: 3,
  })
  const t2 = () => ({
    topicId: topics.T2,
    topicName: 'T2',
    visibilityScore: 50,
    responseMentionRate: 50,
    totalResponses: 2,
    responsesWithBrand: 1,
  })

  test('topic, a prompt of two counting under each', async () => {
    await bothDoors({
      path: '/topics',
      list: 'topics',
      field: (
        args,
      ) => `visibilityByTopic(${args}) { nodes { topicId: topic { id } topicName: topic { name } visibilityScore totalResponses: answerCount
        responsesWithBrand: mentionedIn } }`,
      body: { topics: [t1(), t2()] },
    })
    const { topics: asked } = await rest('/topics', `${may}&topicId=${topics.T2}`)
    expect(asked).toEqual([t2()])
  })

  test('topic, compared: the changes stand in the rows, null where nothing was before', async () => {
    const { comparison, topics: rows } = await rest('/topics', `${may}&compare=previous_period`)
    expect(comparison).toEqual({
      mode: 'previous_period',
      dateRange: { from: '2025-03-31', to: '2025-04-30' },
    })
    expect(rows).toEqual([
      {
        ...t1(),
        // From 1 of 3.
        previousVisibilityScore: 33.33,
        visibilityScoreDelta: 26.67,
        previousResponseMentionRate: 33.33,
        responseMentionRateDelta: 26.67,
      },
      {
        ...t2(),
        previousVisibilityScore: 0,
        visibilityScoreDelta: 50,
        previousResponseMentionRate: 0,
        responseMentionRateDelta: 50,
      },
    ])
    const yearly = await rest('/topics', `${may}&compare=previous_year`)
    const none = {
      previousVisibilityScore: null,
      visibilityScoreDelta: null,
      previousResponseMentionRate: null,
      responseMentionRateDelta: null,
    }
    expect(yearly.topics).toEqual([
      { ...t1(), ...none },
      { ...t2(), ...none },
    ])
  })

  test('prompt, page by page, best score first', async () => {
    const ids = await api.db.prompt.findMany({ where: { projectId: project } })
    const idOf = (text: string) => ids.find((row) => row.text === text)?.id
    const prompts = [
      {
        promptId: idOf('p1'),
        text: 'p1',
        topicId: topics.T1,
        visibilityScore: 66.67,
        mentionRate: 66.67,
        averagePosition: 1.5,
        totalResponses: 3,
        responsesWithBrand: 2,
      },
      {
        promptId: idOf('p2'),
        text: 'p2',
        topicId: topics.T2,
        visibilityScore: 50,
        mentionRate: 50,
        averagePosition: 1,
        totalResponses: 2,
        responsesWithBrand: 1,
      },
      {
        promptId: idOf('p3'),
        text: 'p3',
        topicId: null,
        visibilityScore: 0,
        mentionRate: 0,
        averagePosition: null,
        totalResponses: 1,
        responsesWithBrand: 0,
      },
    ]
    const overall = { overallVisibilityScore: 50, overallMentionRate: 50 }
    const block = { limit: 50, offset: 0, returnedCount: 3, totalCount: 3, hasMore: false }
    const body = { ...overall, prompts, pagination: { ...block, nextOffset: 3 } }
    await bothDoors({
      path: '/prompts',
      list: 'prompts',
      field: (
        args,
      ) => `visibilityByPrompt(${args}) { nodes { promptId: prompt { id } text: prompt { text } topicId: topic { id } visibilityScore averagePosition
        totalResponses: answerCount responsesWithBrand: mentionedIn } }`,
      body,
    })
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
    await bothDoors({
      path: '/locations',
      list: 'locations',
      field: (
        args,
      ) => `visibilityByLocation(${args}) { nodes { locationId: location { id } countryCode: location { countryCode } city: location { city } visibilityScore
        totalResponses: answerCount responsesWithBrand: mentionedIn } }`,
      body: {
        locations: [
          {
            locationId: idOf('Berlin'),
            countryCode: 'DE',
            city: 'Berlin',
            visibilityScore: 50,
            totalResponses: 2,
            responsesWithBrand: 1,
          },
          {
            locationId: idOf('New York'),
            countryCode: 'US',
            city: 'New York',
            visibilityScore: 0,
            totalResponses: 1,
            responsesWithBrand: 0,
          },
        ],
      },
    })
  })

  test('platform', async () => {
    await bothDoors({
      path: '/platforms',
      list: 'platforms',
      field: (args) => `visibilityByPlatform(${args}) { platforms { ${graphPlatform} } }`,
      body: { platforms: [perplexity, chatgpt] },
    })
    const { platforms } = await rest('/platforms', `${may}&platform=ChatGPT`)
    expect(platforms).toEqual([chatgpt])
  })
})
