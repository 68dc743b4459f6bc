import { budgetOf, type DetectorKind } from './kinds/kinds.ts'

interface Weighed {
  readonly id: string
  readonly kind: DetectorKind
  /** The owner's weight in place of the kind's part. */
  readonly weight?: number
}

/**
 * The false alarms a year that each monitor may raise, by its id. They sum to the project's.
 * @param monitors those that are enabled, of one project
 * @param perYear false alarms that the project may have in a year
 */
export function budgetsOf(monitors: readonly Weighed[], perYear = 1): ReadonlyMap<string, number> {
  const ofKind = Map.groupBy(monitors, ({ kind }) => kind)
  const weighed = monitors.map(({ id, kind, weight }) => ({
    id,
    weight: weight ?? budgetOf[kind] / (ofKind.get(kind)?.length ?? 1),
  }))
  const sum = weighed.reduce((total, { weight }) => total + weight, 0)
  return new Map(weighed.map(({ id, weight }) => [id, (perYear * weight) / sum]))
}
