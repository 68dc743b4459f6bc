import { unhardened } from '../../core/csv-cell.ts'
import { invalid } from '../../core/errors.ts'
import type { Entry } from '../loads/runner.ts'
import { rowOrReason } from './cells.ts'
import { openCsv } from './csv-records.ts'

/** What each column may be called, best first; case, white space and punctuation do not count. */
export type ColumnNames<Column extends string> = Readonly<Record<Column, readonly string[]>>

export interface ColumnRules<Column extends string, Row> {
  readonly names: ColumnNames<Column>
  /** The columns that a file cannot do without. */
  readonly required: readonly Column[]
  /**
   * Makes a row of the cells by column; an absent column is empty.
   * @throws {Flaw}
   */
  readonly read: (cells: Readonly<Record<Column, string>>) => Row
}

const plain = (name: string) => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')

function placesOf<Column extends string, Row>(
  header: readonly string[],
  { names, required }: ColumnRules<Column, Row>,
): [Column, number][] {
  const plainHeader = header.map(plain)
  const columns = Object.keys(names) as Column[]
  const places = columns.map((column): [Column, number] => {
    const found = names[column].map((name) => plainHeader.indexOf(name)).find((at) => at >= 0)
    return [column, found ?? -1]
  })
  const lacking = places.filter(([column, at]) => at < 0 && required.includes(column))
  if (lacking.length > 0) {
    const list = lacking.map(([column]) => `"${column}"`).join(', ')
    throw invalid('csv', `the first line names no column ${list}`)
  }
  return places
}

/**
 * The rows of a CSV file, with the numbers of their lines, or why a line gives none.
 * @throws {Fault} `invalid_argument` where the header lacks a column, or the file cannot be read as CSV
 */
export async function* csvEntries<Column extends string, Row>(
  bytes: AsyncIterable<Uint8Array>,
  rules: ColumnRules<Column, Row>,
  signal?: AbortSignal,
): AsyncGenerator<Entry<Row>, void> {
  const known = new Set(Object.values<readonly string[]>(rules.names).flat())
  const csv = await openCsv(bytes, (name) => known.has(plain(name)), signal)
  if (!csv) return
  const places = placesOf(csv.header, rules)
  for await (const record of csv.records) {
    if ('reason' in record) yield { number: record.line, reason: record.reason }
    else {
      const cells = places.map(([column, at]) => [
        column,
        unhardened(record.cells[at] ?? '').trim(),
      ])
      const given = Object.fromEntries(cells) as Record<Column, string>
      yield rowOrReason(record.line, () => rules.read(given))
    }
  }
}
