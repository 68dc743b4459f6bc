import type { Body } from './http.ts'
import type { Raw } from './rows.ts'

const rowsOfPart = 50

/** One text of all rows would need several times the processor time of its parts. */
function bytesOf(rows: readonly Raw[], lineOf: (row: Raw) => unknown): Buffer {
  const parts: Buffer[] = []
  for (let at = 0; at < rows.length; at += rowsOfPart) {
    const part = rows.slice(at, at + rowsOfPart)
    parts.push(Buffer.from(part.map((row) => `${JSON.stringify(lineOf(row))}\n`).join('')))
  }
  return Buffer.concat(parts)
}

function hasColumns(row: Raw, columns: readonly string[]): boolean {
  return (
    Object.keys(row).length === columns.length && columns.every((name) => row[name] !== undefined)
  )
}

/**
 * An insert of rows. Where all rows have the same columns, the statement names them once: that is half the bytes, and
 * half the time to write them.
 */
export function insertStatement(table: string, rows: readonly Raw[]): Pick<Body, 'sql' | 'rows'> {
  const columns = Object.keys(rows[0] ?? {})
  if (!rows.every((row) => hasColumns(row, columns))) {
    const sql = `INSERT INTO ${table} FORMAT JSONEachRow`
    return { sql, rows: bytesOf(rows, (row) => row) }
  }
  const sql = `INSERT INTO ${table} (${columns.join(', ')}) FORMAT JSONCompactEachRow`
  return { sql, rows: bytesOf(rows, (row) => columns.map((name) => row[name])) }
}
