import { stringify } from 'csv-stringify/browser/esm/sync'
import { csvFormat, hardened } from '../../core/csv-cell.ts'

/** A column of a file; without `value` it is left out. */
export interface Written<Row> {
  readonly name: string
  readonly value?: (row: Row) => string | number | null
}

/** Rows as CSV, in the format of the service's own: with a byte-order mark, and hardened against formulas. */
export function csvOf<Row>(columns: readonly Written<Row>[], rows: readonly Row[]): string {
  const written = columns.flatMap(({ name, value }) => (value ? [{ name, value }] : []))
  const cells = rows.map((row) =>
    written.map(({ value }) => {
      const cell = value(row)
      return typeof cell === 'string' ? hardened(cell) : cell
    }),
  )
  return stringify([written.map(({ name }) => hardened(name)), ...cells], csvFormat)
}
