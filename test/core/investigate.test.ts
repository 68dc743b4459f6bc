import { describe, expect, test } from 'vitest'
import { studentT } from '../../core/intervals/student-t.ts'
import {
  changeOf,
  driverDimensions,
  driversByDimension,
  type InvestigatedMetric,
  type Measure,
  type Part,
  type Parts,
  pooled,
} from '../../core/investigate/drivers.ts'
import { type Exact, ratioOf, roundedExact } from '../../core/investigate/exact.ts'
import { intervalOfChange } from '../../core/investigate/interval.ts'
import { roundFloat } from '../../core/metrics.ts'
import { excerptOf, plainText } from '../../core/text/excerpt.ts'

type Counts = readonly [n: number, d: number]

function part(key: string, now: Counts, before: Counts): Part {
  const tally = ([n, d]: Counts) => ({ n: BigInt(n), d: BigInt(d) })
  return { key, now: tally(now), before: tally(before) }
}

function measureOf(metric: InvestigatedMetric, parts: readonly Part[]): Measure {
  return { metric, whole: pooled('', parts), unit: metric === 'sentiment' ? 2n : 1n }
}

const noParts: Parts = { platform: [], prompt: [], location: [], competitor: [] }
const noTopics = () => []

describe("Student's t", () => {
  // The two-sided 5 % column of published tables.
  test.each([
    [1, 12.706_204_736],
    [2, 4.302_652_73],
    [3, 3.182_446_305],
    [4, 2.776_445_105],
    [5, 2.570_581_836],
    [9, 2.262_157_163],
    [30, 2.042_272_456],
    [120, 1.979_930_405],
    [10_000, 1.960_201_24],
  ])('with %i degrees of freedom stays within %f in 95 % of cases', (degrees, expected) => {
    expect(studentT(0.95, degrees)).toBeCloseTo(expected, 8)
  })

  test('serves other probabilities', () => {
    expect(studentT(0.9, 10)).toBeCloseTo(1.812_461, 6)
    expect(studentT(0.99, 7)).toBeCloseTo(3.499_483, 6)
  })
})

describe('rate and mix', () => {
  const platforms = [part('chatgpt', [30, 60], [20, 80]), part('perplexity', [10, 40], [10, 20])]

  test('are those of the worked example', () => {
    const measure = measureOf('visibility', platforms)
    const { platform } = driversByDimension(measure, { ...noParts, platform: platforms }, noTopics)
    expect(
      platform.map(({ key, contribution, rateEffect, mixEffect }) => [
        key,
        ...[contribution, rateEffect, mixEffect].map((it) => it && roundedExact(it)),
      ]),
    ).toEqual([
      ['chatgpt', 10, 17.5, -7.5],
      ['perplexity', 0, -7.5, 7.5],
    ])
  })

  test('of a key that only one window has are all mix', () => {
    const parts = [part('old', [5, 10], [5, 10]), part('new', [10, 10], [0, 0])]
    const measure = measureOf('visibility', parts)
    const { platform } = driversByDimension(measure, { ...noParts, platform: parts }, noTopics)
    expect(platform.find(({ key }) => key === 'new')).toMatchObject({
      current: { numerator: 10, denominator: 10 },
      previous: null,
      rateEffect: { numerator: 0n },
      mixEffect: { numerator: 100n, denominator: 200n },
    })
  })
})

/** A generator of whole numbers below `end`, the same in every run. */
function numbers(seed: number) {
  let state = seed
  return (end: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * end)
  }
}

describe('the drivers of each dimension', () => {
  const sumOf = (parts: readonly Exact[]) =>
    parts.map(ratioOf).reduce((sum, { numerator, denominator, scale }) => {
      return sum + (scale * numerator) / denominator
    }, 0)

  test.each(
    (['visibility', 'shareOfVoice', 'sentiment', 'citations'] as const).flatMap((metric) =>
      [1, 2, 3].map((seed) => [metric, seed] as const),
    ),
  )('sum to the change of %s, and rate and mix to each contribution, seed %i', (metric, seed) => {
    const below = numbers(seed)
    const counts = (): Counts => {
      const d = below(40)
      return [metric === 'citations' ? d : below(d + 1), metric === 'citations' ? 0 : d]
    }
    const prompt = Array.from({ length: 80 }, (_, i) => part(`p${i}`, counts(), counts()))
    const split = (by: number) =>
      [...Map.groupBy(prompt, (_, i) => i % by)].map(([key, group]) => pooled(`k${key}`, group))
    const measure = measureOf(metric, prompt)
    const parts = { ...noParts, prompt, platform: split(3), location: split(7) }
    // 0 to 6 topics a prompt: thirds, quarters, fifths and sixths must add up.
    const topicsOf = (id: string) =>
      Array.from({ length: Number(id.slice(1)) % 7 }, (_, i) => `t${(i * 5) % 11}`)
    const drivers = driversByDimension(measure, parts, topicsOf)
    const change = changeOf(measure)
    expect(change).not.toBeNull()
    for (const dimension of driverDimensions.slice(0, 4)) {
      const list = drivers[dimension]
      expect(sumOf(list.map(({ contribution }) => contribution))).toBeCloseTo(
        sumOf(change ? [change] : []),
        9,
      )
      for (const { contribution, rateEffect, mixEffect } of list) {
        if (rateEffect === null || mixEffect === null) continue
        expect(sumOf([rateEffect, mixEffect])).toBeCloseTo(sumOf([contribution]), 9)
      }
    }
    expect(drivers.prompt).toHaveLength(51)
    expect(drivers.prompt.at(-1)).toMatchObject({ key: 'other', others: 30 })
    expect(drivers.competitor).toEqual([])
  })

  test('leave out keys without answers in both windows', () => {
    const parts = [part('a', [1, 2], [1, 1]), part('b', [0, 0], [0, 0])]
    const measure = measureOf('visibility', parts)
    const { platform } = driversByDimension(measure, { ...noParts, platform: parts }, noTopics)
    expect(platform.map(({ key }) => key)).toEqual(['a'])
  })
})

describe('the interval of a change', () => {
  /** Five prompts of 20 answers in each window. */
  const example = [
    [12, 8],
    [10, 8],
    [8, 6],
    [6, 5],
    [4, 3],
  ].map(([now = 0, before = 0], i) => part(`p${i}`, [now, 20], [before, 20]))

  const intervalOf = (metric: InvestigatedMetric, parts: readonly Part[]) => {
    const found = intervalOfChange(measureOf(metric, parts), parts)
    return found && [roundFloat(found.low), roundFloat(found.high)]
  }

  test('is that of the worked example', () => {
    // u = 0.02, 0, 0, -0.01, -0.01: variance 5/4 · 0.0006; 2.776 · 2.739 = 7.60 points around 10
    expect(intervalOf('visibility', example)).toEqual([2.4, 17.6])
    expect(intervalOf('shareOfVoice', example)).toEqual([2.4, 17.6])
  })

  test('of rated answers counts each answer once, though a tally counts it twice', () => {
    const twice = example.map(({ key, now, before }) => {
      const double = ({ n, d }: Part['now']) => ({ n: 2n * n, d: 2n * d })
      return { key, now: double(now), before: double(before) }
    })
    expect(intervalOf('sentiment', twice)).toEqual([2.4, 17.6])
    const few = Array.from({ length: 5 }, (_, i) => part(`p${i}`, [5, 10], [5, 10]))
    expect(intervalOf('visibility', few)).toEqual([0, 0])
    expect(intervalOf('sentiment', few)).toBeNull() // 25 rated answers
  })

  test.each<[string, InvestigatedMetric, Part[]]>([
    ['four prompts', 'visibility', example.slice(0, 4)],
    [
      '29 answers now',
      'visibility',
      [...Array(5)].map((_, i) => part(`p${i}`, [1, i ? 6 : 5], [1, 9])),
    ],
    ['29 before', 'visibility', [...Array(5)].map((_, i) => part(`p${i}`, [1, 9], [1, i ? 6 : 5]))],
    ['citations', 'citations', example],
  ])('is null with %s', (_name, metric, parts) => {
    expect(intervalOf(metric, parts)).toBeNull()
  })

  test('ignores prompts that neither window asked', () => {
    const idle = part('idle', [0, 0], [0, 0])
    expect(intervalOf('visibility', [...example, idle])).toEqual([2.4, 17.6])
    expect(intervalOf('visibility', [...example.slice(1), idle])).toBeNull()
  })
})

describe('an excerpt', () => {
  test('is the text without Markdown and link targets', () => {
    const markdown =
      '# Best\n\n1. **Acme** is [great](https://a.org/b_(c))[1][2](https://b.org).\n- _nice_ `snake_case` ![seen](x.png)\n\n| a | b |\n|---|--:|\n| 1 | 2 |\n\n[1]: https://a.org'
    expect(plainText(markdown)).toBe('Best 1. Acme is great. nice snake_case seen a b 1 2')
  })

  const words = Array.from({ length: 100 }, (_, i) => `w${String(i).padStart(3, '0')}`)
  const text = words.join(' ') // 499 characters: 5 a word

  test('is cut between words around the span, with an ellipsis at each cut', () => {
    const start = text.indexOf('w050')
    const excerpt = excerptOf(text, { start, end: start + 4 }, 240)
    expect(excerpt).toBe(`…${words.slice(27, 74).join(' ')}…`)
    expect(excerptOf(text, null, 240)).toBe(`${words.slice(0, 48).join(' ')}…`)
    expect(excerptOf(text, { start: 495, end: 499 }, 240)).toBe(`…${words.slice(52).join(' ')}`)
    expect(excerptOf('short', { start: 0, end: 5 }, 240)).toBe('short')
  })

  test('of a script without spaces is cut anywhere but within a character', () => {
    const smiles = `a${'😀'.repeat(200)}`
    const excerpt = excerptOf(smiles, { start: 200, end: 202 }, 240)
    expect(excerpt.isWellFormed()).toBe(true)
    expect(excerpt.length).toBeLessThanOrEqual(242)
  })

  test.each(['[', '](', ' ', '*', '| ', '](a '])('of a text of %j takes linear time', (mark) => {
    // A quadratic pattern takes minutes.
    const text = mark.repeat(100_000)
    expect(plainText(text).length).toBeLessThanOrEqual(text.length)
  })
})
