import { writeSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { readCheckpoint } from '../writer/checkpoint.ts'
import { writtenLength, zerosAfter } from './blank.ts'
import { createSegment, listSegments, type SegmentFile, segmentPath } from './segments.ts'

/** Appends frames to the log, one at a time. */
export interface Appender {
  /** The number of the current segment. */
  readonly sequence: number
  /** Whether a write has failed. Appends fail until `renew`. */
  readonly isBroken: boolean
  /** Resolves when the frame is on disk. A failed append removes its bytes where the disk allows. */
  append(frame: Buffer): Promise<void>
  /** Opens the next segment. */
  renew(): Promise<void>
  close(): Promise<void>
}

/** The existing segments with the lengths of what was written, to be read before this process adds its own. */
export async function oldSegments(dir: string): Promise<SegmentFile[]> {
  const segments: SegmentFile[] = []
  for (const sequence of await listSegments(dir)) {
    const file = await open(segmentPath(dir, sequence)).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error
    })
    // The writer may have removed the segment meanwhile.
    if (file === undefined) continue
    const bytes = await writtenLength(file).finally(() => file.close())
    segments.push({ sequence, bytes })
  }
  return segments
}

/**
 * The highest number that a segment ever had. The writer's checkpoint may name a segment that was deleted, or lost in
 * a power cut; its number must not be reused.
 */
export async function lastSequence(dir: string, old: readonly SegmentFile[]): Promise<number> {
  const checkpoint = await readCheckpoint(dir).catch(() => undefined)
  return Math.max(
    0,
    ...old.map(({ sequence }) => sequence),
    checkpoint?.shipped.segment ?? 0,
    checkpoint?.batch?.segment ?? 0,
  )
}

const isFull = (error: unknown) =>
  error instanceof Error && 'code' in error && ['ENOSPC', 'EDQUOT'].includes(String(error.code))

/**
 * A short frame is in the page cache before another thread would have begun to write it. A longer one gains little from
 * zeros, which would be written besides.
 */
const shortBytes = 64 * 1024

/** A disk that took longer for the frame before may stop a write, and with it the process. */
const quickMs = 20

export function createAppender(dir: string, last: number, segmentBytes: number): Appender {
  let sequence = last
  let handle: FileHandle | undefined
  let bytes = 0
  /** The size of the file: it ends in zeros. */
  let size = 0
  let isQuick = false

  async function renew(): Promise<void> {
    const old = handle
    // A number is not reused after a failed creation.
    sequence += 1
    handle = await createSegment(dir, sequence)
    const length = bytes
    bytes = 0
    size = 0
    if (old !== undefined) await finish(old, length)
  }

  /** Closes a segment without the zeros at its end. They do no harm when the disk keeps them. */
  async function finish(file: FileHandle, length: number): Promise<void> {
    await file.truncate(length).catch(() => undefined)
    await file.close()
  }

  /** Writes zeros behind a small frame that makes the file grow, so that the next frames do not. */
  async function writeAhead(file: FileHandle, end: number): Promise<void> {
    const zeros = zerosAfter(end)
    try {
      size = end + (await file.write(zeros, 0, zeros.length, end)).bytesWritten
    } catch (error) {
      // The frame itself did fit.
      if (!isFull(error)) throw error
    }
  }

  async function write(frame: Buffer): Promise<void> {
    if (bytes >= segmentBytes) await renew()
    if (handle === undefined) throw new Error('No segment is open.')
    const began = performance.now()
    const end = bytes + frame.length
    const isShort = frame.length <= shortBytes
    const waits = isShort && isQuick
    isQuick = false
    for (let done = 0; done < frame.length; ) {
      const [rest, at] = [frame.length - done, bytes + done]
      done += waits
        ? writeSync(handle.fd, frame, done, rest, at)
        : (await handle.write(frame, done, rest, at)).bytesWritten
    }
    // After the frame, which needs the room more than the zeros do.
    if (end > size && isShort && end < segmentBytes) await writeAhead(handle, end)
    await handle.datasync()
    bytes = end
    size = Math.max(size, end)
    isQuick = performance.now() - began < quickMs
  }

  /**
   * Closes the segment after any failure. A failed `fdatasync` leaves the state of the disk unknown, and a second one
   * would report success. Complete frames stay.
   */
  async function abandon(): Promise<void> {
    const failed = handle
    handle = undefined
    await failed?.truncate(bytes).catch(() => undefined)
    await failed?.close().catch(() => undefined)
  }

  return {
    get sequence() {
      return sequence
    },
    get isBroken() {
      return handle === undefined
    },
    renew,
    async append(frame) {
      try {
        await write(frame)
      } catch (error) {
        await abandon()
        throw error
      }
    },
    async close() {
      if (handle !== undefined) await finish(handle, bytes)
    },
  }
}
