import { isSignificant } from '../../core/intervals/paired.ts'
import { difference, isOfFew } from '../../core/metrics.ts'
import type { ViewChange } from '../../core/reports/view.ts'
import type { Measured } from '../shared/samples/cell.ts'
import { changesOf } from '../shared/samples/changes.ts'
import type { ProjectScope } from '../shared/scope.ts'

/** A ratio in a window and in the one that it is compared with. */
export interface Pair {
  readonly now: Measured
  readonly before: Measured | null
}

/**
 * The changes of some ratios of a project, in order: two statements for all of one measure. Null where either window has
 * too few answers.
 */
export async function viewChanges(
  scope: ProjectScope,
  pairs: readonly Pair[],
): Promise<(ViewChange | null)[]> {
  const found = new Map<Pair, ViewChange>()
  const byMeasure = Map.groupBy(pairs, ({ now }) => now.sampled?.measure)
  for (const [measure, some] of byMeasure) {
    const known = some.flatMap((pair) => {
      const { now, before } = pair
      if (!before || isOfFew(now) || isOfFew(before)) return []
      const change = difference(now, before)
      return now.sampled && before.sampled && change !== null
        ? [{ pair, change, cell: now.sampled.cell, earlier: before.sampled.cell }]
        : []
    })
    const [first] = known
    if (!first || !measure) continue
    const { from, to } = first.earlier.asked
    const bounds = await changesOf(
      known.map(({ cell: { value, object } }) => ({ scope, value, object })),
      { ...first.cell.asked, measure, by: first.cell.by, compared: { from, to } },
    )
    for (const [i, { pair, change }] of known.entries()) {
      const interval = bounds[i] ?? null
      if (interval instanceof Error) throw interval
      found.set(pair, { value: change, isSignificant: isSignificant(interval) })
    }
  }
  return pairs.map((pair) => found.get(pair) ?? null)
}
