import { beforeAll, describe, expect, test } from 'vitest'
import { graphWord } from '../../schema/kit/words.ts'
import { type TestWorkspace, useApi } from '../kit/api.ts'
import { countedStatements } from '../kit/statements.ts'
import {
  answersOn,
  dates,
  investigateDoors,
  of,
  window as restWindow,
  rowsOf,
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

describe('every metric', () => {
  let project = ''
  let rival = ''

  /**
   * Rated answers in brackets; "own" cites acme.com.
   *
   *   window  prompt  topics  place   answers
   *   now     p1      A, B    Berlin  Acme (+) own · Acme, Rival (0) · Rival
   *           p2      A       none    Acme (-) · nobody
   *           p3      none    none    Rival
   *   before  p1      A, B    Berlin  Rival · nobody
   *           p2      A       none    Acme (+) own, own · Acme, Gone (-)
   */
  beforeAll(async () => {
    const named = (name: string) => ({ name, domain: `${name.toLowerCase()}.com` })
    project = await workspace.project({ competitors: [named('Rival'), named('Gone')] })
    const cites = (...paths: string[]) => ({
      citations: paths.map((path) => ({ url: `https://acme.com/${path}` })),
    })
    const p1 = { prompt: 'p1', location: 'Berlin, Germany' }
    const [p2, p3] = [{ prompt: 'p2' }, { prompt: 'p3' }]
    const now = (minute: number) => ({ collectedAt: `2025-05-15T08:0${minute}:00Z` })
    const earlier = (minute: number) => ({ collectedAt: `2025-05-05T08:0${minute}:00Z` })
    const loaded = await workspace.load(project, [
      { ...p1, ...now(0), text: 'Acme.', sentiment: 1, ...cites('a') },
      { ...p1, ...now(1), text: 'Acme and Rival.', sentiment: 0 },
      { ...p1, ...now(2), text: 'Rival.' },
      { ...p2, ...now(3), text: 'Acme.', sentiment: -1 },
      { ...p2, ...now(4), text: 'Nobody.' },
      { ...p3, ...now(5), text: 'Rival.' },
      { ...p1, ...earlier(0), text: 'Rival.' },
      { ...p1, ...earlier(1), text: 'Nobody.' },
      { ...p2, ...earlier(2), text: 'Acme.', sentiment: 1, ...cites('a', 'b') },
      { ...p2, ...earlier(3), text: 'Acme and Gone.', sentiment: -1 },
    ])
    expect(loaded).toMatchObject({ loaded: 10, rejected: [] })
    const prompts = await api.db.prompt.findMany({ where: { projectId: project } })
    for (const [name, texts] of Object.entries({ A: ['p1', 'p2'], B: ['p1'] })) {
      const topic = await api.db.topic.create({ data: { projectId: project, name } })
      for (const { id: promptId, text } of prompts) {
        if (!texts.includes(text)) continue
        await api.db.promptTopic.create({ data: { promptId, topicId: topic.id, position: 1 } })
      }
    }
    const where = { projectId: project, name: 'Gone' }
    await api.db.competitor.deleteMany({ where })
    rival = (await api.db.competitor.findFirstOrThrow({ where: { projectId: project } })).id
  })

  test('visibility: a prompt of two topics gives half to each, and none to the key none', async () => {
    const body = await everywhere(project, 'visibility') // 3 of 6, 2 of 4
    expect(body).toMatchObject({ current: 50, previous: 50, change: 0, interval: null })
    // A: 1 + 1 of 1.5 + 2 now, 0 + 2 of 1 + 2 before; B: 1 of 1.5, 0 of 1; none: 0 of 1
    expect(rowsOf(body, 'topic').sort()).toEqual([
      ['A', -16.67, 57.14, 66.67],
      ['B', 16.67, 66.67, 0],
      ['No topic', 0, 0, null],
    ])
    expect(of(body, 'topic').at(-1)?.key).toBe('none')
    expect(rowsOf(body, 'prompt').sort()).toEqual([
      ['p1', 33.33, 66.67, 0],
      ['p2', -33.33, 50, 100],
      ['p3', 0, 0, null],
    ])
    expect(rowsOf(body, 'location').sort()).toEqual([
      ['Berlin, DE', 33.33, 66.67, 0],
      ['No location', -33.33, 33.33, 100],
    ])
    expect(body.evidence).toEqual([])
  })

  test('share of voice: what a tracked competitor wins, the brand loses', async () => {
    const body = await everywhere(project, 'shareOfVoice') // 3 of 3 + 3, 2 of 2 + 1
    expect(body).toMatchObject({ current: 50, previous: 66.67, change: -16.67 })
    expect(of(body, 'competitor')).toEqual([
      {
        dimension: 'competitor',
        key: rival,
        label: 'Rival',
        contribution: -16.67,
        current: 50,
        previous: 33.33,
        rateEffect: null,
        mixEffect: null,
      },
    ])
    // p2 moved it down most: none of its answers now names a competitor alone. p3 did not move it.
    expect(rowsOf(body, 'prompt')).toEqual([
      ['p2', -50, 100, 100],
      ['p1', 33.33, 50, 0],
      ['p3', 0, 0, null],
    ])
    expect(body.evidence).toEqual([])
    const { report } = await graph(
      project,
      `metric: share_of_voice, window: { ${dates} }`,
      'drivers { dimension label competitor { name } prompt { text } platform { slug } }',
    )
    const ofDimension = (name: string) =>
      report?.drivers
        .filter(({ dimension }) => dimension === name)
        .map(({ dimension: _dimension, ...driver }) => driver)
    const none = { competitor: null, prompt: null, platform: null }
    expect(ofDimension('competitor')).toEqual([{ ...none, label: 'Rival', competitor: 'Rival' }])
    expect(ofDimension('prompt')).toEqual(
      ['p2', 'p1', 'p3'].map((text) => ({ ...none, label: text, prompt: text })),
    )
  })

  test('sentiment: a neutral answer counts half', async () => {
    const { body } = await rest(project, `metric=sentiment&${restWindow}`) // 1.5 of 3, 1 of 2
    expect(body).toMatchObject({ current: 50, previous: 50, change: 0 })
    expect(rowsOf(body, 'prompt').sort()).toEqual([
      ['p1', 50, 75, null],
      ['p2', -50, 0, 50],
    ])
    const p2 = of(body, 'prompt').find(({ label }) => label === 'p2')
    expect(p2).toMatchObject({ rateEffect: -33.33, mixEffect: -16.67 })
    // The graph gives no score of fewer than five rated answers, but all that the change consists of.
    const { report } = await graph(project, `metric: sentiment, window: { ${dates} }`)
    const noScore = { current: null, previous: null }
    const drivers = body.drivers.map((driver) => ({ ...driver, ...noScore }))
    expect(report).toMatchObject({ ...noScore, change: null, drivers })
  })

  test('citations: a plain difference, counted from 0', async () => {
    const body = await everywhere(project, 'citations')
    expect(body).toMatchObject({ current: 1, previous: 2, change: -1, interval: null })
    expect(of(body, 'prompt')).toMatchObject([
      { label: 'p2', contribution: -2, current: 0, previous: 2, rateEffect: null, mixEffect: null },
      { label: 'p1', contribution: 1, current: 1, previous: 0 },
    ])
    expect(rowsOf(body, 'topic')).toEqual([
      ['A', -1.5, 0.5, 2],
      ['B', 0.5, 0.5, 0],
    ])
    expect(body.evidence.map(({ excerpt }) => excerpt)).toEqual(['Nobody.', 'Acme.'])
    const first = await rest(project, 'metric=citations&from=2025-05-01&to=2025-05-10')
    expect(first.body).toMatchObject({ current: 2, previous: 0, change: 2, isSignificant: null })
    expect(rowsOf(first.body, 'platform')).toEqual([['ChatGPT', 2, 2, 0]])
  })

  type Fraction = { numerator: number; denominator: number; value: number } | null
  const fraction = '{ numerator denominator value }'

  test.each([
    ['visibility', 4, 100],
    ['shareOfVoice', 5, 100],
    ['sentiment', 4, 100],
    ['citations', 4, 1],
  ])(
    '%s: the fractions of each of %i dimensions sum to the change',
    async (metric, count, scale) => {
      const { report } = await graph(
        project,
        `metric: ${graphWord(metric)}, window: { ${dates} }`,
        `metrics { current ${fraction} previous ${fraction} change ${fraction} }
       drivers { dimension contribution metrics { contribution ${fraction} rateEffect ${fraction} mixEffect ${fraction} } }`,
      )
      const sum = (fractions: readonly Fraction[]) =>
        fractions.reduce((all, it) => all + (it ? (scale * it.numerator) / it.denominator : 0), 0)
      const { current, previous, change } = (report?.metrics ?? {}) as Record<string, Fraction>
      const total = sum([change ?? null])
      expect(sum([current ?? null]) - sum([previous ?? null])).toBeCloseTo(total, 9)
      const byDimension = Map.groupBy(report?.drivers ?? [], ({ dimension }) => dimension)
      expect(byDimension.size).toBe(count)
      for (const drivers of byDimension.values()) {
        const all = drivers.map(({ metrics }) => metrics as Record<string, Fraction>)
        expect(sum(all.map(({ contribution }) => contribution ?? null))).toBeCloseTo(total, 9)
        expect(all.map(({ contribution }) => contribution?.value)).toEqual(
          drivers.map(({ contribution }) => contribution),
        )
        for (const { contribution, rateEffect, mixEffect } of all) {
          if (!rateEffect || !mixEffect) continue
          expect(sum([rateEffect, mixEffect])).toBeCloseTo(sum([contribution ?? null]), 9)
        }
      }
    },
  )
})

test('of 60 prompts 50 are listed, and the others are one driver, last', async () => {
  const project = await workspace.project()
  const prompts = Array.from({ length: 60 }, (_, i) => ({ prompt: `p${i}` }))
  await workspace.load(project, [
    ...prompts.flatMap((prompt) => answersOn({ ...prompt, day: 15 }, 1, 1)),
    ...prompts.flatMap((prompt) => answersOn({ ...prompt, day: 5 }, 1, 0)),
  ])
  const body = await everywhere(project, 'visibility')
  expect(body).toMatchObject({
    change: 100,
    interval: { low: 100, high: 100 },
    isSignificant: true,
  })
  const drivers = of(body, 'prompt')
  expect(drivers).toHaveLength(51)
  expect(new Set(drivers.slice(0, 50).map(({ contribution }) => contribution))).toEqual(
    new Set([1.67]),
  )
  expect(drivers.at(-1)).toEqual({
    dimension: 'prompt',
    key: 'other',
    label: '10 others',
    contribution: 16.67,
    current: 100,
    previous: 0,
    rateEffect: 16.67,
    mixEffect: 0,
  })
  expect(body.evidence).toHaveLength(5)
})

test('an excerpt shows the first naming of the brand, without Markdown', async () => {
  const project = await workspace.project()
  const filler = 'Many words that say little. '.repeat(20)
  await workspace.load(project, [
    { collectedAt: '2025-05-05T08:00:00Z', text: 'Nobody.' },
    {
      collectedAt: '2025-05-15T08:00:00Z',
      text: `${filler}\n\n- **Acme** is [best](https://a.org). ${filler}`,
    },
  ])
  const { evidence } = await everywhere(project, 'visibility')
  const excerpt = evidence[0]?.excerpt ?? ''
  expect(excerpt).toMatch(/^….* Acme is best\. .*…$/)
  expect(excerpt.length).toBeLessThanOrEqual(242)
})

test('projects that are asked together share one statement', async () => {
  const other = await workspace.project({ name: 'Other', domain: 'other.com' })
  await workspace.load(other, [{ collectedAt: '2025-05-15T08:00:00Z', text: 'Other.' }])
  statements.taken()
  const query = `{ projects(first: 50) { nodes { name investigate(metric: citations, window: { ${dates} }) { current } } } }`
  const { data } = (await (await api.graphql(query, key)).json()) as {
    data: { projects: { nodes: { name: string; investigate: { current: number } }[] } }
  }
  expect(data.projects.nodes.find(({ name }) => name === 'Other')?.investigate).toEqual({
    current: 0,
  })
  expect(data.projects.nodes.map(({ investigate }) => investigate.current)).toContain(1)
  expect(statements.taken()).toEqual(['investigate.citations'])
})
