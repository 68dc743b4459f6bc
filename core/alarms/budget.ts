/** False alarms that a project may have in a year. */
const falseAlarmsPerYear = 1

/** What detectors watch, with its part of the budget. Several monitors of a kind divide it. */
export const budgetOf = {
  'visibility.fell': 0.3,
  'visibility.rose': 0.05,
  'competitor.gained': 0.2,
  'tone.fell': 0.15,
  'citations.fell': 0.15,
  'crawlers.fell': 0.025,
  'referrals.fell': 0.025,
  /** The drift canary: the control brands, and the brand minus them. */
  'control.moved': 0.05,
  'difference.moved': 0.05,
} as const

export type DetectorKind = keyof typeof budgetOf

interface Weighed {
  readonly id: string
  readonly kind: DetectorKind
  /** The owner's weight in place of the kind's part. */
  readonly weight?: number
}

/**
 * The false alarms a year that each monitor may raise, by its id. They sum to the project's.
 * @param monitors those that are enabled, of one project
 */
export function budgetsOf(
  monitors: readonly Weighed[],
  perYear: number = falseAlarmsPerYear,
): ReadonlyMap<string, number> {
  const ofKind = Map.groupBy(monitors, ({ kind }) => kind)
  const weighed = monitors.map(({ id, kind, weight }) => ({
    id,
    weight: weight ?? budgetOf[kind] / (ofKind.get(kind)?.length ?? 1),
  }))
  const sum = weighed.reduce((total, { weight }) => total + weight, 0)
  return new Map(weighed.map(({ id, weight }) => [id, (perYear * weight) / sum]))
}
