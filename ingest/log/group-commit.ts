import { setImmediate as nextTurn } from 'node:timers/promises'
import { headerBytes, sealFrame } from './segments.ts'

/** Makes one frame of all that waits, again and again. */
export interface Gatherer {
  /**
   * Resolves, or rejects, as the write of its frame does.
   * @param bytes of the lines as UTF-8
   */
  append(lines: string, bytes: number, count: number): Promise<void>
  /** What is not written yet. */
  readonly waitingBytes: number
  /** Resolves when nothing waits. */
  idle(): Promise<void>
}

/** Rows that go to disk together. */
interface Group {
  readonly lines: string[]
  bytes: number
  count: number
  readonly written: PromiseWithResolvers<void>
}

/** A single append may be larger: it is not cut. */
const maxGroupBytes = 8 * 2 ** 20

/** @param write is called with one frame at a time, which is its own until it resolves */
export function createGatherer(write: (frame: Buffer, count: number) => Promise<void>): Gatherer {
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

  async function run(): Promise<void> {
    // All requests that are read in this turn of the event loop share the first write.
    await nextTurn()
    for (let group = groups.shift(); group !== undefined; group = groups.shift()) {
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
      group.lines.push(lines)
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
