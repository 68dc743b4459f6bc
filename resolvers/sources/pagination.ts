import { z } from 'zod'
import { invalid } from '../../core/errors.ts'
import { fingerprint, makeCursor, openCursor, peekCursor } from '../../core/pagination.ts'
import {
  type Comparison,
  type DateRange,
  resolveWindow,
  type WindowArgs,
  yearWindow,
} from '../../core/window.ts'
import { brandDomains, competitorDomains } from '../projects/projects.ts'
import type { FilterArgs } from '../shared/filters.ts'
import { listMeaning } from '../shared/lists/meaning.ts'
import { pageSnapshot } from '../shared/lists/snapshot.ts'
import type { ProjectScope, Snapshot } from '../shared/scope.ts'

/** Arguments of a list of domains or URLs. */
export interface SourceListArgs extends WindowArgs, FilterArgs {
  limit: number
  offset?: number | null | undefined
  cursor?: string | null | undefined
  sourceType?: readonly string[] | null | undefined
  contentType?: readonly string[] | null | undefined
  /** The rows are compared where a field asks for it. */
  compare?: Comparison | null | undefined
}

/** The UTC day of the first page, which the days of a window depend on. A time would make each reply another one. */
const dayShape = z.object({ day: z.iso.date() })

const cursorShape = dayShape.extend({
  from: z.string(),
  to: z.string(),
  load: z.number(),
  dead: z.array(z.number()),
  citations: z.number(),
  frequency: z.number(),
  name: z.string(),
  /** The row's number in the list, from 1. */
  place: z.number(),
})
type CursorRow = z.infer<typeof cursorShape>

/** What a page is read from: its window, its snapshot, and the row that its cursor points to. */
export interface ListPage {
  list: string
  /** The UTC day of the first page. */
  day: string
  range: DateRange
  snapshot: Snapshot
  cursor: CursorRow | null
}

/**
 * Resolves the page of a list. A page by cursor keeps the window and the snapshot of the cursor.
 * @throws {Fault} `invalid_argument` for the window, or a cursor that is invalid or combined with `offset`
 */
export function beginPage(scope: ProjectScope, name: string, args: SourceListArgs): ListPage {
  const { limit: _limit, offset, cursor, ...filters } = args
  const listAt = (now: Date) =>
    fingerprint(name, { ...listMeaning(filters, yearWindow, now), project: scope.project.id })
  const range = resolveWindow(args, yearWindow, scope.now)
  if (cursor == null) {
    const list = listAt(scope.now)
    const snapshot = pageSnapshot(scope, list, offset ?? 0)
    const day = scope.now.toISOString().slice(0, 10)
    return { list, day, range, snapshot, cursor: null }
  }
  if (offset != null) throw invalid('cursor', 'cannot be combined with `offset`')
  const begun = dayShape.safeParse(peekCursor(scope.cursorSecret, cursor)).data
  const list = listAt(begun ? new Date(begun.day) : scope.now)
  const position = cursorShape.parse(openCursor(scope.cursorSecret, list, cursor))
  return { list, day: position.day, range: position, snapshot: position, cursor: position }
}

/** False for an empty list, which filters nothing. */
export function isGiven(list: readonly string[] | null | undefined): boolean {
  return list != null && list.length > 0
}

/** The parameters that list statements share. */
export function listParams(
  scope: ProjectScope,
  args: SourceListArgs,
  page: ListPage,
): Record<string, unknown> {
  return {
    ownDomains: brandDomains(scope.project),
    competitorDomains: competitorDomains(scope.project),
    limit: args.limit,
    offset: args.offset ?? 0,
    ...(isGiven(args.sourceType) ? { sourceTypes: args.sourceType } : {}),
    ...(isGiven(args.contentType) ? { contentTypes: args.contentType } : {}),
    ...(page.cursor
      ? {
          cursorCitations: page.cursor.citations,
          cursorFrequency: page.cursor.frequency,
          cursorName: page.cursor.name,
        }
      : {}),
  }
}

export interface ListRow {
  place: number
  start: number
  total: number
}

/**
 * The rows of the page, the total, and the cursor of the next page. `found` holds the first row of the list
 * too, whatever the page: `total` is known so.
 */
export function pageOf<Row extends ListRow>(
  scope: ProjectScope,
  found: readonly Row[],
  page: ListPage,
  cursorOf: (row: Row) => Pick<CursorRow, 'citations' | 'frequency' | 'name'>,
) {
  const rows = found.filter((row) => row.place > row.start)
  const last = rows.at(-1)
  const total = found[0]?.total ?? 0
  const hasMore = last !== undefined && last.place < total
  const { from, to } = page.range
  const { load, dead } = page.snapshot
  const { day } = page
  const next = last && {
    day,
    from,
    to,
    load,
    dead: [...dead],
    place: last.place,
    ...cursorOf(last),
  }
  const nextCursor = hasMore ? makeCursor(scope.cursorSecret, page.list, next) : null
  return { rows, total, hasMore, nextCursor }
}
