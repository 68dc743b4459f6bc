import type { Bounds } from '../intervals/intervals.ts'
import { type Fraction, pairedInterval } from '../intervals/paired.ts'
import type { Measure, Part, Tally } from './drivers.ts'

/**
 * The 95 % interval of the change of a metric between the windows in percentage points, not rounded.
 * @returns null below 5 prompts or 30 answers in either window, and for citations
 */
export function intervalOfChange(
  { metric, unit }: Measure,
  prompts: readonly Part[],
): Bounds | null {
  if (metric === 'citations') return null
  // Tallies count parts of an answer.
  const fraction = ({ n, d }: Tally): Fraction => ({
    n: Number(n) / Number(unit),
    d: Number(d) / Number(unit),
  })
  const found = pairedInterval(
    prompts.map(({ now, before }) => ({ now: fraction(now), before: fraction(before) })),
  )
  return found && { low: 100 * found.low, high: 100 * found.high }
}
