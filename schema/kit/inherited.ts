import type { InputFieldMap } from '@pothos/core'
import { type DateRange, lastDaysOf } from '../../core/window.ts'
import type { Asked } from '../../resolvers/shared/asked.ts'
import type { Slice } from '../../resolvers/shared/scope.ts'
import type { UrlAsked } from '../../resolvers/sources/urls.ts'
import { inputNames, windowRuleOf } from './inputs.ts'
import { madeFor } from './made-for.ts'

/**
 * An object that was made for a window, such as a cited domain, hands its window and its filters to its fields. Its
 * `nodeId` holds both, so a client's store never takes the numbers of one window for those of another. All other objects
 * hand on nothing: the same object may be reached from reports of several windows.
 */

/** The filters that say the same as a slice. A field reads a slice of its own, so that of its parent becomes a filter. */
const filterOfSlice: Partial<Record<Slice['by'], (id: string) => object>> = {
  topic: (id) => ({ topicId: [id] }),
  platform: (id) => ({ platform: [id] }),
  location: (id) => ({ locationId: [id] }),
  prompt: (promptId) => ({ promptId }),
}

function filtersOf({ slice, from: _from, to: _to, rater: _rater, ...filters }: Asked): object {
  const ofSlice = slice && filterOfSlice[slice.by]?.(slice.id)
  return { namedByClient: inputNames, ...filters, ...ofSlice }
}

/** The flat arguments that a field takes from its parent, where the client gives it none. */
export function inheritedFrom(
  parent: object,
  given: { readonly window?: unknown; readonly filter?: unknown },
  args: InputFieldMap,
): object {
  const asked = madeFor(parent)
  if (!asked) return {}
  const rule = windowRuleOf(args)
  const { from, to }: DateRange = asked
  const { domain: _domain, compare: _compare, ...filters } = filtersOf(asked) as UrlAsked
  return {
    ...(rule && given.window == null ? lastDaysOf({ from, to }, rule.maxDays) : {}),
    ...(given.filter == null ? filters : {}),
  }
}
