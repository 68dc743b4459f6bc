import { type FileHandle, stat } from 'node:fs/promises'
import { readCheckpoint } from '../writer/checkpoint.ts'
import { createSegment, listSegments, type SegmentFile, segmentPath } from './segments.ts'

/** Writes frames to the end of the log, one at a time. */
export interface Appender {
  /** The number of the segment that is, or was last, written to. */
  readonly sequence: number
  /** Whether a write has failed, so that nothing can be appended until `renew`. */
  readonly isBroken: boolean
  /** Resolves when the frame is on disk. When it throws, no part of the frame will be, if that can be helped. */
  append(frame: Buffer): Promise<void>
  /** Opens the next segment. */
  renew(): Promise<void>
  close(): Promise<void>
}

/** The segments that are there before this process makes its own, with their sizes. */
export async function oldSegments(dir: string): Promise<SegmentFile[]> {
  const segments: SegmentFile[] = []
  for (const sequence of await listSegments(dir)) {
    const file = await stat(segmentPath(dir, sequence)).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error
    })
    // The writer may remove one that is done with, meanwhile.
    if (file) segments.push({ sequence, bytes: file.size })
  }
  return segments
}

/**
 * The number of the last segment that ever was: one that the writer knows may be deleted, or lost in a power cut,
 * and its number must not come again.
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

export function createAppender(dir: string, last: number, segmentBytes: number): Appender {
  let sequence = last
  let handle: FileHandle | undefined
  let bytes = 0

  async function renew(): Promise<void> {
    const old = handle
    // One that was made only in part is not tried again.
    sequence += 1
    handle = await createSegment(dir, sequence)
    bytes = 0
    await old?.close()
  }

  async function write(frame: Buffer): Promise<void> {
    if (bytes >= segmentBytes) await renew()
    if (handle === undefined) throw new Error('No segment is open.')
    for (let done = 0; done < frame.length; ) {
      const rest = frame.length - done
      done += (await handle.write(frame, done, rest, bytes + done)).bytesWritten
    }
    await handle.datasync()
    bytes += frame.length
  }

  /**
   * After a failed `fdatasync` nobody knows what is on disk, and a second one would claim success: so the segment is
   * done with, whatever failed. Its whole frames stay.
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
