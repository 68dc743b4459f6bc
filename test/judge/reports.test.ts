import { beforeAll, describe, expect, test } from 'vitest'
import { rulesVersion } from '../../core/text/rules-version.ts'
import { openJudge } from '../../imports/judge/client.ts'
import { judgeProject } from '../../imports/judge/judge.ts'
import { useApi } from '../kit/api.ts'
import { useProvider } from '../kit/judge/provider.ts'

const api = useApi()
const may = 'window: { from: "2025-05-10", to: "2025-05-15" }'

/**
 * Answers about Acme on chatgpt, but for the last two. The lexicon knows "excellent" and "terrible", the judge "great"
 * and "awful".
 *
 *   day  text                                lexicon     judge
 *   10   Acme is excellent, truly great.     positive    positive
 *   10   Acme is terrible, truly awful.      negative    negative
 *   11   Acme is excellent, in a word.       positive    neutral
 *   11   Acme costs 5 euros in the shop.     neutral     neutral
 *   12   Acme är great, det säger alla här i hela landet.     unrated     positive
 *   12   Acme is only named here, says it.   (imported) positive    unrated
 *   13   Rival is terrible, truly awful.     Rival: negative, negative
 */
const texts = [
  ['2025-05-10', 'Acme is excellent, truly great.'],
  ['2025-05-10', 'Acme is terrible, truly awful.'],
  ['2025-05-11', 'Acme is excellent, in a word.'],
  ['2025-05-11', 'Acme costs 5 euros in the shop.'],
  ['2025-05-12', 'Acme är great, och det säger verkligen alla här i hela landet.'],
  ['2025-05-12', 'Acme is only named here, says it.', 'positive'],
  ['2025-05-13', 'Rival is terrible, truly awful.'],
] as const

let key = ''
let project = ''
let other = ''

beforeAll(async () => {
  const provider = await useProvider()
  const workspace = await api.workspace()
  project = await workspace.project({ competitors: [{ name: 'Rival', domain: 'rival.com' }] })
  other = await workspace.project({ name: 'Bolt', domain: 'bolt.io' })
  key = (await workspace.key({ scopes: ['read'] })).key
  const lines = texts.map(([day, text, sentiment], i) => ({
    collectedAt: `${day}T08:00:00Z`,
    run: i,
    text,
    ...(i > 4 ? { platform: 'perplexity' } : {}),
    ...(sentiment ? { sentiment } : {}),
  }))
  await workspace.load(project, lines)
  await workspace.load(other, [{ text: 'Bolt is excellent.' }])
  const judge = openJudge({ JUDGE_MODEL: 'test', JUDGE_URL: provider.url })
  if (judge) await judgeProject(api, { projectId: project, judge })
})

async function graph(field: string, id = project): Promise<unknown> {
  const response = await api.graphql(`{ project(id: "${id}") { ${field} } }`, key)
  const { data, errors } = (await response.json()) as {
    data: { project: Record<string, unknown> }
    errors?: unknown
  }
  expect(errors).toBeUndefined()
  return Object.values(data.project)[0]
}

const counts = 'score positive neutral negative rated unrated method methodVersion'
const version = expect.stringMatching(/^test@[0-9a-f]{8}$/)
const byJudge = {
  score: 60,
  positive: 2,
  neutral: 2,
  negative: 1,
  rated: 5,
  unrated: 1, // 100 · (2 + 1) ⁄ 5
  method: 'judge',
  methodVersion: version,
}

describe('sentiment by the judge', () => {
  test('counts its verdicts alone; answers without one are unrated', async () => {
    expect(await graph(`sentiment(${may}, method: judge) { summary { ${counts} } }`)).toEqual({
      summary: byJudge,
    })
  })

  test('has intervals of its own verdicts', async () => {
    const metric = 'value numerator denominator basketLow'
    const asked = `sentiment(${may}, method: judge) { summary { metrics { score { ${metric} } } } }`
    const { summary } = (await graph(asked)) as {
      summary: { metrics: { score: { basketLow: number } } }
    }
    expect(summary.metrics.score).toMatchObject({ value: 60, numerator: 3, denominator: 5 })
    expect(summary.metrics.score.basketLow).toBeLessThan(60)
  })

  test('never mixes with the lexicon, whose report says what the import brought', async () => {
    expect(await graph(`sentiment(${may}) { summary { ${counts} } }`)).toEqual({
      // 100 · (3 + 1/2) ⁄ 5: two of the lexicon and one of the import are positive
      summary: {
        score: 70,
        positive: 3,
        neutral: 1,
        negative: 1,
        rated: 5,
        unrated: 1,
        method: 'mixed',
        methodVersion: String(rulesVersion.tone),
      },
    })
  })

  test('by day, by platform and by brand', async () => {
    const few = 'positive neutral negative unrated'
    expect(
      await graph(`sentimentHistory(${may}, method: judge) { history { date ${few} } }`),
    ).toEqual({
      history: [
        { date: '2025-05-10', positive: 1, neutral: 0, negative: 1, unrated: 0 },
        { date: '2025-05-11', positive: 0, neutral: 2, negative: 0, unrated: 0 },
        { date: '2025-05-12', positive: 1, neutral: 0, negative: 0, unrated: 1 },
        { date: '2025-05-13', positive: 0, neutral: 0, negative: 0, unrated: 0 },
      ],
    })
    const platforms = `platforms { nodes { id: slug sentiment(${may}, method: judge) { summary { ${few} } } } }`
    const { nodes } = (await graph(platforms)) as { nodes: { id: string; sentiment: unknown }[] }
    const answering = nodes.filter(({ id }) => ['chatgpt', 'perplexity'].includes(id))
    expect(Object.fromEntries(answering.map(({ id, sentiment }) => [id, sentiment]))).toEqual({
      chatgpt: { summary: { positive: 2, neutral: 2, negative: 1, unrated: 0 } },
      perplexity: { summary: { positive: 0, neutral: 0, negative: 0, unrated: 1 } },
    })
  })

  test('at the own brand, in lists of brands, at competitors and in slices', async () => {
    const own = { positive: 2, neutral: 2, negative: 1, unrated: 1, method: 'judge' }
    const rival = { positive: 0, neutral: 0, negative: 1, unrated: 0, method: 'judge' }
    const tones = 'positive neutral negative unrated method'
    expect(await graph(`ownBrand { sentiment(${may}, method: judge) { ${tones} } }`)).toEqual({
      sentiment: own,
    })
    const standing = `nodes { brand { name } sentiment { ${tones} } }`
    const both = [
      { brand: { name: 'Acme' }, sentiment: own },
      { brand: { name: 'Rival' }, sentiment: rival },
    ]
    expect(await graph(`brands(${may}, method: judge) { ${standing} }`)).toEqual({ nodes: both })
    expect(
      await graph(`competitors { nodes { sentiment(${may}, method: judge) { ${tones} } } }`),
    ).toEqual({ nodes: [{ sentiment: rival }] })
    const { nodes } = (await graph(
      `platforms { nodes { id: slug brands(${may}, method: judge) { ${standing} } } }`,
    )) as { nodes: { id: string; brands: { nodes: unknown } }[] }
    const chatgpt = nodes.find(({ id }) => id === 'chatgpt')
    expect(chatgpt?.brands.nodes).toEqual([
      { brand: { name: 'Acme' }, sentiment: { ...own, unrated: 0 } },
    ])
    // The lexicon and the import, unless the judge is asked for.
    expect(await graph(`ownBrand { sentiment(${may}) { positive method } }`)).toEqual({
      sentiment: { positive: 3, method: 'mixed' },
    })
  })

  test('in an investigation, whose evidence the judge rated', async () => {
    const eleventh = 'window: { from: "2025-05-11", to: "2025-05-11" }'
    const ask = (method: string) =>
      graph(
        `investigate(metric: sentiment, ${eleventh}${method}) { method
           metrics { current { numerator denominator } previous { numerator denominator } } }`,
      )
    // Two neutral answers by the judge; one of them is positive by the lexicon.
    const before = { numerator: 1, denominator: 2 }
    expect(await ask(', method: judge')).toEqual({
      method: 'judge',
      metrics: { current: before, previous: before },
    })
    expect(await ask('')).toEqual({
      method: 'lexicon',
      metrics: { current: { numerator: 1.5, denominator: 2 }, previous: before },
    })
    const twelfth = 'window: { from: "2025-05-12", to: "2025-05-12" }'
    const { evidence } = (await graph(
      `investigate(metric: sentiment, ${twelfth}, method: judge) { evidence { excerpt } }`,
    )) as { evidence: { excerpt: string }[] }
    expect(evidence.map(({ excerpt }) => excerpt)).toEqual([texts[4][1]])
    expect(await graph(`investigate(metric: visibility, ${may}) { method }`)).toEqual({
      method: null,
    })
  })

  test('compares both windows by the judge', async () => {
    const asked = `sentiment(window: { from: "2025-05-11", to: "2025-05-11" }, compare: previous_period, method: judge) { summary { changes { score { change } positive { previous } negative { previous } neutral { change } } } }`
    expect(await graph(asked)).toEqual({
      summary: {
        changes: {
          score: { change: null },
          positive: { previous: 1 },
          negative: { previous: 1 },
          neutral: { change: 2 },
        },
      },
    })
  })

  test('agrees with the lexicon as far as can be counted', async () => {
    const asked = `sentiment(${may}) { agreement { compared agreed rate { value numerator denominator } kappa } }`
    // Four answers, three alike. By chance: (2·1 + 1·1 + 1·2) ⁄ 16 = 5/16, so kappa is (3/4 − 5/16) ⁄ (1 − 5/16) = 7/11.
    expect(await graph(asked)).toEqual({
      agreement: {
        compared: 4,
        agreed: 3,
        kappa: 0.64,
        rate: { value: 75, numerator: 3, denominator: 4 },
      },
    })
  })

  test('is empty where no judge has run, and no error', async () => {
    const asked = `sentiment(window: { from: "2025-05-10", to: "2025-05-10" }, method: judge) { summary { ${counts} } agreement { compared kappa } }`
    expect(await graph(asked, other)).toEqual({
      summary: {
        score: null,
        positive: 0,
        neutral: 0,
        negative: 0,
        rated: 0,
        unrated: 1,
        method: 'judge',
        methodVersion: null,
      },
      agreement: { compared: 0, kappa: null },
    })
  })

  test('is not of REST while the project leaves it to rules', async () => {
    const path = `/api/mcp/projects/${project}/sentiment?from=2025-05-10&to=2025-05-15`
    const { summary } = (await (await api.get(path, key)).json()) as { summary: object }
    expect(summary).toMatchObject({ score: 70, positive: 3, totalMentions: 5 })
  })
})
