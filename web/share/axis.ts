import type { ReportUnit } from '../../core/reports/content.ts'

/** A round end of an axis above all values; undefined where the chart finds one. */
export function axisEnd(unit: ReportUnit, values: readonly (number | null)[]): number | undefined {
  if (unit === 'score') return 100
  if (unit !== 'percent') return undefined
  const most = Math.max(10, ...values.map((value) => value ?? 0))
  const step = most > 50 ? 20 : 10
  return Math.min(100, Math.ceil(most / step) * step)
}
