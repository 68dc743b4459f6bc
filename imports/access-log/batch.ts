import { isUtf8 } from 'node:buffer'
import type { DropReason } from '../../ingest/event/event.ts'
import { hitOfLine, type LineContext, maxLineBytes } from '../../ingest/lines/hit-of-line.ts'
import type { LineReader } from '../../ingest/lines/request.ts'
import type { Entry } from '../loads/runner.ts'
import { blockBytes, type LogReader } from './reader.ts'

const lineFeed = 0x0a
const numberSign = 0x23
const byteOrderMark = '\ufeff'

/** `now` is the time when an import first read the batch. */
export interface BatchContext extends LineContext {
  /** Whether the batch begins within a line that is already counted. */
  readonly isInLine: boolean
}

/** The hits and counts of a batch of lines. */
export interface Batch {
  /** Rows of `crawler_hits`, as JSONEachRow. */
  readonly rows: string
  /** The sum of `kept` and `dropped`. */
  readonly read: number
  readonly kept: number
  readonly dropped: Readonly<Partial<Record<DropReason, number>>>
  /** Times of the first and the last hit, as Unix time in milliseconds; null without hits. */
  readonly times: { readonly first: number; readonly last: number } | null
}

/** Reads a stretch of a log. Empty lines and headers do not count; each other line counts once. */
export function readBatch(bytes: Buffer, context: BatchContext): Batch {
  const rows: string[] = []
  const dropped: Partial<Record<DropReason, number>> = {}
  let read = 0
  let times: { first: number; last: number } | null = null
  for (const line of linesOf(bytes, context.isInLine)) {
    const { hit, at } = hitOfLine(line, context)
    if (hit === undefined) continue
    read++
    if (hit.line === undefined) dropped[hit.dropped] = (dropped[hit.dropped] ?? 0) + 1
    else {
      rows.push(hit.line)
      const { first, last }: { first: number; last: number } = times ?? { first: at, last: at }
      times = { first: Math.min(first, at), last: Math.max(last, at) }
    }
  }
  return { rows: rows.join(''), read, kept: rows.length, dropped, times }
}

/** The hits in the beginning of a log, with the lines that are no request; lines of other clients are left out. */
export function* hitsIn(bytes: Buffer, context: BatchContext): Generator<Entry<unknown>, void> {
  let number = 0
  for (const line of linesOf(bytes, false)) {
    number++
    const { hit, at } = hitOfLine(line, context)
    if (hit?.line !== undefined) {
      yield { number, row: { ...JSON.parse(hit.line), timestamp: new Date(at) } }
    }
    if (hit?.dropped === 'malformed') yield { number, reason: 'The line is no request.' }
  }
}

/**
 * The number of bytes ahead that form whole lines. The last line of the log may lack a line feed. It counts as
 * complete when it is a valid request; otherwise a server is still writing it.
 */
export function readySize(reader: LogReader, lines: LineReader): number {
  const { ahead, isEnded, isInLine } = reader
  const whole = ahead.lastIndexOf(lineFeed) + 1
  // A full block without a line feed is part of a line that is longer than any request.
  if (!isEnded) return whole === 0 && ahead.length >= blockBytes ? ahead.length : whole
  if (isInLine && whole === 0) return ahead.length
  const last = textOf(ahead.subarray(whole))
  const isRequest = last !== undefined && typeof lines.read(last) === 'object'
  return isRequest ? ahead.length : whole
}

/**
 * Whether a whole line of the log is a request, or the log has only empty lines and headers.
 * @param mayBeEmpty false where only a request will do
 */
export function hasRequest(bytes: Buffer, lines: LineReader, mayBeEmpty = true): boolean {
  let isEmpty = true
  for (const line of linesOf(bytes, false)) {
    const request = line === undefined ? 'malformed' : line === '' ? 'nothing' : lines.read(line)
    if (typeof request === 'object') return true
    if (request === 'malformed') isEmpty = false
  }
  return mayBeEmpty && isEmpty
}

/** The first line of a request, since different logs may begin with the same header. */
export function firstLineOf({ ahead }: LogReader): Buffer {
  for (let start = 0; start < ahead.length; ) {
    const end = endOf(ahead, start)
    const line = ahead.subarray(start, end)
    if (line.length > 0 && line[0] !== numberSign) return line
    start = end + 1
  }
  return Buffer.alloc(0)
}

/** The lines without their ends; undefined for a line that is not UTF-8, or too long. */
function* linesOf(bytes: Buffer, isInLine: boolean): Generator<string | undefined, void> {
  let start = isInLine ? endOf(bytes, 0) + 1 : 0
  while (start < bytes.length) {
    const end = endOf(bytes, start)
    yield textOf(bytes.subarray(start, end))
    start = end + 1
  }
}

function endOf(bytes: Buffer, from: number): number {
  const at = bytes.indexOf(lineFeed, from)
  return at < 0 ? bytes.length : at
}

/** Text of a line, without byte order mark and carriage return. */
function textOf(line: Buffer): string | undefined {
  if (line.length > maxLineBytes || !isUtf8(line)) return undefined
  const text = line.toString('utf8')
  return text.slice(text.startsWith(byteOrderMark) ? 1 : 0, text.endsWith('\r') ? -1 : undefined)
}
