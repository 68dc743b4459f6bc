import type { Rater } from '../../core/text/sentiment.ts'
import type { Comparison, DateRange } from '../../core/window.ts'
import { type FilterArgs, filtersIn } from './filters.ts'
import type { ProjectScope, Slice } from './scope.ts'

/** Which answers the numbers of an object count: those of a window, after filters, of a project or of a slice. */
export interface Asked extends DateRange, FilterArgs {
  readonly slice?: Slice
  /** The earlier window that the numbers are compared with; none when absent. */
  readonly compare?: Comparison
  /** Who rated the tones; whom the project chose when absent. */
  readonly rater?: Rater
}

/** The scope of a report, with the filters that its numbers passed. */
export interface ReportScope extends ProjectScope {
  readonly filteredBy?: FilterArgs
}

/** What was asked for, without the filters that filter nothing. */
export function askedOf(
  { slice }: ProjectScope,
  { from, to }: DateRange,
  args: FilterArgs & { readonly compare?: Comparison | null | undefined },
): Asked {
  const { promptIds: _promptIds, namedByClient: _names, ...given } = filtersIn(args)
  const filters = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== false))
  const compared = args.compare ? { compare: args.compare } : {}
  return { from, to, ...filters, ...compared, ...(slice ? { slice } : {}) }
}

/** The slice of a project whose answers an object counts, and the window and filters. */
export function askedIn(scope: ProjectScope, { slice, ...args }: Asked) {
  return { scope: slice ? { ...scope, slice } : scope, args }
}

/** The slices of some objects, each once. */
export function slicesOf(owned: readonly { readonly scope: ProjectScope }[]): ProjectScope[] {
  return [...new Map(owned.map(({ scope }) => [keyOfScope(scope), scope])).values()]
}

export const keyOfScope = ({ project, slice }: ProjectScope) =>
  `${project.id} ${slice?.by ?? ''} ${slice?.id ?? ''} ${slice?.promptId ?? ''}`
