import { open } from 'node:fs/promises'
import { type Frame, headerBytes, readFrame, segmentPath } from '../log/segments.ts'
import type { Position, Range } from './checkpoint.ts'

/** Part of a segment, in memory. Places are offsets in the segment. */
export interface Part {
  readonly start: number
  readonly bytes: Buffer
  /** The whole frames at its beginning. */
  readonly frames: readonly Frame[]
}

/** What comes next in a segment. */
export type Next =
  | { readonly kind: 'frames'; readonly range: Range }
  /** Bytes that are no frame. When they are `torn`, their write never ended, and nobody was told that it did. */
  | { readonly kind: 'damage'; readonly range: Range; readonly isTorn: boolean }
  /** Nothing more yet. */
  | { readonly kind: 'end' }

const lineFeed = 0x0a

async function readBytes(dir: string, segment: number, range: Range): Promise<Buffer> {
  const handle = await open(segmentPath(dir, segment)).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  // Somebody has removed it: there is nothing left to send.
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
 * Looks at what follows a place of the log, within its segment.
 * @param options.maxBytes of a batch; a single frame may be larger
 * @param options.isFinal nobody writes to the segment any more
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
  const rest = await readBytes(dir, segment, [offset, Number.POSITIVE_INFINITY])
  const first = readFrame(rest, 0)
  if (typeof first === 'object') return { kind: 'frames', range: [offset, offset + first.end] }
  // Only what follows proves a damage: a frame of which not all is there yet looks like one.
  const next = findFrame(rest)
  if (next === undefined && !options.isFinal) return { kind: 'end' }
  const isTorn = next === undefined && first === 'incomplete'
  return { kind: 'damage', range: [offset, offset + (next ?? rest.length)], isTorn }
}

/** Where the next whole frame begins, behind the one at the start. Frames follow upon a line feed. */
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
 * Reads frames that are known to be there. After a power cut the end of them may be gone, of which nobody was told that
 * it is on disk: then the part has the frames that are left.
 */
export async function readPart(dir: string, segment: number, range: Range): Promise<Part> {
  const bytes = await readBytes(dir, segment, range)
  return { start: range[0], bytes, frames: framesAtStart(bytes) }
}

/** The bytes as they are, damaged or not. */
export function readDamage(dir: string, segment: number, range: Range): Promise<Buffer> {
  return readBytes(dir, segment, range)
}

/** The rows that lie within the range, without the headers between them. */
export function rowsWithin(part: Part, range: Range): Buffer {
  const [from, to] = [range[0] - part.start, range[1] - part.start]
  return Buffer.concat(
    part.frames.map((frame) => {
      const start = Math.max(frame.start + headerBytes, from)
      return part.bytes.subarray(start, Math.max(start, Math.min(frame.end, to)))
    }),
  )
}

/** Cuts a range before the row in its middle. Undefined when it holds a single row. */
export function halves(part: Part, range: Range): readonly [Range, Range] | undefined {
  const rows = rowStarts(part, range)
  const middle = rows[rows.length >> 1]
  if (rows.length < 2 || middle === undefined) return undefined
  return [
    [range[0], middle],
    [middle, range[1]],
  ]
}

/** Where the first row of the range begins. */
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
