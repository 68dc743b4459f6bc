import type { Bounds } from '../intervals/intervals.ts'
import { isSignificant } from '../intervals/paired.ts'
import { difference, type Ratio, rounded } from '../metrics.ts'
import { counted } from '../text/counted.ts'
import { decimal, signedDecimal } from '../text/decimal.ts'

/** What came of an opportunity: a share of answers before it was done, and after. */

/** The shares of answers that outcomes compare, with what they count. */
export const outcomeMetrics = {
  visibility: 'Share of the answers that mention the own brand.',
  citations: 'Share of the answers that cite an own page.',
  negative: 'Share of the rated answers that are negative about the own brand.',
} as const

export type OutcomeMetric = keyof typeof outcomeMetrics

export interface Outcome {
  readonly metric: OutcomeMetric
  readonly before: Ratio
  readonly after: Ratio
  /** The 95 % interval of the change in percentage points; null without answers on both sides. */
  readonly interval: Bounds | null
  /** The outcome in a sentence. */
  readonly text: string
}

const verbs: Record<OutcomeMetric, (brand: string) => string> = {
  visibility: (brand) => `mention ${brand}`,
  citations: (brand) => `cite a page of ${brand}`,
  negative: (brand) => `speak badly of ${brand}`,
}

/** Whether the change is more than chance makes; null without an interval. */
export const isMoved = ({ interval }: Pick<Outcome, 'interval'>) => isSignificant(interval)

export function outcomeText(
  { metric, before, after, interval }: Omit<Outcome, 'text'>,
  brand: string,
): string {
  const verb = verbs[metric](brand)
  const [now, then, change] = [rounded(after), rounded(before), difference(after, before)]
  if (now === null) return 'There are no answers to measure it by yet.'
  const shown = `${decimal(now)}% of ${counted(after.denominator, 'answer')} since then ${verb}`
  if (then === null || change === null) return `${shown}. There were none to compare with before.`
  const moved = isMoved({ interval }) ? 'more than normal variation' : 'within normal variation'
  return `${shown}, after ${decimal(then)}% of ${counted(before.denominator, 'answer')} in the 30 days before: ${signedDecimal(change)} points, ${moved}.`
}
