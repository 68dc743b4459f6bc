import type { ProjectScope } from '../../resolvers/shared/scope.ts'
import { type ReadTallies, talliesOfMany } from '../../resolvers/visibility/tallies.ts'
import { batched } from '../kit/batch.ts'
import type { Context } from '../kit/context.ts'

/** Counts of one project, asked together with those of every other project in the request. */
export function reader(scope: ProjectScope, context: Context): ReadTallies {
  return (ask) => batched(context, 'visibility.tallies', scope, ask, talliesOfMany)
}
