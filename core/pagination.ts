import { createHash } from 'node:crypto'
import { invalid } from './errors.ts'
import { openToken, signToken } from './tokens.ts'

/** Where a page begins and how long it is, after defaults and clamping. */
export interface PageArgs {
  readonly limit: number
  readonly offset: number
}

/** The contract's offset pagination block. */
export interface Pagination {
  limit: number
  offset: number
  returnedCount: number
  totalCount: number | null
  hasMore: boolean
  nextOffset: number
}

export function pagination(page: PageArgs, returnedCount: number, totalCount: number): Pagination {
  const nextOffset = page.offset + returnedCount
  return {
    ...page,
    returnedCount,
    totalCount,
    hasMore: nextOffset < totalCount,
    nextOffset,
  }
}

/** What a list was filtered by: a cursor fits only the list that it was made for. */
export function fingerprint(endpoint: string, filters: Record<string, unknown>): string {
  const given = Object.entries(filters)
    .filter(([, value]) => value != null)
    .sort(([a], [b]) => (a < b ? -1 : 1))
  return createHash('sha256').update(endpoint).update(JSON.stringify(given)).digest('base64url')
}

/** An opaque, signed cursor that holds `position` and fits one list alone. */
export function makeCursor(secret: string, list: string, position: unknown): string {
  return signToken(secret, 'cursor', { l: list, p: position })
}

/**
 * The position in a cursor that `makeCursor` made for the same list.
 * @throws {Fault} `invalid_argument` when it is malformed, altered or of another list
 */
export function openCursor(secret: string, list: string, cursor: string): unknown {
  const payload = openToken(secret, 'cursor', cursor)
  const fits = typeof payload === 'object' && payload !== null && 'l' in payload && 'p' in payload
  if (!fits) throw invalid('cursor', 'is not a cursor of this service')
  if (payload.l !== list) throw invalid('cursor', 'belongs to another endpoint or other filters')
  return payload.p
}
