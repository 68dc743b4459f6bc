import { beforeAll, expect, test } from 'vitest'
import { useApi } from '../kit/api.ts'
import { flat } from '../kit/graphql/flat.ts'

const api = useApi()

const may = 'from=2025-05-01&to=2025-05-31'
const window = 'from: "2025-05-01", to: "2025-05-31"'

/**
 * Topic T1 has p1, p2 and p3, T2 has p2 and T3 nobody's answers.
 *
 *            May                                   the 31 days before
 *   p1       chatgpt yes, chatgpt no: 1 of 2       chatgpt no: 0 of 1
 *   p2       chatgpt yes, perplexity yes: 2 of 2   chatgpt yes: 1 of 1
 *   p3       perplexity no: 0 of 1                 nothing
 */
const acme = { text: 'Acme.' }
const p1 = { prompt: 'p1', topic: 'T1' }
const p2 = { prompt: 'p2', topic: 'T1' }
const lines = [
  { ...p1, ...acme, collectedAt: '2025-05-10T08:00:00Z' },
  { ...p1, collectedAt: '2025-05-11T08:00:00Z' },
  { ...p2, text: 'Rival, then Acme.', collectedAt: '2025-05-10T08:00:00Z' },
  { ...p2, ...acme, platform: 'perplexity', collectedAt: '2025-05-10T09:00:00Z' },
  { prompt: 'p3', topic: 'T1', platform: 'perplexity', collectedAt: '2025-05-12T08:00:00Z' },
  { ...p1, collectedAt: '2025-04-10T08:00:00Z' },
  { ...p2, ...acme, collectedAt: '2025-04-10T08:00:00Z' },
]

let key = ''
let project = ''
let topics: Record<string, string> = {}
let prompts: Record<string, string> = {}

type Row = Record<string, unknown>

async function get(path: string) {
  const response = await api.get(`/api/mcp/projects/${project}${path}`, key)
  return { status: response.status, body: (await response.json()) as Row }
}

async function graph(field: string) {
  const text = `query($id: ID!) { project(id: $id) { ${field} } }`
  const response = await api.graphql(text, key, { id: project })
  const { data, errors } = (await response.json()) as { data: { project: Row }; errors?: unknown }
  expect(errors).toBeUndefined()
  return flat(Object.values(data.project)[0])
}

beforeAll(async () => {
  const workspace = await api.workspace()
  project = await workspace.project({ competitors: [{ name: 'Rival', domain: 'rival.com' }] })
  key = (await workspace.key()).key
  expect(await workspace.load(project, lines)).toMatchObject({ loaded: 7, rejected: [] })
  for (const name of ['T2', 'T3']) await api.db.topic.create({ data: { projectId: project, name } })
  const named = { where: { projectId: project } }
  topics = Object.fromEntries((await api.db.topic.findMany(named)).map((it) => [it.name, it.id]))
  prompts = Object.fromEntries((await api.db.prompt.findMany(named)).map((it) => [it.text, it.id]))
  await api.db.promptTopic.create({
    data: { promptId: prompts.p2 ?? '', topicId: topics.T2 ?? '', position: 1 },
  })
})

const rankings = [
  { text: 'p2', rank: 1, previousRank: 1, rankChange: 0, visibilityScore: 100 },
  { text: 'p1', rank: 2, previousRank: 2, rankChange: 0, visibilityScore: 50 },
  { text: 'p3', rank: 3, previousRank: null, rankChange: null, visibilityScore: 0 },
]

test('prompts of a topic have their places, and those of the window before', async () => {
  const { status, body } = await get(`/topics/prompt-rankings?topicId=${topics.T1}&${may}`)
  expect([status, body]).toEqual([
    200,
    {
      project: expect.objectContaining({ id: project }),
      prompts: rankings.map((row) => ({ promptId: prompts[row.text], ...row })),
      dateRange: { from: '2025-05-01', to: '2025-05-31' },
    },
  ])
  const asked = await graph(
    `promptRankings(topicId: "${topics.T1}", window: { ${window} }) { prompts: nodes {
       text: prompt { text } rank previousRank rankChange visibilityScore metrics { visibilityScore { denominator } } } }`,
  )
  const metrics = [2, 2, 1].map((denominator) => ({ visibilityScore: { denominator } }))
  expect(asked).toEqual({ prompts: rankings.map((row, at) => ({ ...row, metrics: metrics[at] })) })
})

test('a platform narrows the places of both windows', async () => {
  const { body } = await get(
    `/topics/prompt-rankings?topicId=${topics.T1}&platform=ChatGPT&from=2025-04-10&to=2025-04-10`,
  )
  expect(body.prompts).toMatchObject([
    { text: 'p2', rank: 1, previousRank: null },
    { text: 'p1', rank: 2, previousRank: null },
  ])
  const perplexity = await get(
    `/topics/prompt-rankings?topicId=${topics.T1}&platform=perplexity&${may}`,
  )
  expect(perplexity.body.prompts).toMatchObject([{ text: 'p2' }, { text: 'p3' }])
})

test('places need one topic of the project', async () => {
  expect(await get('/topics/prompt-rankings')).toMatchObject({
    status: 400,
    body: { code: 'invalid_argument', details: { fieldErrors: { topicId: expect.any(Array) } } },
  })
  const foreign = await get(`/topics/prompt-rankings?topicId=${project}`)
  expect(foreign).toMatchObject({ status: 404, body: { code: 'not_found' } })
  expect((await get('/topics/prompt-rankings?topicId=x')).status).toBe(404)
})

const cell = (platform: string, visibilityScore: number | null, totalResponses: number) => ({
  platform,
  visibilityScore,
  totalResponses,
})
const heatmap = [
  // chatgpt: p1 1 of 2, p2 1 of 1; perplexity: p2 1 of 1, p3 0 of 1.
  { topicName: 'T1', cells: [cell('chatgpt', 66.67, 3), cell('perplexity', 50, 2)] },
  { topicName: 'T2', cells: [cell('chatgpt', 100, 1), cell('perplexity', 100, 1)] },
]

test('the heatmap has each topic with answers on each platform, as the topics have, at both doors', async () => {
  const { body: listed } = await get(`/visibility/topics?${may}`)
  expect((listed.topics as Row[]).map(({ topicName }) => topicName).sort()).toEqual(['T1', 'T2'])
  const { status, body } = await get(`/topics/heatmap?${may}`)
  expect([status, body]).toEqual([
    200,
    {
      project: expect.objectContaining({ id: project }),
      platforms: ['chatgpt', 'perplexity'],
      topics: heatmap.map((row) => ({ topicId: topics[row.topicName], ...row })),
      dateRange: { from: '2025-05-01', to: '2025-05-31' },
    },
  ])
  const fields =
    'platforms { slug } topics: nodes { topicName: topic { name } cells { platform { slug } visibilityScore totalResponses: answerCount } }'
  expect(await graph(`topicHeatmap(window: { ${window} }) { ${fields} }`)).toEqual({
    platforms: ['chatgpt', 'perplexity'],
    topics: heatmap,
  })
})

test('the heatmap takes no platform', async () => {
  expect(await get('/topics/heatmap?platform=chatgpt')).toMatchObject({
    status: 400,
    body: { code: 'invalid_argument', details: { fieldErrors: { platform: expect.any(Array) } } },
  })
})

const history = [
  { date: '2025-05-10', visibilityScore: 100, averagePosition: 1.5, totalResponses: 2 },
]

test('a prompt has its days, through both doors', async () => {
  const { status, body } = await get(`/prompts/${prompts.p2}/history?${may}`)
  expect([status, body]).toEqual([
    200,
    {
      project: expect.objectContaining({ id: project }),
      promptId: prompts.p2,
      history,
      dateRange: { from: '2025-05-01', to: '2025-05-31' },
    },
  ])
  const asked = await graph(
    `prompt(id: "${prompts.p2}") {
       visibilityHistory(filter: { platforms: ["perplexity"] }, window: { ${window} }) {
         history { date visibilityScore averagePosition totalResponses: answerCount } } }`,
  )
  const day = { date: '2025-05-10', visibilityScore: 100, averagePosition: 1, totalResponses: 1 }
  expect(asked).toEqual({ visibilityHistory: { history: [day] } })
  for (const id of [project, 'x']) {
    expect((await get(`/prompts/${id}/history`)).body.code).toBe('not_found')
  }
})
