import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Log } from '../../warehouse/log.ts'
import { createGate, type Gate, Overloaded } from '../endpoint/backpressure.ts'
import { type Backlog, type BacklogMeter, createBacklogMeter } from '../writer/backlog.ts'
import { makeCheckpoint } from '../writer/checkpoint.ts'
import { type Appender, createAppender, lastSequence, oldSegments } from './appender.ts'
import { createGatherer } from './group-commit.ts'
import { lockFolder } from './lock.ts'
import { logFolder, syncFolder } from './segments.ts'

/** What the endpoint appends kept events to, before it acknowledges them. */
export interface EventLog {
  /**
   * Appends rows of JSONEachRow, each ending in a line feed. Resolves when they are on disk; all who wait share one
   * `fdatasync`.
   * @throws {Overloaded} when the backlog is over its mark, or the disk is full or failing
   */
  append(lines: string, count: number): Promise<void>
  readonly isOverloaded: boolean
  backlog(): Backlog
  /** Resolves when all that was appended is on disk, or refused. */
  close(): Promise<void>
}

export interface LogOptions {
  /** The tracker's folder; the segments are in `log/` within. */
  readonly dir: string
  /** A segment that has reached it gets a successor. Default 16 MB. */
  readonly segmentBytes?: number
  /** Default 1 GB. */
  readonly maxBacklogBytes?: number
  /** What is left to others on the same disk, our own stores among them. Default 128 MB. */
  readonly minFreeBytes?: number
  readonly log: Log
}

/** What may wait in memory for a slow disk. */
const maxWaitingBytes = 64 * 2 ** 20
const lookMs = 500

/**
 * Opens the log of a tracker's folder, with a segment of its own. A disk that is full or failing only closes it,
 * until it has recovered.
 * @throws {Error} when another process has it, or the folder cannot be made
 */
export async function openLog(options: LogOptions): Promise<EventLog> {
  const { dir, segmentBytes = 16 * 2 ** 20, maxBacklogBytes = 2 ** 30, log } = options
  const made = await mkdir(logFolder(dir), { recursive: true, mode: 0o700 })
  // The folders are to be there after a power cut, as what is in them.
  if (made !== undefined) for (const path of [dir, dirname(dir)]) await syncFolder(path)
  const lock = lockFolder(dir, 'log')
  try {
    // What keeps it from being made will keep segments from being written, and is told then.
    await makeCheckpoint(dir).catch(() => undefined)
    const old = await oldSegments(dir)
    const appender = createAppender(dir, await lastSequence(dir, old), segmentBytes)
    const meter = createBacklogMeter(dir, old)
    const minFreeBytes = options.minFreeBytes ?? 128 * 2 ** 20
    const gate = createGate(appender, meter, { maxBacklogBytes, minFreeBytes, log })
    await gate.look()
    return gatedLog({ gate, appender, meter, lock, log })
  } catch (error) {
    lock.release()
    throw error
  }
}

interface Parts {
  readonly gate: Gate
  readonly appender: Appender
  readonly meter: BacklogMeter
  readonly lock: { release(): void }
  readonly log: Log
}

function gatedLog({ gate, appender, meter, lock, log }: Parts): EventLog {
  let isClosed = false
  const gatherer = createGatherer(async (frame, count) => {
    // It was let in before the disk failed.
    const refused = appender.isBroken && gate.refusal(0)
    if (refused) throw refused
    const began = performance.now()
    try {
      await appender.append(frame)
    } catch (error) {
      throw gate.failed(frame.length, error)
    }
    gate.succeeded(frame.length)
    const ms = Math.round((performance.now() - began) * 10) / 10
    log.debug({ events: count, bytes: frame.length, ms }, 'events on disk')
  })
  const watch = repeat(() => gate.look(), lookMs)

  function refusal(bytes: number): Overloaded | undefined {
    if (isClosed) return new Overloaded('The event log is closed.', 1)
    const waiting = gatherer.waitingBytes + bytes
    if (waiting > maxWaitingBytes) return new Overloaded('The disk of the event log is slow.', 1)
    return gate.refusal(waiting)
  }

  return {
    async append(lines, count) {
      if (lines === '') return
      const bytes = Buffer.byteLength(lines)
      const refused = refusal(bytes)
      if (refused) throw refused
      await gatherer.append(lines, bytes, count)
    },
    get isOverloaded() {
      return refusal(0) !== undefined
    },
    backlog: () => meter.current,
    async close() {
      isClosed = true
      await Promise.all([gatherer.idle(), watch.stop()])
      await appender.close()
      lock.release()
    },
  }
}

/** Calls it from time to time, never while the last call is under way. */
function repeat(call: () => Promise<void>, everyMs: number): { stop(): Promise<void> } {
  let running: Promise<void> = Promise.resolve()
  const next = () => {
    running = call().finally(() => timer.refresh())
  }
  const timer = setTimeout(next, everyMs)
  return {
    async stop() {
      await running
      clearTimeout(timer)
    },
  }
}
