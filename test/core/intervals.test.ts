import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { intervalsOf, type Kind, type Sample } from '../../core/intervals/intervals.ts'
import { sampleOf } from './interval-sample.ts'

/** Bounds in percent with two decimals, as a reader sees them. */
const percent = (bounds: { low: number; high: number } | null) =>
  bounds && [bounds.low, bounds.high].map((it) => Math.round(10_000 * it) / 100)

/** `named` of `asked` answers of each prompt, all on one platform. */
const counted = (...prompts: readonly (readonly [named: number, asked: number])[]): Sample =>
  sampleOf(
    prompts.flatMap(([named, asked], prompt) =>
      Array.from({ length: asked }, (_, i) => ({
        prompt: `${prompt}`,
        platform: 'chatgpt',
        a: i < named ? 1 : 0,
        b: 1,
      })),
    ),
  )

describe('a proportion', () => {
  // 6 of 12, prompts of 4, 2 and 0 of 4. v = 3/2 · (2² + 0 + 2²)/144 = 1/12, s = 1/4/12 = 1/48.
  const three = counted([4, 4], [2, 4], [0, 4])

  test('counts for fewer answers where the answers to a prompt are alike', () => {
    const { designEffect, effectiveN } = intervalsOf(three, 'proportion')
    expect(designEffect).toBeCloseTo(4, 12)
    expect(effectiveN).toBeCloseTo(3, 12)
  })

  test('has the interval of questions like these by Wilson at 3 answers with t = 4.303', () => {
    // Around 1/2, Wilson's spread is ½·t ⁄ √(n + t²) = 2.151/√21.513.
    expect(percent(intervalsOf(three, 'proportion').questions)).toEqual([3.62, 96.38])
  })

  test('has the interval of these questions by the variance within each', () => {
    // Only the second prompt varies: v = (4/12)² · (1/4)/3 = 1/108, so 12 · (1/48)/(1/108) = 27 answers: ½·1.96/√30.84.
    expect(percent(intervalsOf(three, 'proportion').basket)).toEqual([32.35, 67.65])
  })

  test.each([
    ['none counts', counted([0, 2], [0, 2], [0, 2], [0, 2]), 0],
    ['all count', counted([2, 2], [2, 2], [2, 2], [2, 2]), 100],
  ])('says as much as one answer to each prompt where %s', (_name, sample, value) => {
    const { questions, basket, effectiveN, designEffect } = intervalsOf(sample, 'proportion')
    expect([effectiveN, designEffect]).toEqual([4, 2])
    // t² = 10.128 for 3 degrees: 10.128/(4 + 10.128) = 71.69 %; 1.96²/(8 + 1.96²) = 32.44 %.
    const ends =
      value === 0
        ? [
            [0, 71.69],
            [0, 32.44],
          ]
        : [
            [28.31, 100],
            [67.56, 100],
          ]
    expect([percent(questions), percent(basket)]).toEqual(ends)
  })

  test('gains at most 50-fold where each prompt always gets the same answer', () => {
    const { basket, designEffect } = intervalsOf(counted([10, 10], [0, 10]), 'proportion')
    expect(designEffect).toBeCloseTo(20, 12)
    // Wilson of 500 of 1,000
    expect(percent(basket)).toEqual([46.91, 53.09])
  })

  test('of one prompt has no interval for questions like it', () => {
    const { questions, basket, effectiveN, designEffect } = intervalsOf(
      counted([1, 4]),
      'proportion',
    )
    expect([questions, effectiveN, designEffect]).toEqual([null, null, null])
    expect(basket).not.toBeNull()
  })

  test('without an answer has none', () => {
    expect(intervalsOf(counted([0, 0]), 'proportion')).toEqual({
      questions: null,
      basket: null,
      effectiveN: null,
      designEffect: null,
    })
  })

  test('takes prompts that were asked once on a platform together', () => {
    const once = (platform: string, a: 0 | 1, prompt: number) => {
      return { prompt: `${prompt}`, platform, a, b: 1 }
    }
    const answers = [1, 0, 1, 0].map((a, i) => once('chatgpt', a as 0 | 1, i))
    const pooled = intervalsOf(sampleOf(answers), 'proportion').basket
    // v = (4/4)² · (1/4)/3 = 1/12 is more than s = 1/16: it counts as 4 answers.
    expect(percent(pooled)).toEqual([15, 85])
    const alone = [once('chatgpt', 1, 0), once('gemini', 0, 1)]
    expect(intervalsOf(sampleOf(alone), 'proportion').basket).toBeNull()
  })

  test('does not trust a few prompts that hold all that counts', () => {
    // 1 of 300: alone, the variance says that the answers are independent.
    const rare = counted([1, 30], ...Array.from({ length: 9 }, () => [0, 30] as const))
    const { designEffect } = intervalsOf(rare, 'proportion')
    // One prompt of the four that are needed: 1/4 · max(1, v/s) + 3/4 · 30.
    expect(designEffect).toBeCloseTo(0.25 * (10 / 9) * 0.9 * (300 / 299) + 0.75 * 30, 8)
  })
})

test('a proportion of these questions is less sure where few of them ever differ', () => {
  // 4 of 10 prompts differ by 1 of 2 each: (4 · 1)² ⁄ (4 · 1²/3) - 2 = 10 degrees, t = 2.228, at 20 answers.
  const some = counted(...Array.from({ length: 10 }, (_, i) => [i < 4 ? 1 : 0, 2] as const))
  expect(percent(intervalsOf(some, 'proportion').basket)).toEqual([7.16, 44.77])
})

describe('other ratios', () => {
  // Two prompts of two answers; the second value is the base.
  const answersOf = (...pairs: readonly (readonly [prompt: string, a: number, b: number])[]) =>
    sampleOf(pairs.map(([prompt, a, b]) => ({ prompt, platform: 'gemini', a, b })))

  test('a mean has the interval of its linearisation', () => {
    // Ranks 1, 3 and 3, 5: r = 3, the prompts are off by -2 and 2, v = 2 · (4 + 4)/16 = 1, t(1) = 12.706.
    const ranks = answersOf(['a', 1, 1], ['a', 3, 1], ['b', 3, 1], ['b', 5, 1])
    const { questions, basket, designEffect, effectiveN } = intervalsOf(ranks, 'mean')
    expect(questions?.low).toBe(0) // a mean is never negative
    expect(questions?.high).toBeCloseTo(3 + 12.706_205, 5)
    // Within: 2 · (1 + 1) of each prompt, so v = 8/16; single answers: (4 + 0 + 0 + 4)/16.
    // Two strata of equal weight have one degree each: t(2) = 4.303.
    expect(basket?.high).toBeCloseTo(3 + 4.302_653 * Math.SQRT1_2, 5)
    expect([designEffect, effectiveN]).toEqual([2, 2])
  })

  test('a mean is less sure where one prompt holds most of it', () => {
    // r = 8/4, off by -2, 1 and 1: 6/16. Of bases 2, 1 and 1: 6 ⁄ (6 - 2 · 10/4 + 6²/4²) = 24/13, in place of 3/2.
    const ranks = answersOf(['a', 1, 1], ['a', 1, 1], ['b', 3, 1], ['c', 3, 1])
    const { questions, designEffect } = intervalsOf(ranks, 'mean')
    // Single answers: (1 + 1 + 1 + 1)/16.
    expect(designEffect).toBeCloseTo(((24 / 13) * 6) / 4, 12)
    // 6²/18 - 1 = 1 degree, in place of 2.
    expect(questions?.high).toBeCloseTo(2 + 12.706_205 * Math.sqrt(((24 / 13) * 6) / 16), 4)
  })

  test('a mean that never differs has no interval', () => {
    const first = answersOf(['a', 1, 1], ['a', 1, 1], ['b', 1, 1])
    expect(intervalsOf(first, 'mean')).toMatchObject({ questions: null, basket: null })
  })

  test('a rank is never below 1', () => {
    const ranks = answersOf(['a', 1, 1], ['a', 2, 1], ['b', 1, 1])
    const { questions } = intervalsOf(ranks, 'rank')
    expect(questions?.low).toBe(1)
  })

  test('a share of unequal parts stays between 0 and 1, a balance between -1 and 1', () => {
    const shares = answersOf(['a', 1, 2], ['a', 1, 3], ['b', 0, 1], ['b', 0, 2])
    // r = 2/8, off by 3/4 and -3/4: 2 · (9/8)/64 of 3/16, as of 5.333 answers. Of bases 5 and 3, one degree.
    expect(percent(intervalsOf(shares, 'share').questions)).toEqual([0.2, 98.2])
    const tones = answersOf(['a', 1, 1], ['a', 1, 1], ['b', -1, 1], ['b', 0, 1])
    const { questions } = intervalsOf(tones, 'balance')
    expect(questions?.low).toBeGreaterThan(-1)
    expect(questions?.high).toBeLessThan(1)
  })

  test('a balance of 1 has the interval of the share of good answers', () => {
    const good = answersOf(['a', 1, 1], ['a', 1, 1], ['b', 1, 1], ['b', 1, 1])
    const share = intervalsOf(good, 'share').questions
    const balance = intervalsOf(good, 'balance').questions
    expect(balance?.low).toBeCloseTo(2 * (share?.low ?? 0) - 1, 12)
    expect(balance?.high).toBe(1)
  })
})

const answer = fc.record({
  prompt: fc.constantFrom('a', 'b', 'c', 'd'),
  platform: fc.constantFrom('chatgpt', 'gemini'),
  a: fc.constantFrom(0, 1),
  b: fc.constant(1),
})

test('both intervals hold the value and stay in bounds, and the order of answers makes no difference', () => {
  fc.assert(
    fc.property(fc.array(answer, { minLength: 1, maxLength: 40 }), (answers) => {
      const sample = sampleOf(answers)
      const value = sample.a / sample.b
      for (const kind of ['proportion', 'share', 'balance'] satisfies Kind[]) {
        const { questions, basket, effectiveN, designEffect } = intervalsOf(sample, kind)
        for (const bounds of [questions, basket]) {
          if (bounds === null) continue
          expect(bounds.low).toBeLessThanOrEqual(value + 1e-9)
          expect(bounds.high).toBeGreaterThanOrEqual(value - 1e-9)
          expect(bounds.low).toBeGreaterThanOrEqual(kind === 'balance' ? -1 : 0)
          expect(bounds.high).toBeLessThanOrEqual(1)
        }
        if (effectiveN !== null) expect(effectiveN).toBeLessThanOrEqual(sample.b)
        if (designEffect !== null) expect(designEffect).toBeGreaterThanOrEqual(1)
      }
      expect(intervalsOf(sampleOf(answers.toReversed()), 'proportion')).toEqual(
        intervalsOf(sample, 'proportion'),
      )
    }),
  )
})
