import type { Driver, DriverDimension } from './drivers.ts'
import type { Exact } from './exact.ts'

/** The drivers of one dimension that raised a metric most, and those that lowered it most. */
export interface Movers<Named extends Driver> {
  readonly dimension: DriverDimension
  readonly up: readonly Named[]
  readonly down: readonly Named[]
  /** Number of keys that are in neither list. */
  readonly others: number
  /** What the others made of the change together: with the lists it sums to the change. */
  readonly contributionOfOthers: Exact
}

type InDimension = Driver & { readonly dimension: DriverDimension }

/**
 * The movers of each dimension that has drivers.
 * @param drivers of all dimensions, in each the largest contribution first
 * @param most drivers in a list
 */
export function moversOf<Named extends InDimension>(
  drivers: readonly Named[],
  most: number,
): Movers<Named>[] {
  return [...Map.groupBy(drivers, ({ dimension }) => dimension)].map(([dimension, all]) => {
    // The drivers that stand for several keys are none of the movers.
    const single = all.filter(({ others }) => others === 0)
    const up = single.filter(({ contribution: { numerator } }) => numerator > 0n).slice(0, most)
    const down = single.filter(({ contribution: { numerator } }) => numerator < 0n).slice(0, most)
    const shown = new Set<Named>([...up, ...down])
    const rest = all.filter((driver) => !shown.has(driver))
    const { denominator, scale } = all[0]?.contribution ?? { denominator: 1n, scale: 1 }
    return {
      dimension,
      up,
      down,
      others: rest.reduce((sum, { others }) => sum + Math.max(1, others), 0),
      // All contributions of a dimension have one denominator.
      contributionOfOthers: {
        numerator: rest.reduce((sum, { contribution }) => sum + contribution.numerator, 0n),
        denominator,
        scale,
      },
    }
  })
}
