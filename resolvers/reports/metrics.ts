import { type Ratio, rounded, wilson } from '../../core/metrics.ts'
import type { ReportMetric, ReportUnit } from '../../core/reports/content.ts'

/** A ratio with its interval, where it has one, and the number of answers behind it. */
export function ratioMetric(label: string, ratio: Ratio, unit: ReportUnit): ReportMetric {
  const { low = null, high = null } = wilson(ratio) ?? {}
  return { label, value: rounded(ratio), unit, low, high, n: ratio.denominator }
}

/** A count, which has neither interval nor base. */
export function countMetric(label: string, value: number): ReportMetric {
  return { label, value, unit: 'count', low: null, high: null, n: null }
}
