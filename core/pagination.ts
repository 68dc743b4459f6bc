import { createHash } from 'node:crypto'
import { invalid } from './errors.ts'
import { openToken, signToken } from './tokens.ts'

/** Offset and size of a page, after defaults and clamping. */
export interface PageArgs {
  readonly limit: number
  readonly offset: number
  /** The sort values of the row that the page follows; `offset` is 0 then. */
  readonly afterKey?: SortKey | undefined
}

/** The values of a row that its list is sorted by; the last value is unique in the list. */
export type SortKey = readonly (string | number)[]

/** The contract's offset pagination block. */
export interface Pagination {
  limit: number
  offset: number
  returnedCount: number
  totalCount: number | null
  hasMore: boolean
  nextOffset: number
}

export interface CountedPagination extends Pagination {
  totalCount: number
}

export function pagination(
  page: PageArgs,
  returnedCount: number,
  totalCount: number,
): CountedPagination {
  const nextOffset = page.offset + returnedCount
  return {
    ...page,
    returnedCount,
    totalCount,
    hasMore: nextOffset < totalCount,
    nextOffset,
  }
}

/** A hash of an endpoint and its filters. A cursor is valid only for the list with the same hash. */
export function fingerprint(endpoint: string, filters: Record<string, unknown>): string {
  const given = Object.entries(filters)
    .filter(([, value]) => value != null)
    .sort(([a], [b]) => (a < b ? -1 : 1))
  return createHash('sha256').update(endpoint).update(JSON.stringify(given)).digest('base64url')
}

/** An opaque, signed cursor that contains `position` and is valid for one list. */
export function makeCursor(secret: string, list: string, position: unknown): string {
  return signToken(secret, 'cursor', { l: list, p: position })
}

/** How an error names a cursor: the argument that takes cursors, where they come from, and whose they are. */
interface CursorWords {
  readonly argument: string
  readonly origin: string
  readonly list: string
}

const ofRest: CursorWords = {
  argument: 'cursor',
  origin: 'the `nextCursor` of an answer',
  list: 'endpoint',
}

/** The position in a cursor of any list; undefined for a text that is no cursor. */
export function peekCursor(secret: string, cursor: string): unknown {
  const payload = openToken(secret, 'cursor', cursor)
  return typeof payload === 'object' && payload !== null && 'p' in payload ? payload.p : undefined
}

/**
 * The position in a cursor that `makeCursor` made for the same list.
 * @throws {Fault} `invalid_argument` when the cursor is malformed, altered or from another list
 */
export function openCursor(
  secret: string,
  list: string,
  cursor: string,
  { argument, origin, list: of }: CursorWords = ofRest,
): unknown {
  const payload = openToken(secret, 'cursor', cursor)
  const fits = typeof payload === 'object' && payload !== null && 'l' in payload && 'p' in payload
  if (!fits) throw invalid(argument, `must be ${origin} of this service`)
  if (payload.l !== list) {
    throw invalid(argument, `belongs to another ${of} or other filters: start again without it`)
  }
  return payload.p
}
