import { stringify } from 'csv-stringify/sync'
import { csvFormat, hardened } from '../../core/csv-cell.ts'

function cell(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'object') return JSON.stringify(value)
  return typeof value === 'string' ? hardened(value) : String(value)
}

/**
 * Rows as CSV of RFC 4180, with a byte-order mark and CRLF. Text cells are hardened against formulas, null is
 * empty, and nested values are minified JSON.
 */
export function csvOf(
  columns: readonly string[],
  rows: readonly Record<string, unknown>[],
): string {
  return stringify(
    [columns, ...rows.map((row) => columns.map((column) => cell(row[column])))],
    csvFormat,
  )
}
