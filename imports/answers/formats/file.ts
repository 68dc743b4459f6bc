import { plainName } from '../../files/csv-columns.ts'
import { openCsv } from '../../files/csv-records.ts'
import { isObject } from '../../files/flaw.ts'
import { type Line, linesOf } from '../../files/lines.ts'
import { type Expected, hasName, type Look, lookOf, requireLook } from '../../files/looks.ts'
import { peek } from '../../files/peek.ts'
import { parsedDocument, wholeFile } from '../../files/whole.ts'
import type { RejectedLine } from '../../loads/runner.ts'
import { holdsList, NoAnswer, one, recordsIn } from './exports.ts'
import { fieldNames, withOurNames, withoutFaults } from './fields.ts'

const document = {
  field: 'file',
  what: 'a JSON document',
  mostMebibytes: 64,
  advice: 'give one object a line',
}
const headBytes = 64 * 1024

/** The answers of a file as JSON lines of our own fields. An empty line stands for a line without an answer. */
export interface AnswerLines {
  readonly lines: AsyncIterable<Line>
  /** Fields that could not be read, whose answers stay; complete once all lines are read. */
  readonly leftOut: readonly RejectedLine[]
}

const expected: Expected = {
  command: 'import answers',
  field: 'lines',
  takes:
    'JSON lines with `prompt`, `platform`, `collectedAt` and `text`, a JSON array of them, or CSV with such columns',
  also: (look) => look.form === 'json' && hasName(look, ...fieldNames.prompt, ...fieldNames.text),
}

/**
 * Opens a file of answers: JSON lines, a JSON array, the JSON of Peec, Profound or Promptfoo, or CSV.
 * @throws {Fault} `invalid_argument` for a file of something else
 */
export async function openAnswers(
  bytes: AsyncIterable<Uint8Array>,
  signal?: AbortSignal,
): Promise<AnswerLines> {
  const { head, all } = await peek(bytes, 1, signal)
  requireLook(head, expected)
  const leftOut: RejectedLine[] = []
  const look = lookOf(head)
  if (look?.form === 'csv') return { lines: tableLines(all, leftOut, signal), leftOut }
  if (isDocument(head, look)) return { lines: documentLines(all, leftOut), leftOut }
  return { lines: jsonLines(all, leftOut), leftOut }
}

/** Whether a line has our own names, or is for our own messages. */
function hasOurNames(line: string): boolean {
  try {
    const value: unknown = JSON.parse(line)
    if (!isObject(value) || one(value) !== value) return false
    const named = withOurNames(value)
    return !required.some((name) => value[name] === undefined && named[name] !== undefined)
  } catch {
    return true
  }
}

const known: ReadonlySet<string> = new Set(Object.values(fieldNames).flat())
const required = ['prompt', 'platform', 'collectedAt', 'text']

/** Whether the file is one JSON value, and not an object on each line. */
function isDocument(head: Uint8Array, look: Look | null): boolean {
  if (look?.form !== 'json') return false
  const text = new TextDecoder().decode(head.subarray(0, headBytes)).trimStart()
  if (text.startsWith('[')) return true
  const [first = ''] = text.split('\n', 1)
  try {
    const value: unknown = JSON.parse(first)
    // Our own lines have their fields at the top.
    return isObject(value) && !('text' in value && 'platform' in value) && holdsList(value)
  } catch {
    // The first line is cut off, or the object has several lines.
    const [, key = ''] = /^\{\s*"([^"]+)"/.exec(first) ?? []
    return /^\{\s*$/.test(first) || (!text.includes('\n') && !known.has(plainName(key)))
  }
}

/** The line of a record under our names. */
function lineOf(record: unknown, line: number, leftOut: RejectedLine[]): Line {
  if (record instanceof NoAnswer) return { unreadable: record.reason }
  if (!isObject(record)) return { unreadable: 'is not a JSON object' }
  const { rest, leftOut: fields } = withoutFaults(withOurNames(record))
  if (fields.length > 0) {
    const list = fields.map((field) => `\`${field}\``).join(', ')
    leftOut.push({ line, reason: `${list} cannot be read: left out.` })
  }
  return JSON.stringify(rest)
}

async function* documentLines(
  bytes: AsyncIterable<Uint8Array>,
  leftOut: RejectedLine[],
): AsyncGenerator<Line, void> {
  const whole = await wholeFile(bytes, document)
  let number = 0
  for (const record of recordsIn(parsedDocument('file', whole))) {
    yield lineOf(record, ++number, leftOut)
  }
}

/** JSON lines, as they are or under other names: the first line says which. */
async function* jsonLines(
  bytes: AsyncIterable<Uint8Array>,
  leftOut: RejectedLine[],
): AsyncGenerator<Line, void> {
  let number = 0
  let isOurs: boolean | undefined
  for await (const line of linesOf(bytes)) {
    number += 1
    const isRecord = typeof line === 'string' && line.trim() !== ''
    if (isRecord) isOurs ??= hasOurNames(line)
    yield isRecord && isOurs === false ? recordLine(line, number, leftOut) : line
  }
}

function recordLine(line: string, number: number, leftOut: RejectedLine[]): Line {
  try {
    return lineOf(one(JSON.parse(line)), number, leftOut)
  } catch {
    return { unreadable: 'is not valid JSON' }
  }
}

async function* tableLines(
  bytes: AsyncIterable<Uint8Array>,
  leftOut: RejectedLine[],
  signal: AbortSignal | undefined,
): AsyncGenerator<Line, void> {
  const csv = await openCsv(bytes, (name) => known.has(plainName(name)), signal)
  if (!csv) return
  let number = 0
  for await (const record of csv.records) {
    // Rejections name the line of the file.
    while (++number < record.line) yield ''
    if ('reason' in record) {
      yield { unreadable: `cannot be read: ${record.reason}` }
      continue
    }
    const cells = csv.header.map((name, at) => [name, record.cells[at] ?? ''] as const)
    yield lineOf(Object.fromEntries(cells), record.line, leftOut)
  }
}
