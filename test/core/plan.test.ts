import { describe, expect, test } from 'vitest'
import { isSignificant, pairedInterval } from '../../core/intervals/paired.ts'
import {
  answersFor,
  detectableChange,
  halfWidth,
  promptsFor,
  type Spreads,
} from '../../core/intervals/plan.ts'

/** Numbers from 0 to 1, the same in each run. */
function random(seed: number) {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

interface World {
  readonly prompts: number
  readonly answers: number
  readonly change: number
  /** Single prompts change by as much more or less. */
  readonly wobble: number
}

/** The share of 2,000 worlds whose change is found. Prompts have shares from 0.25 to 0.65, evenly. */
function found({ prompts, answers, change, wobble }: World): number {
  const next = random(17)
  const counted = (share: number) => {
    let n = 0
    for (let i = 0; i < answers; i++) if (next() < share) n += 1
    return { n, d: answers }
  }
  let significant = 0
  for (let world = 0; world < 2000; world++) {
    const pairs = Array.from({ length: prompts }, () => {
      const share = 0.25 + 0.4 * next()
      const later = share + change + (next() < 0.5 ? wobble : -wobble)
      return { before: counted(share), now: counted(later) }
    })
    if (isSignificant(pairedInterval(pairs))) significant += 1
  }
  return significant / 2000
}

/** Of these worlds: shares of 0.45 on average, with a variance of 0.4² ⁄ 12. */
const spreadsOf = (wobble: number): Spreads => {
  const between = 0.4 ** 2 / 12
  return { between, within: 0.45 * 0.55 - between, drift: wobble ** 2 }
}

describe('the change that a plan detects', () => {
  test.each([
    { prompts: 12, answers: 20, wobble: 0 },
    { prompts: 40, answers: 4, wobble: 0 },
    { prompts: 40, answers: 28, wobble: 0.1 },
    { prompts: 100, answers: 1, wobble: 0 },
  ])('is found in 80 of 100 worlds, and no change in 5: %o', ({ prompts, answers, wobble }) => {
    const sample = { prompts, answersPerPrompt: answers }
    const change = detectableChange(sample, spreadsOf(wobble)) ?? 0
    const power = found({ prompts, answers, wobble, change })
    expect(power).toBeGreaterThan(0.77)
    expect(power).toBeLessThan(0.85)
    const wrong = found({ prompts, answers, wobble, change: 0 })
    expect(wrong).toBeGreaterThan(0.03)
    expect(wrong).toBeLessThan(0.07)
  })

  test('is as computed by hand', () => {
    // t of 40 degrees: 2.0211 and 0.8507. The square root of (2 · 0.2 ⁄ 4) ⁄ 41 is 0.049386.
    const sample = { prompts: 41, answersPerPrompt: 4 }
    const spreads = { within: 0.2, between: 0.05, drift: 0 }
    expect(detectableChange(sample, spreads)).toBeCloseTo(2.8718 * 0.049386, 4)
    // The square root of (0.05 + 0.2 ⁄ 4) ⁄ 41 is the same.
    expect(halfWidth(sample, spreads)).toBeCloseTo(2.0211 * 0.049386, 4)
  })

  test('is unknown where the test is silent', () => {
    const spreads = spreadsOf(0)
    expect(detectableChange({ prompts: 4, answersPerPrompt: 100 }, spreads)).toBeNull()
    expect(detectableChange({ prompts: 29, answersPerPrompt: 1 }, spreads)).toBeNull()
    expect(detectableChange({ prompts: 30, answersPerPrompt: 1 }, spreads)).not.toBeNull()
    expect(halfWidth({ prompts: 1, answersPerPrompt: 9 }, spreads)).toBeNull()
  })
})

describe('what detects a change', () => {
  const spreads = { within: 0.2, between: 0.05, drift: 0.01 }

  test('is the least number of prompts, or of answers', () => {
    const prompts = promptsFor(0.05, 8, spreads) ?? 0
    const change = (of: number) =>
      detectableChange({ prompts: of, answersPerPrompt: 8 }, spreads) ?? 1
    expect(change(prompts)).toBeLessThanOrEqual(0.05)
    expect(change(prompts - 1)).toBeGreaterThan(0.05)
    const answers = answersFor(0.05, 60, spreads) ?? 0
    const byAnswers = (of: number) =>
      detectableChange({ prompts: 60, answersPerPrompt: of }, spreads) ?? 1
    expect(byAnswers(answers)).toBeLessThanOrEqual(0.05)
    expect(byAnswers(answers - 1)).toBeGreaterThan(0.05)
  })

  test('is no number of answers where single prompts change too much', () => {
    expect(answersFor(0.05, 10, spreads)).toBeNull()
    expect(promptsFor(0.0001, 1, spreads)).toBeNull()
  })
})
