import { unhardened } from '../../core/csv-cell.ts'
import { invalid } from '../../core/errors.ts'
import type { Entry } from '../loads/runner.ts'
import { openCsv } from './csv-records.ts'
import { rowOrReason } from './flaw.ts'

/** The names of each column, the best first; case, white space and punctuation do not count. */
export type ColumnNames<Column extends string> = Readonly<Record<Column, readonly string[]>>

export interface ColumnRules<Column extends string, Row> {
  readonly names: ColumnNames<Column>
  /** The columns that a file must have. */
  readonly required: readonly Column[]
  /**
   * Makes a row from the cells by column; the cell of an absent column is empty.
   * @throws {Flaw}
   */
  readonly read: (cells: Readonly<Record<Column, string>>) => Row
}

/** A column name in the form in which names are compared. */
export const plainName = (name: string) => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')

/** The position of each column in the header, under the best of its names; absent columns are left out. */
export function findColumns<Column extends string>(
  header: readonly string[],
  names: ColumnNames<Column>,
): Map<Column, number> {
  const plainHeader = header.map(plainName)
  const columns = Object.keys(names) as Column[]
  return new Map(
    columns.flatMap((column) => {
      const found = names[column].map((name) => plainHeader.indexOf(name)).find((at) => at >= 0)
      return found === undefined ? [] : [[column, found] as const]
    }),
  )
}

/**
 * The rows of a CSV file by line number, and the reasons to reject lines.
 * @throws {Fault} `invalid_argument` when the header lacks a column, or the file is not valid CSV
 */
export async function* csvEntries<Column extends string, Row>(
  bytes: AsyncIterable<Uint8Array>,
  rules: ColumnRules<Column, Row>,
  signal?: AbortSignal,
): AsyncGenerator<Entry<Row>, void> {
  const known = new Set(Object.values<readonly string[]>(rules.names).flat())
  const csv = await openCsv(bytes, (name) => known.has(plainName(name)), signal)
  if (!csv) return
  const found = findColumns(csv.header, rules.names)
  const missing = rules.required.filter((column) => !found.has(column))
  if (missing.length > 0) {
    const list = missing.map((column) => `"${column}"`).join(', ')
    throw invalid('csv', `must name the columns ${list} in its first line`)
  }
  const columns = Object.keys(rules.names) as Column[]
  for await (const record of csv.records) {
    if ('reason' in record) yield { number: record.line, reason: record.reason }
    else {
      const cells = columns.map((column) => [
        column,
        unhardened(record.cells[found.get(column) ?? -1] ?? '').trim(),
      ])
      const given = Object.fromEntries(cells) as Record<Column, string>
      yield rowOrReason(record.line, () => rules.read(given))
    }
  }
}
