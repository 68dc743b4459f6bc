import { type Ratio, rounded } from '../../core/metrics.ts'
import type { ReportMetric, ReportUnit } from '../../core/reports/content.ts'
import type { Measured } from '../shared/samples/cell.ts'
import { type Sure, suresOf } from '../shared/samples/sure.ts'
import type { ProjectScope } from '../shared/scope.ts'

export type NamedRatio = readonly [label: string, ratio: Measured, unit: ReportUnit]

/**
 * Ratios with their intervals for questions like these, where they have one, and with the number of answers behind
 * them.
 */
export async function ratioMetrics(
  scope: ProjectScope,
  ratios: readonly NamedRatio[],
): Promise<ReportMetric[]> {
  const sures = await suresOf(
    scope,
    ratios.map(([, ratio]) => ratio),
  )
  return ratios.map(([label, ratio, unit], i) => metric(label, ratio, unit, sures[i]))
}

function metric(label: string, ratio: Ratio, unit: ReportUnit, sure?: Sure): ReportMetric {
  const { low = null, high = null } = sure?.questions ?? {}
  return { label, value: rounded(ratio), unit, low, high, n: ratio.denominator }
}

/** A count, which has neither interval nor base. */
export function countMetric(label: string, value: number): ReportMetric {
  return { label, value, unit: 'count', low: null, high: null, n: null }
}

/** A change of a ratio, of two bases. */
export function changeMetric(label: string, change: Ratio, unit: ReportUnit): ReportMetric {
  return { ...metric(label, change, unit), n: null }
}
