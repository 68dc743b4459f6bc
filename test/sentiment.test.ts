import { beforeAll, describe, expect, test } from 'vitest'
import { difference, rounded } from '../core/metrics.ts'
import { netSentiment, sentimentScore, toneOf } from '../core/text/sentiment.ts'
import { useApi } from './kit/api.ts'

const api = useApi()

const range = { from: '2025-05-10', to: '2025-05-15' }

/**
 * Counted by hand, in the window of 10 to 15 May:
 *
 *   day  platform    names        tone of Acme
 *   10   chatgpt     Acme         positive
 *   10   perplexity  Acme, Rival  0.05: positive
 *   11   chatgpt     Acme         0.04: neutral
 *   11   chatgpt     Acme         -0.05: negative
 *   12   chatgpt     Acme         none: the line says none, and no rules cover the language of the text
 *   13   chatgpt     Rival        none, since what the line says is meant for Acme
 *
 * The tone of Rival is the text's: positive on the 10th, negative on the 13th.
 *
 * In the six days before: one of each tone. On 10 May of the year before: one negative. On 1 May, which lies
 * in no window: one positive.
 */
const lines = [
  { collectedAt: '2025-05-10T08:00:00Z', text: 'Acme is good.', sentiment: 'positive' },
  {
    collectedAt: '2025-05-10T09:00:00Z',
    platform: 'perplexity',
    text: 'Acme follows, and Rival is great.',
    sentiment: 0.05,
  },
  { collectedAt: '2025-05-11T08:00:00Z', text: 'Acme exists.', sentiment: 0.04 },
  { collectedAt: '2025-05-11T09:00:00Z', text: 'Acme breaks.', sentiment: -0.05 },
  { collectedAt: '2025-05-12T08:00:00Z', text: 'Acme はヘッドホンを作ります。' },
  { collectedAt: '2025-05-13T08:00:00Z', text: 'Rival is awful.', sentiment: 'positive' },
  { collectedAt: '2025-05-04T08:00:00Z', text: 'Acme breaks.', sentiment: 'negative' },
  { collectedAt: '2025-05-09T08:00:00Z', text: 'Acme exists.', sentiment: 'neutral' },
  { collectedAt: '2025-05-09T09:00:00Z', text: 'Acme is good.', sentiment: 1 },
  { collectedAt: '2024-05-10T08:00:00Z', text: 'Acme breaks.', sentiment: -1 },
  { collectedAt: '2025-05-01T08:00:00Z', text: 'Acme is good.', sentiment: 1 },
]

let key = ''
let project = ''
let other = ''
let rival = ''
let zeta = ''

beforeAll(async () => {
  const workspace = await api.workspace()
  project = await workspace.project({
    competitors: [
      { name: 'Zeta', domain: 'zeta.com' },
      { name: 'Rival', domain: 'rival.com' },
    ],
  })
  other = await workspace.project({ name: 'Bolt', domain: 'bolt.io' })
  key = (await workspace.key({ scopes: ['read'] })).key
  const result = await workspace.load(project, lines)
  expect(result).toEqual({ read: 11, loaded: 11, skipped: 0, rejected: [] })
  await workspace.load(other, [{ text: 'Bolt fails.', sentiment: 'negative' }])
  const found = await api.db.competitor.findMany({ where: { projectId: project } })
  rival = found.find(({ name }) => name === 'Rival')?.id ?? ''
  zeta = found.find(({ name }) => name === 'Zeta')?.id ?? ''
})

type Body = Record<string, unknown>

async function rest(path: string, query = 'from=2025-05-10&to=2025-05-15') {
  const response = await api.get(`/api/mcp/projects/${project}${path}?${query}`, key)
  return { status: response.status, body: (await response.json()) as Body }
}

const graph = async (field: string) =>
  Object.values((await root(`project(id: "${project}") { ${field} }`)) as Body)[0]

async function root(query: string) {
  const response = await api.graphql(`{ ${query} }`, key)
  const { data, errors } = (await response.json()) as { data: Body; errors?: unknown }
  expect(errors).toBeUndefined()
  return Object.values(data)[0]
}

const window = 'from: "2025-05-10", to: "2025-05-15"'
const reference = () => ({ id: project, name: 'Acme', domain: 'acme.com' })

const summary = {
  score: 62.5, // 100 · (2 + 1/2) ⁄ 4
  positive: 2,
  neutral: 1,
  negative: 1,
  netSentiment: 25, // 50 − 25
  totalMentions: 4,
}
/** GraphQL gives no score of fewer than five rated answers. */
const ofFew = <Counts extends object>(counts: Counts) => ({
  ...counts,
  ...('score' in counts ? { score: null } : {}),
  ...('netSentiment' in counts ? { netSentiment: null } : {}),
})
const fields = 'score positive neutral negative netSentiment totalMentions: rated'
const count = 'previous change'

describe('a tone', () => {
  test.each([
    [1, 'positive'],
    [0.05, 'positive'],
    [0.0499, 'neutral'],
    [0, 'neutral'],
    [-0.0499, 'neutral'],
    [-0.05, 'negative'],
    [-1, 'negative'],
  ])('of %d is %s', (score, tone) => {
    expect(toneOf(score)).toBe(tone)
  })

  test('a neutral answer counts half, and the halves are exact', () => {
    const low = sentimentScore({ positive: 0, neutral: 1, negative: 2 })
    const lower = sentimentScore({ positive: 0, neutral: 1, negative: 5 })
    expect([rounded(low), rounded(lower)]).toEqual([16.67, 8.33])
    expect(difference(low, lower)).toBe(8.33) // of the unrounded: 1/6 − 1/12
    expect(rounded(netSentiment({ positive: 0, neutral: 1, negative: 2 }))).toBe(-66.67)
  })
})

describe('sentiment', () => {
  test('both doors give the numbers that can be counted by hand', async () => {
    const { body } = await rest('/sentiment')
    expect(JSON.stringify(body)).toBe(
      JSON.stringify({ project: reference(), summary, dateRange: range }),
    )
    expect(await graph(`sentiment(window: { ${window} }) { summary { ${fields} } }`)).toEqual({
      summary: ofFew(summary),
    })
  })

  test('a ratio of fewer than five rated answers has its counts in GraphQL, and no value', async () => {
    const metric = 'value numerator denominator low'
    const asked = `sentiment(window: { ${window} }) { summary { metrics { score { ${metric} } netSentiment { ${metric} } } } }`
    expect(await graph(asked)).toEqual({
      summary: {
        metrics: {
          score: { value: null, numerator: 2.5, denominator: 4, low: null },
          netSentiment: { value: null, numerator: 1, denominator: 4, low: null },
        },
      },
    })
  })

  test('five rated answers give a value in GraphQL', async () => {
    const asked = 'summary { rated unrated method metrics { score { value } } }'
    const all = await graph(
      `sentiment(window: { from: "2025-05-04", to: "2025-05-11" }) { ${asked} }`,
    )
    expect(all).toEqual({
      summary: {
        // 100 · (1 + 2 positive + 1/2 · 2 neutral) ⁄ 7; the answers of the 4th, 9th, 10th and 11th
        rated: 7,
        unrated: 0,
        method: 'imported',
        metrics: { score: { value: 57.14 } },
      },
    })
  })

  test('a name without a sentiment is unrated', async () => {
    const counts = 'rated unrated method'
    const day = 'window: { from: "2025-05-12", to: "2025-05-12" }'
    const one = { rated: 0, unrated: 1, method: 'lexicon' }
    expect(await graph(`sentiment(${day}) { summary { ${counts} } }`)).toEqual({ summary: one })
    expect(await graph(`sentimentHistory(${day}) { history { ${counts} } }`)).toEqual({
      history: [one],
    })
    expect(await graph(`brands(${day}) { nodes { sentiment { ${counts} } } }`)).toMatchObject({
      nodes: [{ sentiment: one }, {}, {}],
    })
  })

  test.each([
    [
      'previous_period',
      {
        mode: 'previous_period',
        dateRange: { from: '2025-05-04', to: '2025-05-09' },
        previous: {
          score: 50,
          positive: 1,
          neutral: 1,
          negative: 1,
          netSentiment: 0,
          totalMentions: 3,
        },
        deltas: {
          score: 12.5,
          positive: 1,
          neutral: 0,
          negative: 0,
          netSentiment: 25,
          totalMentions: 1,
        },
      },
    ],
    [
      'previous_year',
      {
        mode: 'previous_year',
        dateRange: { from: '2024-05-10', to: '2024-05-15' },
        previous: {
          score: 0,
          positive: 0,
          neutral: 0,
          negative: 1,
          netSentiment: -100,
          totalMentions: 1,
        },
        deltas: {
          score: 62.5,
          positive: 2,
          neutral: 1,
          negative: 0,
          netSentiment: 125,
          totalMentions: 3,
        },
      },
    ],
  ])('compared with the %s', async (mode, comparison) => {
    const { body } = await rest('/sentiment', `from=2025-05-10&to=2025-05-15&compare=${mode}`)
    expect(JSON.stringify(body)).toBe(
      JSON.stringify({ project: reference(), summary, comparison, dateRange: range }),
    )
    const inGraph = await graph(
      `sentiment(window: { ${window} }, compare: ${mode}) { comparison { mode dateRange { from to } }
        summary { changes { score { change } netSentiment { change } positive { ${count} } neutral { ${count} }
          negative { ${count} } rated { ${count} } } } }`,
    )
    const { previous, deltas, ...compared } = comparison
    const changeOf = (name: 'positive' | 'neutral' | 'negative' | 'totalMentions') => ({
      previous: previous[name],
      change: deltas[name],
    })
    expect(inGraph).toEqual({
      comparison: compared,
      summary: {
        changes: {
          // Fewer than five rated answers say nothing of a score.
          score: { change: null },
          netSentiment: { change: null },
          positive: changeOf('positive'),
          neutral: changeOf('neutral'),
          negative: changeOf('negative'),
          rated: changeOf('totalMentions'),
        },
      },
    })
  })

  test('compared with a window that has none, the changes of ratios are null', async () => {
    const { body } = await rest(
      '/sentiment',
      'from=2024-05-10&to=2024-05-10&compare=previous_period',
    )
    expect(body.comparison).toMatchObject({
      previous: { score: null, netSentiment: null, totalMentions: 0 },
      deltas: { score: null, negative: 1, netSentiment: null, totalMentions: 1 },
    })
  })

  test('of one platform counts its answers alone', async () => {
    const { body } = await rest('/sentiment', 'from=2025-05-10&to=2025-05-15&platform=Perplexity')
    expect(body.summary).toMatchObject({ score: 100, positive: 1, totalMentions: 1 })
  })

  test('without answers has no score and no error', async () => {
    const { body } = await rest('/sentiment', 'from=2023-01-01&to=2023-01-31')
    expect(body.summary).toEqual({
      score: null,
      positive: 0,
      neutral: 0,
      negative: 0,
      netSentiment: null,
      totalMentions: 0,
    })
  })

  test('of several projects in one query is each project its own', async () => {
    const { nodes } = (await root(
      `projects(first: 9) { nodes { name sentiment(window: { ${window} }) { summary { positive negative } } } }`,
    )) as { nodes: unknown }
    expect(nodes).toEqual([
      { name: 'Acme', sentiment: { summary: { positive: 2, negative: 1 } } },
      { name: 'Bolt', sentiment: { summary: { positive: 0, negative: 1 } } },
    ])
  })

  test('an unknown comparison is refused', async () => {
    const { status, body } = await rest('/sentiment', 'compare=last_week')
    expect([status, body.code]).toEqual([400, 'invalid_argument'])
  })
})

describe('sentiment from day to day', () => {
  test('a day without a sentiment has no score, a day without answers no row', async () => {
    const history = [
      { date: '2025-05-10', score: 100, positive: 2, neutral: 0, negative: 0 },
      { date: '2025-05-11', score: 25, positive: 0, neutral: 1, negative: 1 },
      { date: '2025-05-12', score: null, positive: 0, neutral: 0, negative: 0 },
      { date: '2025-05-13', score: null, positive: 0, neutral: 0, negative: 0 },
    ]
    const { body } = await rest('/sentiment/history')
    expect(JSON.stringify(body)).toBe(
      JSON.stringify({ project: reference(), history, dateRange: range }),
    )
    const asked = 'history { date score positive neutral negative }'
    expect(await graph(`sentimentHistory(window: { ${window} }) { ${asked} }`)).toEqual({
      history: history.map(ofFew),
    })
  })
})

describe('sentiment of the tracked brands', () => {
  test('both doors give the brand and every competitor, the most spoken of first', async () => {
    const brand = { name: 'Acme', score: 62.5, positive: 2, neutral: 1, negative: 1 }
    const competitors = [
      { competitorId: rival, name: 'Rival', score: 50, positive: 1, neutral: 0, negative: 1 },
      { competitorId: zeta, name: 'Zeta', score: null, positive: 0, neutral: 0, negative: 0 },
    ]
    const { body } = await rest('/sentiment/competitors')
    expect(JSON.stringify(body)).toBe(
      JSON.stringify({ project: reference(), brand, competitors, dateRange: range }),
    )
    const counts = 'score positive neutral negative'
    const rows = [brand, ...competitors].map((row) => {
      const { name, score, positive, neutral, negative } = ofFew(row) as typeof row
      return { brand: { name }, sentiment: { score, positive, neutral, negative } }
    })
    expect(
      await graph(
        `brands(window: { ${window} }) { nodes { brand { name } sentiment { ${counts} } } }`,
      ),
    ).toEqual({ nodes: rows })
  })
})
