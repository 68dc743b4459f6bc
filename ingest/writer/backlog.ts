import { statfs } from 'node:fs/promises'
import { logFolder, type SegmentFile } from '../log/segments.ts'
import { type Aside, type Position, readCheckpoint } from './checkpoint.ts'

/** What the tracker knows of the way from its log into the warehouse. */
export interface Backlog {
  /** What is in the log, and not in the warehouse yet. */
  readonly bytes: number
  readonly segments: number
  /** By the writer's last word. */
  readonly aside: Aside
}

export interface BacklogMeter {
  readonly current: Backlog
  /** Of the disk that the log is on, for others than root. */
  readonly freeBytes: number
  add(sequence: number, bytes: number): void
  /** Looks how far the writer is, and how full the disk. */
  refresh(): Promise<void>
}

export function createBacklogMeter(dir: string, old: readonly SegmentFile[]): BacklogMeter {
  const sizes = new Map(old.map(({ sequence, bytes }) => [sequence, bytes]))
  let shipped: Position = { segment: 0, offset: 0 }
  let aside: Aside = { rows: 0, damaged: 0 }
  let bytes = old.reduce((sum, segment) => sum + segment.bytes, 0)
  let freeBytes = Number.POSITIVE_INFINITY

  function countAgain(): void {
    bytes = 0
    for (const [sequence, size] of sizes) {
      if (sequence < shipped.segment) sizes.delete(sequence)
      else bytes += size - (sequence === shipped.segment ? Math.min(shipped.offset, size) : 0)
    }
  }

  return {
    get current() {
      return { bytes, segments: sizes.size, aside }
    },
    get freeBytes() {
      return freeBytes
    },
    add(sequence, count) {
      sizes.set(sequence, (sizes.get(sequence) ?? 0) + count)
      bytes += count
    },
    async refresh() {
      // What cannot be read leaves what was known before: the writer says what is wrong with its file.
      const [checkpoint, disk] = await Promise.all([
        readCheckpoint(dir).catch(() => undefined),
        statfs(logFolder(dir)).catch(() => undefined),
      ])
      if (disk !== undefined) freeBytes = disk.bavail * disk.bsize
      if (checkpoint === undefined) return
      shipped = checkpoint.shipped
      aside = checkpoint.aside
      countAgain()
    },
  }
}
