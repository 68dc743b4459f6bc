import { parse } from 'csv-parse/sync'
import { invalid } from '../../core/errors.ts'
import { readDay } from '../files/cells.ts'
import { Flaw, rowOrReason } from '../files/flaw.ts'
import { linesOf } from '../files/lines.ts'
import type { Entry } from '../loads/runner.ts'
import {
  dayOfText,
  englishCell,
  englishColumn,
  isSessionsTable,
  isTotalWord,
  isTranslated,
} from './analytics-words.ts'
import type { DatedRow } from './dated-rows.ts'
import { readLocalCount, readLocalNumber } from './local-numbers.ts'
import { type CellReader, cellReader, countDimensions, type Period } from './web-analytics-row.ts'

/** A table of the export, from its line of names on. */
interface Table {
  readonly delimiter: string
  readonly dimensions: number
  /** Null for a table that is not of sessions, such as that of the chart. */
  readonly read: CellReader | null
  /** The cells as the API writes them. */
  plain(cells: readonly string[]): string[]
}

/**
 * Rows of a CSV export of the page of Google Analytics 4, in any of its languages. Lines that begin with a number sign are
 * comments: they name the period, and stand before each table. Totals have no dimensions.
 * @throws {Fault} `invalid_argument` where no table has the columns
 */
export async function* exportRows(
  bytes: AsyncIterable<Uint8Array>,
): AsyncGenerator<Entry<DatedRow>, void> {
  let table: Table | undefined
  let fault: Error | undefined
  let hasRows = false
  const comments: string[] = []
  let number = 0
  for await (const line of linesOf(bytes)) {
    number++
    if (typeof line !== 'string') {
      if (table === undefined) throw invalid('content', 'is neither JSON nor CSV in UTF-8')
      if (table.read) yield { number, reason: `The line ${line.unreadable}.` }
      continue
    }
    const text = line.replace(/\r$/, '')
    if (text.startsWith('#')) {
      // A comment after a table announces the next one.
      table = undefined
      comments.push(text)
      continue
    }
    if (text.trim() === '') continue
    if (table === undefined) {
      const opened = openTable(text, periodOf(comments))
      table = opened.table
      // Of several tables the last one is that of the report: the chart comes before it.
      fault = opened.fault ?? fault
      hasRows ||= table.read !== null
      continue
    }
    const found = table.read && readLine(number, text, table, table.read)
    if (found) yield found
  }
  if (hasRows) return
  throw fault ?? invalid('content', 'has no line with the names of the columns')
}

/** Days that comments name: `# 20250501-20250531`, or a line for each, whatever its words. The last ones count. */
function periodOf(comments: readonly string[]): Period | null {
  const days = comments.flatMap((comment) => {
    const [, from, to] =
      /^#\s*(\d{8}|\d{4}-\d\d-\d\d)\s*[-–~]\s*(\d{8}|\d{4}-\d\d-\d\d)\s*,*$/.exec(comment) ?? []
    const [, one] = /^#[^:：]*[:：]\s*(\d{8}|\d{4}-\d\d-\d\d)\s*,*$/.exec(comment) ?? []
    return [from, to, one].flatMap((text) => dayIn(text ?? '') ?? [])
  })
  const [from, to] = days.slice(-2)
  return from !== undefined && to !== undefined && from <= to ? { from, to } : null
}

/** A number of a property may look like a day. */
function dayIn(text: string): string | undefined {
  try {
    return readDay('date', dayOfText(text, true))
  } catch {
    return undefined
  }
}

/** @throws {Fault} `invalid_argument` for a line that is no CSV */
function openTable(
  line: string,
  period: Period | null,
): { readonly table: Table; readonly fault?: Error } {
  const delimiter = delimiterOf(line)
  try {
    const written = splitCells(line, delimiter).map((name) => name.trim())
    const names = written.map((name) => englishColumn(name) ?? name)
    const dimensions = countDimensions(names)
    const plain = plainCells(written, names, dimensions)
    const shape = { delimiter, dimensions, plain }
    try {
      const read = cellReader(names.slice(0, dimensions), names.slice(dimensions), period)
      return { table: { ...shape, read } }
    } catch (error) {
      if (!(error instanceof Flaw)) throw error
      const fault = invalid('content', `has a wrong header: ${error.message}`)
      return { table: { ...shape, read: null }, fault }
    }
  } catch (error) {
    if (error instanceof Flaw) throw invalid('content', `has a wrong header: ${error.message}`)
    throw error
  }
}

/** A comma as Google writes it, else what a spreadsheet of another language has made of it. */
function delimiterOf(line: string): string {
  if (isSessionsTable(line.split(','))) return ','
  return [';', '\t'].find((delimiter) => isSessionsTable(line.split(delimiter))) ?? ','
}

const countColumns = new Set(['Sessions', 'Engaged sessions', 'Total users', 'Active users'])
const rateColumns = new Set(['Bounce rate', 'Engagement rate'])
const numberColumns = new Set(['Average session duration', 'Key events'])

const raw = /^\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i
const grouped = /^\d{1,3}(?:,\d{3})+(?:\.\d+)?$/
const asian = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]/u

/** Makes numbers, days and "(not set)" of a language those of the API. What is none stays, and is rejected as such. */
function plainCells(written: readonly string[], names: readonly string[], dimensions: number) {
  const isEnglish = !written.some(isTranslated)
  const hasPoint = isEnglish || written.some((name) => asian.test(name))
  const count = (cell: string) =>
    hasPoint && raw.test(cell) ? cell : String(readLocalCount('', cell))
  const number = (cell: string) => {
    if (raw.test(cell)) return cell
    if (!hasPoint) return String(readLocalNumber('', cell))
    return grouped.test(cell) ? cell.replaceAll(',', '') : cell
  }
  const rate = (cell: string) =>
    cell.includes('%') ? `${number(cell.replace('%', '').trim())}%` : number(cell)
  const ways = names.map((name, at): ((cell: string) => string) => {
    if (name === 'Date') return (cell) => dayOfText(cell, !isEnglish) ?? cell
    if (at < dimensions) return englishCell
    if (countColumns.has(name)) return count
    if (rateColumns.has(name)) return rate
    return numberColumns.has(name) ? number : (cell) => cell
  })
  return (cells: readonly string[]) =>
    cells.map((cell, at) => {
      try {
        return ways[at]?.(cell) ?? cell
      } catch (error) {
        if (error instanceof Flaw) return cell
        throw error
      }
    })
}

function readLine(
  number: number,
  line: string,
  { delimiter, dimensions, plain }: Table,
  read: CellReader,
): Entry<DatedRow> | undefined {
  let isTotal = false
  const found = rowOrReason(number, () => {
    const cells = splitCells(line, delimiter)
    isTotal = cells.length > dimensions && isTotalRow(cells, dimensions)
    return read(plain(cells))
  })
  return isTotal ? undefined : found
}

/** Dimensions are empty, but for the word for totals in the first or last one. */
function isTotalRow(cells: readonly string[], dimensions: number): boolean {
  const named = cells.slice(0, dimensions).filter((cell) => cell.trim() !== '')
  const [word, ...others] = named
  return word === undefined || (others.length === 0 && isTotalWord(word))
}

/** @throws {Flaw} */
function splitCells(line: string, delimiter: string): string[] {
  if (!line.includes('"')) return line.split(delimiter)
  try {
    const [cells = []] = parse(line, { delimiter, relax_column_count: true }) as string[][]
    return cells
  } catch (error) {
    throw new Flaw(`The line is not valid CSV: ${(error as Error).message}.`)
  }
}
