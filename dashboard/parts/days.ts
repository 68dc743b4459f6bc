import type { ChartPoint, ReportChart } from '../../web/share/charts.ts'
import { t } from '../texts/texts.ts'
import type { Metric } from './figures.tsx'

export const dayMs = 24 * 60 * 60 * 1000

/** The time so many days from now, as a choice of a form says; null for `never`. */
export function daysFromNow(days: string): string | null {
  const number = Number(days)
  return number > 0 ? new Date(Date.now() + number * dayMs).toISOString() : null
}

/** Every day of the window: a day without data is a gap of the line. */
function daysOf(from: string, to: string): string[] {
  const count = (Date.parse(to) - Date.parse(from)) / dayMs + 1
  return Array.from({ length: count }, (_, day) =>
    new Date(Date.parse(from) + day * dayMs).toISOString().slice(0, 10),
  )
}

/** A ratio as a point or a bar of a chart. */
export function pointOf(label: string, metric: Metric): ChartPoint {
  return {
    label,
    value: metric.value,
    low: metric.low ?? null,
    high: metric.high ?? null,
    n: metric.denominator,
  }
}

/** A number without an interval. */
export const countPoint = (label: string, value: number | null): ChartPoint => ({
  label,
  value,
  low: null,
  high: null,
  n: value,
})

interface Range {
  readonly from: string
  readonly to: string
}

/** Counts by day. Days that the graph leaves out had none. */
export function countChart(
  title: string,
  section: string,
  range: Range | undefined,
  found: readonly { readonly date: string; readonly count: number }[],
): ReportChart {
  const byDay = new Map(found.map(({ date, count }) => [date, count]))
  return {
    title,
    section,
    kind: 'line',
    unit: 'count',
    points: (range ? daysOf(range.from, range.to) : []).map((date) =>
      countPoint(t.dayOfYear(date), byDay.get(date) ?? 0),
    ),
  }
}
