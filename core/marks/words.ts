import { roundFloat } from '../metrics.ts'
import { counted } from '../text/counted.ts'
import { dayText } from '../text/days.ts'
import { decimal, signedDecimal } from '../text/decimal.ts'
import type { Comparison } from './comparison.ts'
import type { MarkMetric } from './marks.ts'

const rates: Readonly<Record<MarkMetric, string>> = {
  visibility: 'Visibility',
  citations: 'The share of answers that cite you',
}

export const points = (fraction: number) => roundFloat(100 * fraction)

/** The comparison in a sentence or two. */
export function comparisonText(
  { verdict, concerned, others, effect, interval }: Comparison,
  metric: MarkMetric,
  since: string | null,
): string {
  if (verdict === 'not_comparable') {
    return `It cannot be compared: ${counted(concerned.prompts, 'prompt')} that it concerns and ${counted(others.prompts, 'other')} have answers before and after, and each side needs 5.`
  }
  if (effect === null || interval === null) return 'Too early to say: there are too few answers.'
  const shown = `${signedDecimal(points(effect))} points against ${counted(others.prompts, 'other prompt')}, between ${signedDecimal(points(interval.low))} and ${signedDecimal(points(interval.high))}`
  if (verdict === 'not_yet') return `Too early to say: ${shown}.`
  if (verdict === 'none_found') return `No difference in half a year: ${shown}.`
  const where = `${rates[metric]} in ${counted(concerned.prompts, 'prompt')} ${verdict} from ${decimal(points(concerned.before ?? 0))}% to ${decimal(points(concerned.after ?? 0))}%`
  return `${where}: ${shown}. Chance does not explain it.${since === null ? '' : ` It probably began on ${dayText(since)}.`}`
}
