import type { Bounds } from './intervals.ts'
import { studentT } from './student-t.ts'

/** Numerator and denominator of a ratio. */
export interface Fraction {
  readonly n: number
  readonly d: number
}

/** The parts of one prompt in two windows. A prompt that one of them lacks has zeros there. */
export interface Pair {
  readonly now: Fraction
  readonly before: Fraction
}

const fewestPrompts = 5
const fewestAnswers = 30

const summed = (parts: readonly Fraction[]): Fraction =>
  parts.reduce((sum, { n, d }) => ({ n: sum.n + n, d: sum.d + d }), { n: 0, d: 0 })

/**
 * The 95 % interval of the change of a ratio Σn ⁄ Σd between two windows. The same prompts are asked in both, so each is
 * compared with itself, and the prompts are the sample: Student's t over their contributions.
 * @returns fractions; null below 5 prompts, or where a denominator is below 30
 * @see Cochran, W. G. (1977), Sampling Techniques, 6.3: the variance of a ratio by linearization
 */
export function pairedInterval(pairs: readonly Pair[]): Bounds | null {
  const asked = pairs.filter(({ now, before }) => now.d + before.d > 0)
  const count = asked.length
  const now = summed(asked.map((pair) => pair.now))
  const before = summed(asked.map((pair) => pair.before))
  if (count < fewestPrompts || now.d < fewestAnswers || before.d < fewestAnswers) return null
  const [rate, rateBefore] = [now.n / now.d, before.n / before.d]
  const squares = asked.reduce((sum, pair) => {
    const moved =
      (pair.now.n - rate * pair.now.d) / now.d -
      (pair.before.n - rateBefore * pair.before.d) / before.d
    return sum + moved ** 2
  }, 0)
  const spread = studentT(0.95, count - 1) * Math.sqrt((count / (count - 1)) * squares)
  const change = rate - rateBefore
  return { low: change - spread, high: change + spread }
}

/** Whether an interval of a change excludes 0; null without one. */
export const isSignificant = (interval: Bounds | null) =>
  interval && (interval.low > 0 || interval.high < 0)
