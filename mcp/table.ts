import { fenced, plain } from './untrusted.ts'

export type Cell = string | number | boolean | null

/** A sentence or more of others. In a cell it has its marks. */
export interface Quote {
  readonly quote: string
}

/** What a tool answers with. It is the same as text and as structured content. */
export interface Table {
  readonly project?: { readonly id: string; readonly name: string }
  readonly report?: string
  readonly window?: object
  readonly method?: object
  readonly columns: readonly string[]
  readonly rows: readonly (readonly Cell[])[]
  readonly page?: { readonly returned: number; readonly total: number; readonly next?: string }
  readonly notes?: readonly string[]
  readonly link?: string
}

/** A column and what it shows of a row. */
export type Column<Row> = readonly [name: string, cellOf: (row: Row) => Cell | Quote | undefined]

/** A share or a mean with its 95 % interval. */
export interface Sure {
  readonly value?: number | null
  readonly numerator: number
  readonly denominator: number
  readonly low?: number | null
  readonly high?: number | null
}

export interface Change {
  readonly change?: number | null
  readonly interval?: { readonly low: number; readonly high: number } | null
  readonly isSignificant?: boolean | null
}

/** A metric as five columns: the value, its interval, and `n` of `of`. */
export function sureColumns<Row>(name: string, of: (row: Row) => Sure): Column<Row>[] {
  return [
    [name, (row) => of(row).value],
    ['low', (row) => of(row).low],
    ['high', (row) => of(row).high],
    ['n', (row) => of(row).numerator],
    ['of', (row) => of(row).denominator],
  ]
}

/** Its change against the window of the comparison; no column without one. */
export function changeColumns<Row>(
  isCompared: boolean,
  of: (row: Row) => Change | null | undefined,
): Column<Row>[] {
  if (!isCompared) return []
  return [
    ['change', (row) => of(row)?.change],
    ['change_low', (row) => of(row)?.interval?.low],
    ['change_high', (row) => of(row)?.interval?.high],
    ['significant', (row) => of(row)?.isSignificant],
  ]
}

/** Counts stay whole; other numbers have four digits that count. */
export function rounded(value: number): number {
  return Number.isInteger(value) ? value : Number(value.toPrecision(4))
}

function cell(value: Cell | Quote | undefined): Cell {
  if (typeof value === 'object' && value !== null) return fenced(value.quote)
  if (typeof value === 'number') return rounded(value)
  if (typeof value === 'string') return plain(value)
  return value ?? null
}

export function rowsOf<Row>(columns: readonly Column<Row>[], rows: readonly Row[]) {
  return {
    columns: columns.map(([name]) => name),
    rows: rows.map((row) => columns.map(([, cellOf]) => cell(cellOf(row)))),
  }
}

/** Clients warn at 10,000 tokens, which are more than these bytes. */
export const mostBytes = 32 * 1024

/** What the cursor of a page may take, which a table that is cut gets. */
const cursorBytes = 500

const bytesOf = (value: object) => Buffer.byteLength(JSON.stringify(value))

/** A table cut at a row where it has too many bytes. A note says how to go on. */
export function withinBudget(table: Table, advice: string): Table {
  if (bytesOf(table) <= mostBytes) return table
  const { rows, page, notes = [] } = table
  const note = (count: number) => `Cut to ${count} rows to stay under 32 kB. ${advice}`
  const cutTo = (count: number): Table => {
    const { next: _skips, ...kept } = page ?? { total: rows.length }
    const shown = { ...kept, returned: count }
    return { ...table, rows: rows.slice(0, count), page: shown, notes: [...notes, note(count)] }
  }
  let left = mostBytes - cursorBytes - bytesOf(cutTo(0))
  const count = rows.findIndex((row) => {
    left -= bytesOf(row as Cell[]) + 1
    return left < 0
  })
  return cutTo(count === -1 ? rows.length : count)
}
