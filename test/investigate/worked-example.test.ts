import { beforeAll, describe, expect, test } from 'vitest'
import { type TestWorkspace, useApi } from '../kit/api.ts'
import { countedStatements } from '../kit/statements.ts'
import {
  answersOn,
  dates,
  investigateDoors,
  of,
  previousRange,
  range,
  rowsOf,
  window,
} from './investigate.ts'

const statements = countedStatements()
const api = useApi({}, statements.log)

let workspace: TestWorkspace
let key = ''
const { rest, graph, everywhere } = investigateDoors(api, () => key)

beforeAll(async () => {
  workspace = await api.workspace()
  key = (await workspace.key()).key
})

describe('the worked example', () => {
  let project = ''

  /** Five prompts of 20 answers in each window: 12 and 8 on the two platforms now, 16 and 4 before. */
  beforeAll(async () => {
    project = await workspace.project()
    const named = [
      { now: [9, 3], before: [5, 3] },
      { now: [8, 2], before: [5, 3] },
      { now: [6, 2], before: [4, 2] },
      { now: [4, 2], before: [4, 1] },
      { now: [3, 1], before: [2, 1] },
    ]
    const lines = named.flatMap(({ now, before }, i) => {
      const [chatgpt, perplexity] = ['chatgpt', 'perplexity'].map((platform) => {
        return { platform, prompt: `p${i + 1}` }
      })
      return [
        ...answersOn({ ...chatgpt, day: 15 }, 12, now[0] ?? 0),
        ...answersOn({ ...perplexity, day: 16 }, 8, now[1] ?? 0),
        ...answersOn({ ...chatgpt, day: 5 }, 16, before[0] ?? 0),
        ...answersOn({ ...perplexity, day: 6 }, 4, before[1] ?? 0),
      ]
    })
    expect(await workspace.load(project, lines)).toMatchObject({ loaded: 200 })
  })

  test('gives the change, its interval and its drivers through both doors', async () => {
    statements.taken()
    const body = await everywhere(project, 'visibility')
    const taken = statements.taken()
    expect(taken.slice(0, 4)).toEqual([
      'investigate.visibility',
      'investigate.visibility.evidence',
      'investigate.visibility',
      'investigate.visibility.evidence',
    ])
    // The graph asks for the ids of the answers alone: none of them is read.
    expect(taken.slice(4)).toEqual([])
    expect(Object.keys(body)).toEqual([
      'project',
      'metric',
      'current',
      'previous',
      'change',
      'interval',
      'isSignificant',
      'drivers',
      'evidence',
      'dateRange',
      'previousRange',
    ])
    expect(body).toMatchObject({
      metric: 'visibility',
      current: 40,
      previous: 30,
      change: 10,
      interval: { low: 2.4, high: 17.6 },
      isSignificant: true,
      dateRange: range,
      previousRange,
    })
    expect(of(body, 'platform')).toEqual([
      {
        dimension: 'platform',
        key: 'chatgpt',
        label: 'ChatGPT',
        contribution: 10,
        current: 50,
        previous: 25,
        rateEffect: 17.5,
        mixEffect: -7.5,
      },
      {
        dimension: 'platform',
        key: 'perplexity',
        label: 'Perplexity',
        contribution: 0,
        current: 25,
        previous: 50,
        rateEffect: -7.5,
        mixEffect: 7.5,
      },
    ])
    expect(rowsOf(body, 'topic')).toEqual([['No topic', 10, 40, 30]])
    expect(rowsOf(body, 'location')).toEqual([['No location', 10, 40, 30]])
    expect(of(body, 'competitor')).toEqual([])
    expect(rowsOf(body, 'prompt').sort()).toEqual([
      ['p1', 4, 60, 40],
      ['p2', 2, 50, 40],
      ['p3', 2, 40, 30],
      ['p4', 1, 30, 25],
      ['p5', 1, 20, 15],
    ])
    expect(of(body, 'prompt')[0]).toMatchObject({ label: 'p1', rateEffect: 4, mixEffect: 0 })
    expect([...new Set(body.drivers.map(({ dimension }) => dimension))]).toEqual([
      'platform',
      'topic',
      'prompt',
      'location',
    ])
  })

  test('shows the two newest answers of each prompt that count, the first driver first', async () => {
    const { body } = await rest(project, `metric=visibility&${window}`)
    expect(body.evidence).toHaveLength(10)
    expect([body.evidence[0]?.promptId, body.evidence[1]?.promptId]).toEqual(
      Array(2).fill(of(body, 'prompt')[0]?.key),
    )
    expect(Object.keys(body.evidence[0] ?? {})).toEqual([
      'answerId',
      'promptId',
      'platform',
      'date',
      'excerpt',
    ])
    expect(body.evidence[0]).toMatchObject({
      platform: 'perplexity',
      date: '2025-05-16',
      excerpt: 'Take Acme.',
    })
    expect(new Set(body.evidence.map(({ excerpt }) => excerpt))).toEqual(new Set(['Take Acme.']))
    const { body: fallen } = await rest(project, 'metric=visibility&from=2025-05-16&to=2025-05-16')
    expect(fallen).toMatchObject({ current: 25, previous: 50, change: -25 })
    expect(new Set(fallen.evidence.map(({ excerpt }) => excerpt))).toEqual(new Set(['Take none.']))
  })

  test('a filter narrows both windows', async () => {
    const { body } = await rest(project, `metric=visibility&${window}&platform=ChatGPT`)
    expect(body).toMatchObject({ current: 50, previous: 25, change: 25 })
    expect(rowsOf(body, 'platform')).toEqual([['ChatGPT', 25, 50, 25]])
    const { report } = await graph(
      project,
      `metric: visibility, window: { ${dates} }, filter: { platforms: ["perplexity"] }`,
    )
    expect(report).toMatchObject({ current: 25, previous: 50, change: -25 })
  })

  test('filters that nothing passes give null, and 200', async () => {
    for (const [metric, current] of [
      ['visibility', null],
      ['shareOfVoice', null],
      ['sentiment', null],
      ['citations', 0],
    ]) {
      const { status, body } = await rest(project, `metric=${metric}&${window}&country=FR`)
      expect(status).toBe(200)
      expect(body).toEqual({
        project: { id: project, name: 'Acme', domain: 'acme.com' },
        metric,
        current,
        previous: current,
        change: current,
        interval: null,
        isSignificant: null,
        drivers: [],
        evidence: [],
        dateRange: range,
        previousRange,
      })
    }
  })

  test('an empty window before has no change and no drivers', async () => {
    const { body } = await rest(project, 'metric=visibility&from=2025-05-01&to=2025-05-10')
    expect(body).toMatchObject({
      current: 30,
      previous: null,
      change: null,
      interval: null,
      isSignificant: null,
      drivers: [],
      evidence: [],
    })
  })

  test.each([
    ['', 'is required and must be one of visibility, shareOfVoice, sentiment, citations.'],
    [
      'metric=',
      'must be one of visibility, shareOfVoice, sentiment, citations; got an empty text.',
    ],
    ['metric=rank', 'must be one of visibility, shareOfVoice, sentiment, citations; got `rank`.'],
  ])('without a known metric (%j) the refusal lists the metrics', async (query, told) => {
    const { status, body } = await rest(project, query)
    expect([status, body.code, body.message]).toEqual([
      400,
      'invalid_argument',
      `\`metric\` ${told}`,
    ])
  })

  test.each([
    'metric=visibility&days=0',
    'metric=visibility&metric=visibility',
    'metric=visibility&format=csv',
  ])('%s is refused', async (query) => {
    const { status, body } = await rest(project, query)
    expect([status, body.code]).toEqual([400, 'invalid_argument'])
  })

  test.each([
    ['metric: rank, window: { days: 7 }', '`metric` must be one of visibility, '],
    ['window: { days: 7 }', '`metric` is required.'],
  ])('GraphQL names the metric that is unknown or missing in %s', async (args, named) => {
    const { errors } = await graph(project, args)
    expect(errors?.[0]?.message).toContain(named)
  })
})
