import { statfs } from 'node:fs/promises'
import type { Backlog } from '../log/event-log.ts'
import { logFolder, type SegmentFile } from '../log/segments.ts'
import { type DeadLetterCounts, type Position, readCheckpoint } from './checkpoint.ts'

export interface BacklogMeter {
  readonly current: Backlog
  /** Free space on the disk of the log for users other than root. */
  readonly freeBytes: number
  /** The segment that the writer reads; all segments before it are in the warehouse. */
  readonly shippedSegment: number
  add(sequence: number, bytes: number): void
  /** Reads the checkpoint of the writer and the free space of the disk. */
  refresh(): Promise<void>
}

export function createBacklogMeter(dir: string, old: readonly SegmentFile[]): BacklogMeter {
  const sizes = new Map(old.map(({ sequence, bytes }) => [sequence, bytes]))
  let shipped: Position = { segment: 0, offset: 0 }
  let deadLetters: DeadLetterCounts = { rows: 0, damaged: 0 }
  let bytes = old.reduce((sum, segment) => sum + segment.bytes, 0)
  let freeBytes = Number.POSITIVE_INFINITY

  function recount(): void {
    bytes = 0
    for (const [sequence, size] of sizes) {
      if (sequence < shipped.segment) sizes.delete(sequence)
      else bytes += size - (sequence === shipped.segment ? Math.min(shipped.offset, size) : 0)
    }
  }

  return {
    get current() {
      return { bytes, segments: sizes.size, deadLetters }
    },
    get freeBytes() {
      return freeBytes
    },
    get shippedSegment() {
      return shipped.segment
    },
    add(sequence, count) {
      sizes.set(sequence, (sizes.get(sequence) ?? 0) + count)
      bytes += count
    },
    async refresh() {
      // The writer reports a damaged checkpoint; the meter keeps its last values.
      const [checkpoint, disk] = await Promise.all([
        readCheckpoint(dir).catch(() => undefined),
        statfs(logFolder(dir)).catch(() => undefined),
      ])
      if (disk !== undefined) freeBytes = disk.bavail * disk.bsize
      if (checkpoint === undefined) return
      shipped = checkpoint.shipped
      deadLetters = checkpoint.aside
      recount()
    },
  }
}
