import { setImmediate as nextTurn } from 'node:timers/promises'
import { headerBytes, sealFrame } from './segments.ts'

/** Writes concurrent appends as one frame, so that they share one `fdatasync`. */
export interface GroupCommit {
  /**
   * Settles with the write of its frame.
   * @param bytes the length of the lines as UTF-8
   */
  append(lines: readonly string[], bytes: number, count: number): Promise<void>
  /** Bytes that are not written yet. */
  readonly waitingBytes: number
  /** Resolves when every append is written. */
  idle(): Promise<void>
}

/** Rows of one frame. */
interface Group {
  readonly lines: string[]
  bytes: number
  count: number
  readonly written: PromiseWithResolvers<void>
}

/** A single append may be larger: it is never split. */
const maxGroupBytes = 8 * 2 ** 20

/** A sync takes as much of the processor as several requests. So a busy tracker waits for more of them to share one. */
const longestGatherMs = 2

/** @param write gets one frame at a time; the buffer of the frame is reused after it resolves */
export function createGroupCommit(
  write: (frame: Buffer, count: number) => Promise<void>,
): GroupCommit {
  const groups: Group[] = []
  let buffer = Buffer.allocUnsafeSlow(2 ** 20)
  let waitingBytes = 0
  let running: Promise<void> | undefined

  function groupFor(bytes: number): Group {
    const last = groups.at(-1)
    if (last !== undefined && last.bytes + bytes <= maxGroupBytes) return last
    const group: Group = { lines: [], bytes: 0, count: 0, written: Promise.withResolvers() }
    groups.push(group)
    return group
  }

  function toFrame({ lines, bytes }: Group): Buffer {
    const size = headerBytes + bytes
    if (size > buffer.length && size <= headerBytes + maxGroupBytes) {
      buffer = Buffer.allocUnsafeSlow(headerBytes + maxGroupBytes)
    }
    const frame = size <= buffer.length ? buffer.subarray(0, size) : Buffer.allocUnsafe(size)
    let end = headerBytes
    for (const text of lines) end += frame.write(text, end)
    sealFrame(frame)
    return frame
  }

  /** Waits for the appends of this turn of the event loop, and of further turns while each brings more. */
  async function gather(): Promise<Group | undefined> {
    const began = performance.now()
    for (let before = -1; before !== waitingBytes; ) {
      before = waitingBytes
      await nextTurn()
      if (performance.now() - began > longestGatherMs) break
    }
    return groups.shift()
  }

  async function run(): Promise<void> {
    for (let group = await gather(); group !== undefined; group = await gather()) {
      try {
        await write(toFrame(group), group.count)
        group.written.resolve()
      } catch (error) {
        group.written.reject(error)
      }
      waitingBytes -= group.bytes
    }
    running = undefined
  }

  return {
    append(lines, bytes, count) {
      const group = groupFor(bytes)
      group.lines.push(...lines)
      group.bytes += bytes
      group.count += count
      waitingBytes += bytes
      running ??= run()
      return group.written.promise
    },
    get waitingBytes() {
      return waitingBytes
    },
    idle: async () => running,
  }
}
