import { setImmediate as nextTurn } from 'node:timers/promises'
import { headerBytes, sealFrame } from './segments.ts'

/** Writes concurrent appends as one frame, so that they share one `fdatasync`. */
export interface GroupCommit {
  /**
   * Settles with the write of its frame.
   * @param rows copied before the call returns
   */
  append(rows: Buffer, count: number): Promise<void>
  /** Bytes that are not written yet. */
  readonly waitingBytes: number
  /** Resolves when every append is written. */
  idle(): Promise<void>
}

/** Rows of one frame, as bytes behind the place of its header: texts that wait would be copied by each collection. */
interface Group {
  readonly buffer: Buffer
  end: number
  count: number
  appends: number
  readonly written: PromiseWithResolvers<void>
}

/**
 * The size of a buffer for a frame. It stays in the processor's cache from the copy of the rows to the write; 8 MB do
 * not, and take twice as long. A single append may be larger: it is never split.
 */
const frameBytes = 512 * 1024
/** One is filled while others wait, and one is written. */
const keptBuffers = 4

/** A sync takes as much of the processor as several requests. So a busy tracker waits for more of them to share one. */
const longestWaitMs = 2

/** No frame before. */
const none = { appends: 0, ms: 0 }

/** @param write gets one frame at a time; the buffer of the frame is reused after it resolves */
export function createGroupCommit(
  write: (frame: Buffer, count: number) => Promise<void>,
): GroupCommit {
  const groups: Group[] = []
  const spare: Buffer[] = []
  let waitingBytes = 0
  let last = none
  let running: Promise<void> | undefined

  function groupFor(bytes: number): Group {
    const newest = groups.at(-1)
    if (newest !== undefined && newest.end + bytes <= newest.buffer.length) return newest
    const size = Math.max(frameBytes, headerBytes + bytes)
    const buffer = (size === frameBytes && spare.pop()) || Buffer.allocUnsafeSlow(size)
    const written = Promise.withResolvers<void>()
    const group: Group = { buffer, end: headerBytes, count: 0, appends: 0, written }
    groups.push(group)
    return group
  }

  function keep(buffer: Buffer): void {
    if (spare.length < keptBuffers && buffer.length === frameBytes) spare.push(buffer)
  }

  /**
   * Waits for the appends of this turn of the event loop, and of further turns while each brings more. Senders of the
   * frame before have just heard of it. Those that wait already wait for as many more, for half the time of a write.
   * A full frame does not wait.
   */
  async function nextGroup(): Promise<Group | undefined> {
    const began = performance.now()
    const waiting = () => groups[0]?.appends ?? 0
    const expected = waiting() && waiting() + last.appends
    for (let before = -1; groups.length < 2; ) {
      before = waitingBytes
      await nextTurn()
      const ms = performance.now() - began
      const isExpecting = waiting() < expected && ms < last.ms / 2
      if (ms > longestWaitMs || (before === waitingBytes && !isExpecting)) break
    }
    return groups.shift()
  }

  async function run(): Promise<void> {
    for (let group = await nextGroup(); group !== undefined; group = await nextGroup()) {
      const frame = group.buffer.subarray(0, group.end)
      const began = performance.now()
      try {
        sealFrame(frame)
        await write(frame, group.count)
        group.written.resolve()
      } catch (error) {
        group.written.reject(error)
      }
      last = { appends: group.appends, ms: performance.now() - began }
      waitingBytes -= frame.length - headerBytes
      keep(group.buffer)
    }
    last = none
    running = undefined
  }

  return {
    append(rows, count) {
      const group = groupFor(rows.length)
      group.end += rows.copy(group.buffer, group.end)
      group.count += count
      group.appends++
      waitingBytes += rows.length
      running ??= run()
      return group.written.promise
    },
    get waitingBytes() {
      return waitingBytes
    },
    idle: async () => running,
  }
}
