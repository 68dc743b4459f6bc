import { addAbortSignal, pipeline, Readable } from 'node:stream'
import { type CsvError, parse } from 'csv-parse'
import { parse as parseHead } from 'csv-parse/sync'
import { invalid } from '../../core/errors.ts'

import { textOf } from './csv-text.ts'
import { nextOrStop } from './next-or-stop.ts'

/** A record of a CSV file, or the reason to reject it. */
export type CsvRecord = { readonly line: number } & (
  | { readonly cells: readonly string[] }
  | { readonly reason: string }
)

export interface CsvFile {
  readonly header: readonly string[]
  readonly records: AsyncGenerator<CsvRecord, void>
}

/** Each is tried. A file of one column has no delimiter. */
const delimiters = [',', ';', '\t']
const headLength = 64 * 1024
const longestRecord = 1024 * 1024

const grammar = {
  record_delimiter: ['\r\n', '\n', '\r'],
  relax_column_count: true,
  max_record_size: longestRecord,
}

/** Reads until the text surely has the whole header. */
async function readHead(
  text: AsyncGenerator<string, void>,
  signal: AbortSignal | undefined,
): Promise<string> {
  let head = ''
  while (head.length < headLength && !signal?.aborted) {
    const { done, value } = await nextOrStop(text, signal)
    if (done) break
    head += value
  }
  return head
}

function headerBy(delimiter: string, head: string): string[] {
  try {
    const options = { ...grammar, delimiter, to: 1, relax_quotes: true }
    return (parseHead(head, options) as string[][])[0] ?? []
  } catch {
    return []
  }
}

/** The header by the delimiter that makes the most known columns, then the most columns. */
function findHeader(head: string, knows: (name: string) => boolean) {
  const known = (header: readonly string[]) => header.filter(knows).length
  const [best] = delimiters
    .map((delimiter) => ({ delimiter, header: headerBy(delimiter, head) }))
    .toSorted((a, b) => known(b.header) - known(a.header) || b.header.length - a.header.length)
  if (!best || best.header.every((name) => name.trim() === '')) {
    throw invalid('csv', 'has no header in its first line')
  }
  const { header, delimiter } = best
  // In a list of one column a comma is part of the text.
  return { header, delimiter: header.length === 1 ? [] : [delimiter] }
}

function breaksIn(cells: readonly string[], form: RegExp): number {
  return cells.reduce((sum, cell) => sum + (cell.match(form)?.length ?? 0), 0)
}

/**
 * The rejection of a record with wrong quotes.
 * @throws {Fault} `invalid_argument` when the end of the record cannot be found
 */
function refusal({ code, lines }: CsvError, { next, pass }: LineCounter): CsvRecord {
  if (code === 'INVALID_OPENING_QUOTE') {
    const reason = 'The line has a quote inside a cell that is not in quotes.'
    return { line: pass(Number(lines)), reason }
  }
  const fault =
    code === 'CSV_MAX_RECORD_SIZE'
      ? 'is longer than 1 MiB: a quote may be missing'
      : 'has a quote that does not close where its cell ends'
  throw invalid(
    'csv',
    `is not accepted: the record that begins on line ${next()} ${fault}; nothing was imported`,
  )
}

function isEmpty(cells: readonly string[]): boolean {
  return cells.every((cell) => cell.trim() === '')
}

/**
 * A CSV file (RFC 4180, with any line end), delimited by comma, semicolon or tab. Memory holds a piece of it.
 * @param knows whether a column name is known; the delimiter with the most known columns wins
 * @param signal ends the reading after the current record
 * @returns undefined when the signal fired before the header was read
 * @throws {Fault} `invalid_argument`, also while records are read, when the rest of the file cannot be read
 */
export async function openCsv(
  bytes: AsyncIterable<Uint8Array>,
  knows: (name: string) => boolean,
  signal?: AbortSignal,
): Promise<CsvFile | undefined> {
  const text = textOf(bytes)
  const head = await readHead(text, signal)
  if (signal?.aborted) return undefined
  const { header, delimiter } = findHeader(head, knows)
  async function* whole() {
    yield head
    yield* text
  }
  return { header, records: readRecords(whole(), delimiter, signal) }
}

/** Counts lines as an editor does: the parser counts a CRLF inside quotes as two. */
function lineCounter() {
  const lineOf = new WeakMap<readonly string[], number>()
  let tooMany = 0
  let last = 0
  return {
    /** Passes a rejected record of one line. @returns its line */
    pass: (line: number) => {
      last = line - tooMany
      return last
    },
    /** Where the next record begins. */
    next: () => last + 1,
    /** Stores the first line of a record that ends on the parser's line `end`. */
    note: (cells: string[], end: number) => {
      tooMany += breaksIn(cells, /\r\n/g)
      last = end - tooMany
      lineOf.set(cells, last - breaksIn(cells, /\r\n|\r|\n/g))
      return cells
    },
    of: (cells: readonly string[]) => lineOf.get(cells) ?? last,
  }
}

type LineCounter = ReturnType<typeof lineCounter>

async function* readRecords(
  text: AsyncGenerator<string, void>,
  delimiter: readonly string[],
  signal: AbortSignal | undefined,
): AsyncGenerator<CsvRecord, void> {
  const lines = lineCounter()
  const refused: CsvRecord[] = []
  const parser = parse({
    ...grammar,
    delimiter: [...delimiter],
    on_record: (cells, { lines: end }) => lines.note(cells, end),
    skip_records_with_error: true,
    on_skip: (error) => {
      const flaw = error && refusal(error, lines)
      if (flaw && refused.at(-1)?.line !== flaw.line) refused.push(flaw)
      return undefined
    },
  })
  if (signal) addAbortSignal(signal, parser)
  const parsed: AsyncIterable<string[]> = pipeline(Readable.from(text), parser, () => undefined)
  let isHeader = true
  try {
    for await (const cells of parsed) {
      const line = lines.of(cells)
      // The parser runs ahead of this loop.
      while (refused[0] && refused[0].line < line) yield* refused.splice(0, 1)
      if (!isHeader && !isEmpty(cells)) yield { line, cells }
      isHeader = false
    }
    yield* refused
  } catch (error) {
    if (!signal?.aborted) throw error
  }
}
