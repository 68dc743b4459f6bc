import type { ExportTable, RecordTable } from './tables.sql.ts'

/** The formats of exports, and how the engine calls them. */
export const exportFormats = {
  parquet: 'Parquet',
  csv: 'CSVWithNames',
  jsonl: 'JSONEachRow',
} as const

export type ExportFormat = keyof typeof exportFormats

/** Sums wrap around, so the order of rows does not matter, and a row that comes twice counts twice. */
const markOf = ({ marks }: ExportTable) => `cityHash64(${marks.join(', ')})`

/** The days of a table with their number of rows, and a version that changes with the rows. */
export const daysOf = (table: ExportTable, from: string): string => `
SELECT toString(day) AS day, rows, version
  FROM (SELECT day, count() AS rows, hex(sum(${markOf(table)})) AS version
          FROM ${from}
         GROUP BY day)
 ORDER BY day`

/** The rows of one day, or the part of them that goes into one of its files. */
export const rowsOf = (table: ExportTable, from: string, format: ExportFormat): string => `
SELECT ${table.columns.map(({ name, sql }) => `${sql} AS \`${name}\``).join(',\n       ')}
  FROM (SELECT * FROM ${from} AND ${markOf(table)} % {parts:UInt32} = {part:UInt32})
FORMAT ${exportFormats[format]}`

/** Rows of the catalog, which come as JSON lines. */
export const recordsAs = ({ columns }: RecordTable, format: ExportFormat): string => {
  const structure = columns.map(({ name, sql }) => `${name} ${sql}`).join(', ')
  return `
SELECT * FROM format(JSONEachRow, '${structure}', {rows:String})
FORMAT ${exportFormats[format]}`
}
