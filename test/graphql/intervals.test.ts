import { beforeAll, describe, expect, test } from 'vitest'
import { intervalsOf, type Kind } from '../../core/intervals/intervals.ts'
import { type TestWorkspace, useApi } from '../kit/api.ts'
import { flat } from '../kit/graphql/flat.ts'
import { graphRequests } from '../kit/graphql/requests.ts'
import {
  advertised,
  citations,
  citationsWhereCited,
  cited,
  counted,
  type IntervalLine,
  importOf,
  linesOf,
  named,
  netToned,
  type Pick,
  ranked,
  searched,
  searching,
  toned,
  voiced,
  withAd,
  withProduct,
} from './interval-lines.ts'

const api = useApi()
const request = graphRequests(api)

const window = 'window: { from: "2025-05-01", to: "2025-05-31" }'
const metric =
  '{ value numerator denominator low high basketLow basketHigh effectiveN designEffect caveat }'

type Row = Record<string, unknown>
type Metrics = Record<string, Row>

/** 160 answers to 12 prompts on three platforms. */
const lines = linesOf(160, 12)

let workspace: TestWorkspace
let key = ''
let project = ''

async function loaded(answers: readonly IntervalLine[]): Promise<string> {
  const id = await workspace.project({
    competitors: [
      { name: 'Bose', domain: 'bose.com' },
      { name: 'JBL', domain: 'jbl.com' },
    ],
  })
  await workspace.load(id, answers.map(importOf))
  return id
}

beforeAll(async () => {
  workspace = await api.workspace('enterprise')
  key = (await workspace.key()).key
  project = await loaded(lines)
})

async function ask(fields: string, of = project): Promise<Row> {
  const { data } = await request(key, `{ project(id: "${of}") { ${fields} } }`)
  return data.project as Row
}

const rounded = (value: number) => Math.round(value * 100) / 100

/** What a metric of these answers shows, counted answer by answer. */
function expected(answers: readonly IntervalLine[], pick: Pick, kind: Kind): Row {
  const sample = counted(answers, pick)
  const scale = kind === 'mean' || kind === 'rank' ? 1 : 100
  const { questions, basket, effectiveN, designEffect } = intervalsOf(sample, kind)
  const end = (value: number | undefined) =>
    value === undefined ? null : expect.closeTo(rounded(scale * value), 1)
  const close = (value: number | null) => value && expect.closeTo(rounded(value), 1)
  return {
    value: sample.b === 0 ? null : expect.closeTo(rounded((scale * sample.a) / sample.b), 6),
    numerator: sample.a,
    denominator: sample.b,
    low: end(questions?.low),
    high: end(questions?.high),
    basketLow: end(basket?.low),
    basketHigh: end(basket?.high),
    effectiveN: close(effectiveN),
    designEffect: close(designEffect),
    caveat: caveatOf(sample.prompts),
  }
}

const caveatOf = (prompts: number) => {
  if (prompts === 0) return null
  if (prompts === 1) return 'one_prompt'
  return prompts < 10 ? 'few_prompts' : null
}

/** The metrics of the first object on a path. */
const at = (found: unknown, ...path: readonly string[]): Metrics =>
  path.reduce((of, name) => (of as Row)[name], found) as Metrics

describe('a ratio has the intervals of its own answers, counted one by one', () => {
  test('visibility and mean position in the window', async () => {
    const found = await ask(
      `visibility(${window}) { summary { metrics { visibilityScore ${metric} averagePosition ${metric} } } }`,
    )
    expect(at(found, 'visibility', 'summary', 'metrics')).toEqual({
      visibilityScore: expected(lines, named('Acme'), 'proportion'),
      averagePosition: expected(lines, ranked('Acme'), 'rank'),
    })
  })

  test.each([
    ['visibilityByPlatform', 'platforms', 'platform { slug }', 'visibilityScore', 'platform'],
    ['visibilityByTopic', 'nodes', 'topic { name }', 'visibilityScore', 'topic'],
    ['visibilityByPrompt', 'nodes', 'prompt { text }', 'visibilityScore', 'prompt'],
    ['visibility', 'trend', 'date', 'visibilityScore', 'date'],
  ])('%s', async (report, list, name, ratio, of) => {
    const fields = `${list} { of: ${name} metrics { ${ratio} ${metric} averagePosition ${metric} } }`
    const found = await ask(`${report}(${window}) { ${fields} }`)
    const rows = flat((found[report] as Row)[list] as Row[])
    expect(rows.length).toBeGreaterThan(1)
    for (const row of rows) {
      const own = lines.filter((line) =>
        of === 'date' ? line.collectedAt.startsWith(String(row.of)) : line[of] === row.of,
      )
      expect([row.of, row.metrics]).toEqual([
        row.of,
        {
          [ratio]: expected(own, named('Acme'), 'proportion'),
          averagePosition: withoutSpread(expected(own, ranked('Acme'), 'rank')),
        },
      ])
    }
  })

  test('a topic on a platform', async () => {
    const found = await ask(
      `topicHeatmap(${window}) { nodes { topicName: topic { name } cells { platform { slug } metrics { visibilityScore ${metric} } } } }`,
    )
    for (const { topicName, cells } of flat(at(found, 'topicHeatmap').nodes as unknown as Row[])) {
      for (const { platform, metrics } of cells as Row[]) {
        const own = lines.filter((it) => it.topic === topicName && it.platform === platform)
        expect(metrics).toEqual({ visibilityScore: expected(own, named('Acme'), 'proportion') })
      }
    }
  })

  test('each brand: its rate, its position, its share of voice, on a day too', async () => {
    const found = await ask(`
      shareOfVoice(${window}) { own { metrics { shareOfVoice ${metric} } } nodes { brand { name } metrics { shareOfVoice ${metric} } } }
      visibility(${window}) { industryRanking { brands: entities { brand { name } metrics { visibilityScore ${metric} } } } }
      competitors { nodes { name visibility(${window}) { metrics { visibilityScore ${metric} averagePosition ${metric} } } } }`)
    expect(at(found, 'shareOfVoice', 'own', 'metrics')).toEqual({
      shareOfVoice: expected(lines, voiced('Acme'), 'share'),
    })
    const rows = (...path: string[]) => flat(at(found, ...path) as unknown as Row[])
    for (const { brand, metrics } of rows('shareOfVoice', 'nodes')) {
      expect(metrics).toEqual({ shareOfVoice: expected(lines, voiced(String(brand)), 'share') })
    }
    for (const { brand, metrics } of rows('visibility', 'industryRanking', 'brands')) {
      const rate = expected(lines, named(String(brand)), 'proportion')
      expect(metrics).toEqual({ visibilityScore: rate })
    }
    for (const { name, visibility } of rows('competitors', 'nodes')) {
      expect((visibility as Row).metrics).toEqual({
        visibilityScore: expected(lines, named(String(name)), 'proportion'),
        averagePosition: expected(lines, ranked(String(name)), 'rank'),
      })
    }
  })

  test('a competitor on each day', async () => {
    const trend = `trend { date metrics { visibilityScore ${metric} } }`
    const found = await ask(`competitors { nodes { name visibility(${window}) { ${trend} } } }`)
    const rivals = at(found, 'competitors').nodes as unknown as Row[]
    expect(rivals).toHaveLength(2)
    for (const { name, visibility } of rivals) {
      const days = (visibility as { trend: Row[] }).trend
      expect(days).not.toEqual([])
      for (const { date, metrics } of days) {
        const own = lines.filter((line) => line.collectedAt.startsWith(String(date)))
        const rate = expected(own, named(String(name)), 'proportion')
        expect(metrics).toEqual({ visibilityScore: rate })
      }
    }
  })

  test('sentiment, in the window and by day', async () => {
    const tones = `metrics { score ${metric} netSentiment ${metric} }`
    const found = await ask(`
      sentiment(${window}) { summary { ${tones} } }
      ownBrand { sentiment(${window}) { ${tones} } }
      sentimentHistory(${window}) { history { date ${tones} } }`)
    const all = {
      score: expected(lines, toned, 'share'),
      netSentiment: expected(lines, netToned, 'balance'),
    }
    expect(at(found, 'sentiment', 'summary', 'metrics')).toEqual(all)
    expect(at(found, 'ownBrand', 'sentiment', 'metrics')).toEqual(all)
    for (const { date, metrics } of at(found, 'sentimentHistory').history as unknown as Row[]) {
      const own = lines.filter(({ collectedAt }) => collectedAt.startsWith(String(date)))
      expect(metrics).toEqual({
        score: unlessFew(expected(own, toned, 'share')),
        netSentiment: unlessFew(expected(own, netToned, 'balance')),
      })
    }
  })

  test('sources', async () => {
    const found = await ask(`
      sourceDomains(${window}) { nodes { domain metrics {
        citationRate ${metric} citationsPerCitingAnswer ${metric} citationsPerAnswer ${metric} } } }
      sourceUrls(${window}) { nodes { url metrics { citationRate ${metric} } } }
      contentTypes(${window}) { citationCount metrics { citationRate ${metric} } }`)
    const domains = at(found, 'sourceDomains').nodes as unknown as Row[]
    expect(domains.map(({ domain }) => domain)).toEqual(['a.com', 'b.com'])
    for (const { domain, metrics } of domains) {
      const name = String(domain)
      expect(metrics).toEqual({
        citationRate: expected(lines, cited(name), 'proportion'),
        citationsPerCitingAnswer: withoutSpread(expected(lines, citationsWhereCited(name), 'rank')),
        citationsPerAnswer: expected(lines, citations(name), 'mean'),
      })
    }
    for (const { url, metrics } of at(found, 'sourceUrls').nodes as unknown as Row[]) {
      const [domain, place] = String(url).slice('https://'.length).split('/')
      const citationRate = expected(
        lines,
        ({ domains: of }) => [of[Number(place)] === domain ? 1 : 0, 1],
        'proportion',
      )
      expect(metrics).toEqual({ citationRate })
    }
    const [type] = at(found, 'contentTypes') as unknown as Row[]
    expect(type?.metrics).toEqual({
      citationRate: expected(lines, (it) => [it.domains.length > 0 ? 1 : 0, 1], 'proportion'),
    })
  })

  test('ads, products and sub-queries', async () => {
    const found = await ask(`
      ads(${window}) { summary { metrics { adRate ${metric} } } }
      advertisers(${window}) { nodes { advertiser metrics { shareOfAds ${metric} } } }
      shopping(${window}) { summary { metrics { activationRate ${metric} } } }
      queryFanout(${window}) { summary { metrics { queriesPerAnswer ${metric} } }
        modelStats { model metrics { fanoutRate ${metric} queriesPerAnswer ${metric} } } }`)
    expect(at(found, 'ads', 'summary', 'metrics')).toEqual({
      adRate: expected(lines, withAd, 'proportion'),
    })
    for (const { advertiser, metrics } of at(found, 'advertisers').nodes as unknown as Row[]) {
      const shareOfAds = expected(lines, advertised(String(advertiser)), 'share')
      expect(metrics).toEqual({ shareOfAds })
    }
    expect(at(found, 'shopping', 'summary', 'metrics')).toEqual({
      activationRate: expected(lines, withProduct, 'proportion'),
    })
    const average = expected(lines, searched, 'rank')
    expect(at(found, 'queryFanout', 'summary', 'metrics').queriesPerAnswer).toEqual(average)
    for (const { model, metrics } of at(found, 'queryFanout').modelStats as unknown as Row[]) {
      const own = lines.filter((line) => line.model === model)
      expect(metrics).toEqual({
        fanoutRate: expected(own, searching, 'proportion'),
        queriesPerAnswer: expected(own, searched, 'rank'),
      })
    }
  })
})

test('three prompts on two platforms have intervals that a reader can count', async () => {
  // Acme is named in 4, 2 and 0 of the 4 answers to each prompt: 2, 1 and 0 of 2 on each platform.
  const answers = ['p1', 'p2', 'p3'].flatMap((prompt, n) =>
    ['chatgpt', 'gemini'].flatMap((platform) =>
      [0, 1].map((i) => ({
        prompt,
        platform,
        run: i,
        collectedAt: '2025-05-10T08:00:00Z',
        text: i < 2 - n ? 'Acme is here.' : 'Nobody.',
      })),
    ),
  )
  const id = await workspace.project()
  await workspace.load(id, answers)
  const fields = `visibility(${window}) { summary { metrics { visibilityScore ${metric} } } }`
  expect(at(await ask(fields, id), 'visibility', 'summary', 'metrics').visibilityScore).toEqual({
    value: 50,
    numerator: 6,
    denominator: 12,
    // Of prompts: v = 3/2 · (2² + 0 + 2²)/12² = 1/12, four times 1/4/12. So 3 answers, with t = 4.303.
    low: 3.62,
    high: 96.38,
    designEffect: 4,
    effectiveN: 3,
    caveat: 'few_prompts',
    // Within: only p2 varies, v = 2 · (2/12)² · (1/4)/1 = 1/72. So 12 · (1/48)/(1/72) = 18 answers.
    basketLow: 29.03,
    basketHigh: 70.97,
  })
  const flat = await api.get(
    `/api/mcp/projects/${id}/visibility?from=2025-05-01&to=2025-05-31`,
    key,
  )
  const body = await flat.text()
  expect(body).toContain('"visibilityScore":50')
  expect(body).not.toContain('effectiveN')
})

test('filters give the intervals of the same answers alone', async () => {
  const kept = lines.filter(({ platform, topic }) => platform === 'gemini' && topic === 'T1')
  const alone = await loaded(kept)
  const ratios = (filter: string) => `
    visibility(${window}${filter}) { summary { metrics { visibilityScore ${metric} averagePosition ${metric} } } }
    shareOfVoice(${window}${filter}) { own { metrics { shareOfVoice ${metric} } } }
    sentiment(${window}${filter}) { summary { metrics { score ${metric} } } }`
  const cited = (filter: string) => `
    sourceDomains(${window}${filter}) { nodes { domain metrics { citationRate ${metric} citationsPerCitingAnswer ${metric} } } }`
  const [first] = await api.db.topic.findMany({ where: { projectId: project, name: 'T1' } })
  const filter = `, filter: { platforms: ["gemini"], topicIds: ["${first?.id}"] }`
  const own = await ask(ratios('') + cited(''), alone)
  expect(await ask(ratios(filter) + cited(filter))).toEqual(own)
  const slices = await ask(
    `topics { nodes { name ${ratios(', filter: { platforms: ["gemini"] }')} } }`,
  )
  const topic = (at(slices, 'topics').nodes as unknown as Row[]).find(
    ({ name }) => name === 'T1',
  ) as Row
  const { visibility, shareOfVoice, sentiment } = topic
  expect({ visibility, shareOfVoice, sentiment }).toEqual({
    visibility: own.visibility,
    shareOfVoice: own.shareOfVoice,
    sentiment: own.sentiment,
  })
})

/** Fewer than five rated answers have no value, and nothing to be sure of. */
function unlessFew({ numerator, denominator, ...others }: Row): Row {
  const isFew = Number(denominator) < 5
  const shown = Object.entries(others).map(([name, value]) => [name, isFew ? null : value])
  return { numerator, denominator, ...Object.fromEntries(shown) }
}

/** A mean that never differs has no interval, and says so. */
function withoutSpread(row: Row): Row {
  const isBare = row.low === null && row.caveat !== 'one_prompt' && row.value !== null
  return isBare ? { ...row, caveat: 'no_spread' } : row
}
