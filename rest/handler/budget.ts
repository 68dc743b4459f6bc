import { tooLarge } from '../../core/load/under-load.ts'
import type { Body } from './run.ts'

/** The largest row that imports take: a response with one row more than fits is still sent. */
export const largestRowBytes = 16 * 1024 * 1024

const bytesOf = (text: string) => Buffer.byteLength(text)

/** Whether a text has more bytes. Each of its units is at most three. */
export function isOver(text: string, maxBytes: number): boolean {
  return text.length > maxBytes || (text.length * 3 > maxBytes && bytesOf(text) > maxBytes)
}

/** @throws {Fault} `query_too_large` for a response that no list can shorten */
export function refuseLarger(text: string, maxBytes: number): string {
  if (!isOver(text, maxBytes + largestRowBytes)) return text
  throw tooLarge(`The response is larger than ${maxBytes / 1024 ** 2} MB.`)
}

interface Block {
  readonly offset: number
}

/** The rows of a body: its longest list. */
function rowsOf(body: Body): [key: string, rows: readonly unknown[]] | undefined {
  const lists = Object.entries(body).flatMap(([key, value]) =>
    Array.isArray(value) ? [[key, value] as [string, unknown[]]] : [],
  )
  return lists.sort(([, a], [, b]) => b.length - a.length)[0]
}

/** The number of rows of a page, from the first on, that a response takes: at least one. */
function rowsWithin(rows: readonly unknown[], rest: number, maxBytes: number): number {
  let left = maxBytes - rest
  let count = 0
  for (const row of rows) {
    left -= bytesOf(JSON.stringify(row)) + 1
    if (left < 0 && count > 0) break
    count += 1
  }
  return count
}

export interface Shortened {
  readonly body: Body
  /** The rows that are left. */
  readonly rows: number
  /** False where only the operation can make the cursor of a shorter page: run it again for so many rows. */
  readonly isWhole: boolean
}

/**
 * A page as many rows shorter as the budget demands. Its block leads on to the first row that it leaves out.
 * @returns undefined for a body that is no page of a list
 */
export function shortened(body: Body, maxBytes: number): Shortened | undefined {
  const found = rowsOf(body)
  if (!found || found[1].length < 2) return undefined
  const [key, rows] = found
  const rest = bytesOf(JSON.stringify({ ...body, [key]: [] }))
  const count = rowsWithin(rows, rest, maxBytes)
  const kept = { ...body, [key]: rows.slice(0, count) }
  const block = body.pagination as Block | undefined
  if (block === undefined) return { body: kept, rows: count, isWhole: !('nextCursor' in body) }
  const nextOffset = block.offset + count
  const pagination = { ...block, returnedCount: count, hasMore: true, nextOffset }
  return { body: { ...kept, pagination }, rows: count, isWhole: true }
}
