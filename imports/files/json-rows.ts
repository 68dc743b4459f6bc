import { decodeLine, type Line, maxLineBytes } from './lines.ts'

/** A member of a report's JSON object, or one row of its member `rows`. */
export type JsonPart =
  | { readonly kind: 'member'; readonly text: Line }
  | { readonly kind: 'row'; readonly text: Line }
  | { readonly kind: 'broken'; readonly reason: string }

const quote = 0x22
const backslash = 0x5c
const comma = 0x2c
const openers = new Set([0x7b, 0x5b])
const closers = new Set([0x7d, 0x5d])
const openBracket = 0x5b

/** Collects the bytes of one part. A part over `maxLineBytes` keeps only its size. */
class Piece {
  private parts: Uint8Array[] = []
  private sizeBytes = 0

  add(bytes: Uint8Array): void {
    this.sizeBytes += bytes.length
    if (this.sizeBytes > maxLineBytes) this.parts = []
    else this.parts.push(bytes)
  }

  /** The text, and an empty piece from now on. */
  take(): Line {
    const text = decodeLine(this.parts, this.sizeBytes)
    this.parts = []
    this.sizeBytes = 0
    return text
  }

  get text(): string {
    return Buffer.concat(this.parts).toString('latin1')
  }
}

/** Cuts JSON objects into their members, and the list of the member `rows` into its elements, byte by byte. */
class Splitter {
  private depth = 0
  private isInString = false
  private isEscaped = false
  private isInRows = false
  private readonly piece = new Piece()
  /** The start of the current part in the chunk; undefined between parts. */
  private start: number | undefined
  private readonly found: { kind: 'member' | 'row'; text: Line }[] = []

  /** The parts that end in this chunk. */
  push(chunk: Uint8Array) {
    if (this.start !== undefined) this.start = 0
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at] ?? 0
      if (this.isInString) this.inString(byte)
      else if (byte === quote) this.isInString = true
      else if (openers.has(byte)) this.open(chunk, at, byte)
      else if (closers.has(byte)) this.close(chunk, at)
      else if (byte === comma && this.depth === (this.isInRows ? 2 : 1)) {
        this.cut(chunk, at, this.isInRows ? 'row' : 'member')
        this.start = at + 1
      }
    }
    if (this.start !== undefined) this.piece.add(chunk.subarray(this.start))
    return this.found.splice(0)
  }

  get isWhole(): boolean {
    return this.depth === 0 && !this.isInString
  }

  private inString(byte: number): void {
    if (this.isEscaped) this.isEscaped = false
    else if (byte === backslash) this.isEscaped = true
    else if (byte === quote) this.isInString = false
  }

  private open(chunk: Uint8Array, at: number, byte: number): void {
    this.depth++
    if (this.depth === 1) this.start = at + 1
    if (this.depth !== 2 || byte !== openBracket || this.start === undefined) return
    this.piece.add(chunk.subarray(this.start, at))
    this.start = at
    if (!/^\s*"rows"\s*:\s*$/.test(this.piece.text)) return
    this.piece.take()
    this.isInRows = true
    this.start = at + 1
  }

  private close(chunk: Uint8Array, at: number): void {
    this.depth--
    if (this.isInRows && this.depth === 1) {
      this.cut(chunk, at, 'row')
      this.isInRows = false
    } else if (!this.isInRows && this.depth === 0) this.cut(chunk, at, 'member')
  }

  private cut(chunk: Uint8Array, at: number, kind: 'member' | 'row'): void {
    if (this.start === undefined) return
    this.piece.add(chunk.subarray(this.start, at))
    this.found.push({ kind, text: this.piece.take() })
    this.start = undefined
  }
}

/**
 * The members of consecutive JSON objects, `"key": value` each, and the rows of their member `rows` one by one. Memory
 * holds one row.
 */
export async function* jsonParts(
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<JsonPart, void> {
  const splitter = new Splitter()
  for await (const chunk of chunks) {
    for (const part of splitter.push(chunk)) {
      if (typeof part.text !== 'string' || part.text.trim() !== '') yield part
    }
  }
  if (!splitter.isWhole)
    yield { kind: 'broken', reason: 'The file ends within a row: its end is missing.' }
}
