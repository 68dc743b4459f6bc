import { open } from 'node:fs/promises'
import { lengthWithoutZeros } from '../log/blank.ts'
import { type Frame, headerBytes, readFrame, segmentPath } from '../log/segments.ts'
import type { Position, Range } from './checkpoint.ts'

/** Part of a segment in memory. Offsets count from the start of the segment. */
export interface Part {
  readonly start: number
  readonly bytes: Buffer
  /** The complete frames at the start. */
  readonly frames: readonly Frame[]
}

/** The next content of a segment. */
export type Next =
  | { readonly kind: 'frames'; readonly range: Range }
  /** Bytes that are no frame. Torn bytes belong to a write that was never acknowledged. */
  | { readonly kind: 'damage'; readonly range: Range; readonly isTorn: boolean }
  /** No more bytes yet. */
  | { readonly kind: 'end' }

const lineFeed = 0x0a

async function readBytes(dir: string, segment: number, range: Range): Promise<Buffer> {
  const handle = await open(segmentPath(dir, segment)).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  // The segment was removed: nothing is left to send.
  if (handle === undefined) return Buffer.alloc(0)
  try {
    const { size } = await handle.stat()
    const length = Math.max(0, Math.min(range[1], size) - range[0])
    const { buffer, bytesRead } = await handle.read(Buffer.allocUnsafe(length), 0, length, range[0])
    return buffer.subarray(0, bytesRead)
  } finally {
    await handle.close()
  }
}

/**
 * Finds the content at a position of the log, within its segment.
 * @param options.maxBytes of a batch; a single frame may be larger
 * @param options.isFinal no process appends to the segment any more
 */
export async function lookAhead(
  dir: string,
  { segment, offset }: Position,
  options: { readonly maxBytes: number; readonly isFinal: boolean },
): Promise<Next> {
  const some = await readBytes(dir, segment, [offset, offset + options.maxBytes])
  if (some.length === 0) return { kind: 'end' }
  const frames = framesAtStart(some)
  const last = frames.at(-1)
  if (last !== undefined) return { kind: 'frames', range: [offset, offset + last.end] }
  const isAll = some.length < options.maxBytes
  const rest = isAll ? some : await readBytes(dir, segment, [offset, Number.POSITIVE_INFINITY])
  // The tracker has written zeros ahead, or has ended before it could cut them off.
  const written = lengthWithoutZeros(rest)
  if (written === 0) return { kind: 'end' }
  const first = readFrame(rest, 0)
  if (typeof first === 'object') return { kind: 'frames', range: [offset, offset + first.end] }
  // A later frame proves damage: a frame that is still being written looks the same.
  const next = findFrame(rest)
  if (next === undefined && !options.isFinal) return { kind: 'end' }
  const isTorn = next === undefined && (first === 'incomplete' || isCutShort(rest, written))
  return { kind: 'damage', range: [offset, offset + (next ?? written)], isTorn }
}

/**
 * Whether a write has ended within the zeros that were written ahead. Then the end of its frame is zeros. A frame that
 * was damaged later still ends in a line feed.
 */
function isCutShort(bytes: Buffer, written: number): boolean {
  if (written <= headerBytes) return true
  const end = headerBytes + bytes.readUInt32LE(0)
  return written < end && end <= bytes.length
}

/** The offset of the next complete frame after the start. A frame follows a line feed. */
function findFrame(bytes: Buffer): number | undefined {
  let at = bytes.indexOf(lineFeed, 1) + 1
  while (at > 0) {
    if (typeof readFrame(bytes, at) === 'object') return at
    at = bytes.indexOf(lineFeed, at) + 1
  }
  return undefined
}

function framesAtStart(bytes: Buffer): Frame[] {
  const frames: Frame[] = []
  for (let frame = readFrame(bytes, 0); typeof frame === 'object'; ) {
    frames.push(frame)
    frame = readFrame(bytes, frame.end)
  }
  return frames
}

/**
 * Reads frames of a batch. A power cut may have removed its last frames, which were never acknowledged: the part has
 * the frames that are left.
 */
export async function readPart(dir: string, segment: number, range: Range): Promise<Part> {
  const bytes = await readBytes(dir, segment, range)
  return { start: range[0], bytes, frames: framesAtStart(bytes) }
}

/** The raw bytes of a range. */
export function readDamage(dir: string, segment: number, range: Range): Promise<Buffer> {
  return readBytes(dir, segment, range)
}

/** The rows within the range, without the headers of frames. */
export function rowsWithin(part: Part, range: Range): Buffer {
  const [from, to] = [range[0] - part.start, range[1] - part.start]
  return Buffer.concat(
    part.frames.map((frame) => {
      const start = Math.max(frame.start + headerBytes, from)
      return part.bytes.subarray(start, Math.max(start, Math.min(frame.end, to)))
    }),
  )
}

/** Splits a range before its middle row. Undefined when it holds a single row. */
export function halves(part: Part, range: Range): readonly [Range, Range] | undefined {
  const rows = rowStarts(part, range)
  const middle = rows[rows.length >> 1]
  if (rows.length < 2 || middle === undefined) return undefined
  return [
    [range[0], middle],
    [middle, range[1]],
  ]
}

/** The offset of the first row of the range. */
export function firstRow(part: Part, range: Range): number {
  return rowStarts(part, range)[0] ?? range[0]
}

function rowStarts(part: Part, range: Range): number[] {
  const [from, to] = [range[0] - part.start, range[1] - part.start]
  return part.frames.flatMap((frame) => {
    const starts: number[] = []
    let at = frame.start + headerBytes
    while (at < frame.end) {
      if (at >= from && at < to) starts.push(part.start + at)
      at = part.bytes.indexOf(lineFeed, at) + 1
    }
    return starts
  })
}
