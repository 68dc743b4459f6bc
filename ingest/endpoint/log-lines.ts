import { isUtf8 } from 'node:buffer'
import { type HitOfLine, hitOfLine, type LineContext, maxLineBytes } from '../lines/hit-of-line.ts'
import { isObject, parsed } from '../lines/json.ts'
import type { LogSource } from './log-sources.ts'

const [lineFeed, bracket, brace] = [0x0a, 0x5b, 0x7b]
const spaces = new Set([0x09, lineFeed, 0x0d, 0x20, 0xef, 0xbb, 0xbf])
const none: Buffer = Buffer.alloc(0)

/** A body that is one JSON value is parsed whole, and so has less room than one of lines. */
export const maxWholeBytes = 16 * 1_048_576

/** Reads the lines of a pushed log as its bytes arrive. */
export class LogLines {
  readonly #source: LogSource
  readonly #context: LineContext
  readonly #found: (hit: HitOfLine) => void
  #rest: Buffer = none
  /** The parts of a body that is one JSON value; undefined while it is one of lines. */
  #whole: Buffer[] | undefined
  #isBegun = false
  #isInLongLine = false
  #heldBytes = 0

  constructor(source: LogSource, context: LineContext, found: (hit: HitOfLine) => void) {
    this.#source = source
    this.#context = context
    this.#found = found
  }

  /** Bytes in memory. */
  get heldBytes(): number {
    return this.#heldBytes + this.#rest.length
  }

  take(chunk: Buffer): void {
    if (!this.#isBegun) this.#begin(chunk)
    if (this.#whole) {
      this.#whole.push(chunk)
      this.#heldBytes += chunk.length
      return
    }
    this.#takeLines(this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]))
  }

  /** @returns whether the body was readable at all */
  end(): boolean {
    if (this.#whole) return this.#readWhole(Buffer.concat(this.#whole).toString())
    if (!this.#isInLongLine && this.#rest.length > 0) this.#read(textOf(this.#rest))
    this.#rest = none
    return true
  }

  #begin(chunk: Buffer): void {
    const first = chunk.find((byte) => !spaces.has(byte))
    if (first === undefined) return
    this.#isBegun = true
    const isWhole = first === bracket || (first === brace && this.#source.linesIn !== undefined)
    if (isWhole) this.#whole = []
  }

  #takeLines(bytes: Buffer): void {
    let start = 0
    for (let end = bytes.indexOf(lineFeed); end >= 0; end = bytes.indexOf(lineFeed, start)) {
      if (this.#isInLongLine) this.#isInLongLine = false
      else this.#read(textOf(bytes.subarray(start, end)))
      start = end + 1
    }
    this.#rest = this.#isInLongLine ? none : bytes.subarray(start)
    if (this.#rest.length <= maxLineBytes) return
    this.#read(undefined)
    this.#isInLongLine = true
    this.#rest = none
  }

  #readWhole(text: string): boolean {
    const body = parsed(text.replace(/^\uFEFF/, ''))
    const entries = Array.isArray(body)
      ? body.map((entry: unknown) => (typeof entry === 'string' ? entry : JSON.stringify(entry)))
      : isObject(body) && this.#source.linesIn?.(body)
    if (!entries) return false
    for (const entry of entries) this.#read(entry)
    return true
  }

  #read(line: string | undefined): void {
    this.#found(hitOfLine(line?.trim(), this.#context))
  }
}

/** Text of a line without byte order mark; undefined for one that is not UTF-8, or too long. */
function textOf(line: Buffer): string | undefined {
  if (line.length > maxLineBytes || !isUtf8(line)) return undefined
  return line.toString().replace(/^\uFEFF/, '')
}
