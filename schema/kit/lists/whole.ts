import type { SortKey } from '../../../core/pagination.ts'
import type { ConnectionType } from './connection.ts'

const bytesOf = (text: string) => Buffer.from(text)

/** The order of two rows by their sort values, texts by code points as in the catalog. */
function compareKeys(a: SortKey, b: SortKey): number {
  for (const [i, one] of a.entries()) {
    const other = b[i]
    if (one === other) continue
    if (typeof one === 'number' && typeof other === 'number') return one - other
    return Buffer.compare(bytesOf(String(one)), bytesOf(String(other)))
  }
  return 0
}

interface Place {
  readonly limit: number
  readonly offset: number
  readonly afterKey: SortKey | undefined
}

/**
 * A list whose resolver reads all rows, as a list of pages. With a `sortKey` the list is sorted by it, and a page
 * follows a row that may be gone. Without, a page follows a number of rows.
 */
export function pagesOf<Page extends object, Row>(
  whole: ConnectionType<Page, Row>,
  { limit, offset, afterKey }: Place,
): ConnectionType<Page, Row> {
  const { sortKey } = whole
  const keyOf = (row: Row) => sortKey?.(row) ?? []
  let read: Promise<readonly Row[]> | undefined
  const allOf = (page: Page) => {
    read ??= Promise.resolve(whole.rows(page)).then((rows) => {
      if (!sortKey) return rows
      const keyed = rows.map((row) => ({ row, key: keyOf(row) }))
      return keyed.sort((a, b) => compareKeys(a.key, b.key)).map(({ row }) => row)
    })
    return read
  }
  const startIn = (rows: readonly Row[]) => {
    if (!sortKey || !afterKey) return offset
    const next = rows.findIndex((row) => compareKeys(keyOf(row), afterKey) > 0)
    return next === -1 ? rows.length : next
  }
  return {
    ...whole,
    rows: async (page) => {
      const rows = await allOf(page)
      const start = startIn(rows)
      return rows.slice(start, start + limit)
    },
    total: async (page) => (await allOf(page)).length,
  }
}
