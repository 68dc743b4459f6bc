import { Temporal } from '@js-temporal/polyfill'
import { type Ratio, rounded } from '../../core/metrics.ts'
import type { ReportTrend, TrendPoint } from '../../core/reports/content.ts'
import { type DateRange, lengthOf } from '../../core/window.ts'

type Step = ReportTrend['step']

/** The step that keeps a chart and its table readable. */
export function stepOf(range: DateRange): Step {
  const days = lengthOf(range)
  if (days <= 31) return 'day'
  return days <= 183 ? 'week' : 'month'
}

/** The days of the range in steps: weeks count from its first day, months are those of the calendar. */
function stepsOf(range: DateRange): DateRange[] {
  const step = stepOf(range)
  const last = Temporal.PlainDate.from(range.to)
  const steps: DateRange[] = []
  let from = Temporal.PlainDate.from(range.from)
  while (Temporal.PlainDate.compare(from, last) <= 0) {
    const next =
      step === 'month' ? from.with({ day: 1 }).add({ months: 1 }) : from.add(lengths[step])
    const end = next.subtract({ days: 1 })
    const to = Temporal.PlainDate.compare(end, last) > 0 ? last : end
    steps.push({ from: from.toString(), to: to.toString() })
    from = next
  }
  return steps
}

const lengths = { day: { days: 1 }, week: { days: 7 } }

/**
 * A ratio in each step of the range, pooled over the days of the step. Steps without answers have no value.
 * @param ratioOf the ratio of the days given
 */
export function pointsOf<Day extends { readonly date: string }>(
  range: DateRange,
  days: readonly Day[],
  ratioOf: (days: readonly Day[]) => Ratio,
): TrendPoint[] {
  return stepsOf(range).map(({ from, to }) => {
    const ratio = ratioOf(days.filter(({ date }) => date >= from && date <= to))
    return { from, to, value: rounded(ratio), n: ratio.denominator }
  })
}
