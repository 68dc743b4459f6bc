import type { GraphQLResolveInfo } from 'graphql'
import { type Bounds, fewPrompts, intervalsOf } from '../../core/intervals/intervals.ts'
import { roundFloat, wilson } from '../../core/metrics.ts'
import { keyOfScope } from '../../resolvers/shared/asked.ts'
import type { Measured } from '../../resolvers/shared/samples/cell.ts'
import { measureOf } from '../../resolvers/shared/samples/measures.sql.ts'
import { type CellIn, samplesOf } from '../../resolvers/shared/samples/samples.ts'
import { scopeOf } from './authorize.ts'
import { together } from './batch.ts'
import type { Context } from './context.ts'

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
  ...{ questions: null, basket: null, effectiveN: null, designEffect: null, caveat: null },
}

/** The fields of one metric ask once. */
const known = new WeakMap<Measured, Promise<Sure>>()

type Asking = Pick<GraphQLResolveInfo, 'path'>

/** The report that a field of a metric belongs to: the names above the metric, without places in lists. */
function reportOf({ path }: Asking): string {
  const names: string[] = []
  for (let at = path.prev?.prev; at; at = at.prev)
    if (typeof at.key === 'string') names.push(at.key)
  return names.join(' ')
}

/**
 * How sure a ratio is. All ratios of one measure in a report take one statement, for any number of rows and parents.
 * Reports are never read together, or the time at which each is ready would change the statements.
 */
export function sureOf(context: Context, metric: Measured, asking: Asking): Promise<Sure> {
  const earlier = known.get(metric)
  if (earlier) return earlier
  const made = read(context, metric, reportOf(asking))
  known.set(metric, made)
  return made
}

async function read(
  context: Context,
  { sampled, ...ratio }: Measured,
  report: string,
): Promise<Sure> {
  if (ratio.denominator < (ratio.fewest ?? 1)) return unknown
  if (!sampled) return { ...unknown, questions: wilson(ratio), caveat: 'independent' }
  const { cell, measure } = sampled
  const { slice, ...window } = cell.asked
  const scope = await scopeOf(context, cell.projectId)
  const sample = await together(
    context,
    `samples ${report}`,
    { scope: slice ? { ...scope, slice } : scope, value: cell.value, object: cell.object },
    { ...window, measure, by: cell.by },
    samplesOf,
    idOf,
  )
  if (sample === null) return unknown
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

const idOf = ({ scope, value, object }: CellIn) =>
  JSON.stringify([keyOfScope(scope), value, object])

function caveatOf(prompts: number, bounds: Bounds | null): Caveat | null {
  if (prompts < 2) return 'one_prompt'
  if (bounds === null) return 'no_spread'
  return prompts < fewPrompts ? 'few_prompts' : null
}
