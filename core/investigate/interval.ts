import { studentT } from '../intervals/student-t.ts'
import type { Measure, Part } from './drivers.ts'

const fewestPrompts = 5
const fewestAnswers = 30n

/** A 95 % interval of a change in percentage points, not rounded. */
export interface Interval {
  readonly low: number
  readonly high: number
}

/**
 * The 95 % interval of the change between the windows. The same prompts are asked in both, so each is compared with
 * itself, and the prompts are the sample: Student's t over their contributions.
 * @returns null below 5 prompts or 30 answers in either window, and for citations
 * @see Cochran, W. G. (1977), Sampling Techniques, 6.3: the variance of a ratio by linearization
 */
export function pairedInterval(
  { metric, whole, unit }: Measure,
  prompts: readonly Part[],
): Interval | null {
  const asked = prompts.filter(({ now, before }) => now.d + before.d > 0n)
  const count = asked.length
  const fewest = fewestAnswers * unit
  if (metric === 'citations' || count < fewestPrompts) return null
  if (whole.now.d < fewest || whole.before.d < fewest) return null
  const [d, d0] = [Number(whole.now.d), Number(whole.before.d)]
  const [rate, rateBefore] = [Number(whole.now.n) / d, Number(whole.before.n) / d0]
  let squares = 0
  for (const { now, before } of asked) {
    const moved =
      (Number(now.n) - rate * Number(now.d)) / d -
      (Number(before.n) - rateBefore * Number(before.d)) / d0
    squares += moved ** 2
  }
  const variance = (count / (count - 1)) * squares
  const change = 100 * (rate - rateBefore)
  const spread = 100 * studentT(0.95, count - 1) * Math.sqrt(variance)
  return { low: change - spread, high: change + spread }
}
