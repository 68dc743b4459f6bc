import {
  type Bounds,
  fewPrompts,
  intervalsOf,
  type Sample,
} from '../../../core/intervals/intervals.ts'
import { isOfFew, type Ratio, roundFloat, wilson } from '../../../core/metrics.ts'
import type { ProjectScope } from '../scope.ts'
import type { Measured } from './cell.ts'
import { type MeasureName, measureOf } from './measures.sql.ts'
import { samplesOf } from './samples.ts'

type Caveat = 'few_prompts' | 'one_prompt' | 'no_spread' | 'independent'

/** How sure a ratio is, in its own unit and rounded. */
export interface Sure {
  readonly questions: Bounds | null
  readonly basket: Bounds | null
  readonly effectiveN: number | null
  readonly designEffect: number | null
  readonly caveat: Caveat | null
}

const unknown: Sure = {
  questions: null,
  basket: null,
  effectiveN: null,
  designEffect: null,
  caveat: null,
}

/** How sure a ratio is whose answers are not known. */
export function sureAlone(ratio: Ratio): Sure {
  if (isOfFew(ratio)) return unknown
  return { ...unknown, questions: wilson(ratio), caveat: 'independent' }
}

/** How sure a ratio is by the answers behind it; null for none. */
export function sureBy(sample: Sample | null, ratio: Ratio, measure: MeasureName): Sure {
  if (sample === null || isOfFew(ratio)) return unknown
  const found = intervalsOf(sample, measureOf(measure).kind)
  const bounds = (it: Bounds | null) =>
    it && { low: roundFloat(ratio.scale * it.low), high: roundFloat(ratio.scale * it.high) }
  return {
    questions: bounds(found.questions),
    basket: bounds(found.basket),
    effectiveN: found.effectiveN && roundFloat(found.effectiveN),
    designEffect: found.designEffect && roundFloat(found.designEffect),
    caveat: caveatOf(sample.prompts, found.questions),
  }
}

function caveatOf(prompts: number, bounds: Bounds | null): Caveat | null {
  if (prompts < 2) return 'one_prompt'
  if (bounds === null) return 'no_spread'
  return prompts < fewPrompts ? 'few_prompts' : null
}

/**
 * How sure some ratios of a project are, in order: one statement for all that have measure, window and dimension in
 * common.
 */
export async function suresOf(
  scope: ProjectScope,
  ratios: readonly Measured[],
): Promise<readonly Sure[]> {
  const sampled = ratios.flatMap((ratio) => {
    return ratio.sampled ? [{ ratio, ...ratio.sampled }] : []
  })
  const found = new Map<Measured, Sure>()
  const keyOf = ({ measure, cell: { by, asked } }: (typeof sampled)[number]) =>
    JSON.stringify([measure, by, { ...asked, slice: asked.slice?.by }])
  for (const some of Map.groupBy(sampled, keyOf).values()) {
    const [{ measure, cell }] = some as [(typeof sampled)[number]]
    const { slice: _slice, ...window } = cell.asked
    const cells = some.map(({ cell: { asked, value, object } }) => {
      return { scope: asked.slice ? { ...scope, slice: asked.slice } : scope, value, object }
    })
    const samples = await samplesOf(cells, { ...window, measure, by: cell.by })
    for (const [i, { ratio }] of some.entries()) {
      const sample = samples[i] ?? null
      if (sample instanceof Error) throw sample
      found.set(ratio, sureBy(sample, ratio, measure))
    }
  }
  return ratios.map((ratio) => found.get(ratio) ?? sureAlone(ratio))
}
