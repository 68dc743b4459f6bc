import { writeSync } from 'node:fs'
import { type FileHandle, stat } from 'node:fs/promises'
import { readCheckpoint } from '../writer/checkpoint.ts'
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

/** The existing segments with their sizes, to be read before this process adds its own. */
export async function oldSegments(dir: string): Promise<SegmentFile[]> {
  const segments: SegmentFile[] = []
  for (const sequence of await listSegments(dir)) {
    const file = await stat(segmentPath(dir, sequence)).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error
    })
    // The writer may have removed the segment meanwhile.
    if (file) segments.push({ sequence, bytes: file.size })
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

/** A short frame is in the page cache before another thread would have begun to write it. */
const shortBytes = 2 ** 16

/** A disk that took longer for the frame before may stop a write, and with it the process. */
const quickMs = 20

export function createAppender(dir: string, last: number, segmentBytes: number): Appender {
  let sequence = last
  let handle: FileHandle | undefined
  let bytes = 0
  let isQuick = false

  async function renew(): Promise<void> {
    const old = handle
    // A number is not reused after a failed creation.
    sequence += 1
    handle = await createSegment(dir, sequence)
    bytes = 0
    await old?.close()
  }

  async function write(frame: Buffer): Promise<void> {
    if (bytes >= segmentBytes) await renew()
    if (handle === undefined) throw new Error('No segment is open.')
    const began = performance.now()
    const isShort = isQuick && frame.length <= shortBytes
    isQuick = false
    for (let done = 0; done < frame.length; ) {
      const [rest, at] = [frame.length - done, bytes + done]
      done += isShort
        ? writeSync(handle.fd, frame, done, rest, at)
        : (await handle.write(frame, done, rest, at)).bytesWritten
    }
    await handle.datasync()
    bytes += frame.length
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
    close: async () => handle?.close(),
  }
}
