import { z } from 'zod'
import { invalid } from '../../core/errors.ts'
import { fingerprint, makeCursor, openCursor } from '../../core/pagination.ts'
import { type DateRange, resolveWindow, type WindowArgs, yearWindow } from '../../core/window.ts'
import { brandDomains, competitorDomains } from '../projects/projects.ts'
import type { FilterArgs } from '../shared/filters.ts'
import type { ProjectScope, Snapshot } from '../shared/scope.ts'
import { pageSnapshot } from '../shared/snapshot.ts'

/** The arguments of a list of cited things. */
export interface SourceListArgs extends WindowArgs, FilterArgs {
  limit: number
  offset?: number | null | undefined
  cursor?: string | null | undefined
  sourceType?: readonly string[] | null | undefined
  contentType?: readonly string[] | null | undefined
}

const positionShape = z.object({
  from: z.string(),
  to: z.string(),
  load: z.number(),
  dead: z.array(z.number()),
  citations: z.number(),
  frequency: z.number(),
  name: z.string(),
  /** The row's place in the list, from 1. */
  place: z.number(),
})
type Position = z.infer<typeof positionShape>

/** Where a list is read from: its window, the imports that count, and the row that a cursor ends on. */
export interface Walk {
  list: string
  range: DateRange
  snapshot: Snapshot
  position: Position | null
}

export function beginWalk(scope: ProjectScope, name: string, args: SourceListArgs): Walk {
  const { limit: _limit, offset, cursor, ...filters } = args
  const list = fingerprint(name, { ...filters, project: scope.project.id })
  const range = resolveWindow(args, yearWindow, scope.now)
  if (cursor == null) {
    return { list, range, snapshot: pageSnapshot(scope, list, offset ?? 0), position: null }
  }
  if (offset != null) throw invalid('cursor', 'cannot be combined with `offset`')
  const position = positionShape.parse(openCursor(scope.cursorSecret, list, cursor))
  return { list, range: position, snapshot: position, position }
}

/** An empty list asks for nothing, like an absent one. */
export function isGiven(list: readonly string[] | null | undefined): boolean {
  return list != null && list.length > 0
}

/** The parameters that list statements share. */
export function listParams(
  scope: ProjectScope,
  args: SourceListArgs,
  walk: Walk,
): Record<string, unknown> {
  return {
    ownDomains: brandDomains(scope.project),
    competitorDomains: competitorDomains(scope.project),
    limit: args.limit,
    offset: args.offset ?? 0,
    ...(isGiven(args.sourceType) ? { sourceTypes: args.sourceType } : {}),
    ...(isGiven(args.contentType) ? { contentTypes: args.contentType } : {}),
    ...(walk.position
      ? {
          cursorCitations: walk.position.citations,
          cursorFrequency: walk.position.frequency,
          cursorName: walk.position.name,
        }
      : {}),
  }
}

export interface Placed {
  place: number
  start: number
  total: number
}

/** The rows of the page proper, and what follows it. A statement always brings its first row too. */
export function pageOf<Row extends Placed>(
  scope: ProjectScope,
  rows: readonly Row[],
  walk: Walk,
  positionOf: (row: Row) => Pick<Position, 'citations' | 'frequency' | 'name'>,
) {
  const page = rows.filter((row) => row.place > row.start)
  const last = page.at(-1)
  const total = rows[0]?.total ?? 0
  const hasMore = last !== undefined && last.place < total
  const { from, to } = walk.range
  const { load, dead } = walk.snapshot
  const next = last && { from, to, load, dead: [...dead], place: last.place, ...positionOf(last) }
  const nextCursor = hasMore ? makeCursor(scope.cursorSecret, walk.list, next) : null
  return { page, total, hasMore, nextCursor }
}
