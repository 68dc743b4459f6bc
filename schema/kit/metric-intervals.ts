import type { GraphQLResolveInfo } from 'graphql'
import { keyOfScope } from '../../resolvers/shared/asked.ts'
import type { Measured } from '../../resolvers/shared/samples/cell.ts'
import { type CellIn, samplesOf } from '../../resolvers/shared/samples/samples.ts'
import { type Sure, sureAlone, sureBy } from '../../resolvers/shared/samples/sure.ts'
import { scopeOf } from './authorize.ts'
import { together } from './batch.ts'
import type { Context } from './context.ts'

/** The intervals of a metric, read once for all its fields. */
const cache = new WeakMap<Measured, Promise<Sure>>()

type Asking = Pick<GraphQLResolveInfo, 'path'>

/** The report that a field of a metric belongs to: the names above the metric, without places in lists. */
export function reportOf({ path }: Asking): string {
  const names: string[] = []
  for (let at = path.prev?.prev; at; at = at.prev)
    if (typeof at.key === 'string') names.push(at.key)
  return names.join(' ')
}

/**
 * The intervals of a ratio. All ratios of one measure in a report take one statement, for any number of rows and parents.
 * Reports are never read together, or the time at which each is ready would change the statements.
 */
export function intervalsOf(context: Context, metric: Measured, asking: Asking): Promise<Sure> {
  const earlier = cache.get(metric)
  if (earlier) return earlier
  const made = read(context, metric, reportOf(asking))
  cache.set(metric, made)
  return made
}

async function read(context: Context, metric: Measured, report: string): Promise<Sure> {
  if (!metric.sampled) return sureAlone(metric)
  const { cell, measure } = metric.sampled
  const { slice, ...window } = cell.asked
  const scope = await scopeOf(context, cell.projectId)
  const sample = await together(
    context,
    `samples ${report}`,
    { scope: slice ? { ...scope, slice } : scope, value: cell.value, object: cell.object },
    { ...window, measure, by: cell.by },
    samplesOf,
    cellId,
  )
  return sureBy(sample, metric, measure)
}

/** The identity of a cell within a report. */
export const cellId = ({ scope, value, object }: CellIn) =>
  JSON.stringify([keyOfScope(scope), value, object])
