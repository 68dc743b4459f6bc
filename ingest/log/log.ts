import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Log } from '../../core/log.ts'
import { syncFolder } from '../../disk/durable-file.ts'
import type { FileLock } from '../../disk/file-lock.ts'
import { type BacklogMeter, createBacklogMeter } from '../writer/backlog.ts'
import { makeCheckpoint } from '../writer/checkpoint.ts'
import { type Appender, createAppender, lastSequence, oldSegments } from './appender.ts'
import { type BacklogShares, createBacklogShares } from './backlog-shares.ts'
import { type Backpressure, createBackpressure, Overloaded } from './backpressure.ts'
import { type EventLog, noOwner } from './event-log.ts'
import { createGroupCommit } from './group-commit.ts'
import { lockTrackerFolder, logFolder } from './segments.ts'

export interface LogOptions {
  /** The tracker's folder; the segments are in `log/` within. */
  readonly dir: string
  /** The size at which a new segment begins. Default 16 MB. */
  readonly segmentBytes?: number
  /** Default `maxBacklogBytes`. */
  readonly maxBacklogBytes?: number
  /** Free space to leave for others on the disk, such as the stores. Default 128 MB. */
  readonly minFreeBytes?: number
  readonly log: Log
}

/** What may wait for the warehouse: 1 GB. */
export const maxBacklogBytes = 2 ** 30

/** Bytes that may wait in memory for a slow disk. */
const maxWaitingBytes = 64 * 2 ** 20
const measureMs = 500

/**
 * Opens the log of a tracker's folder, and starts a new segment. While the disk is full or failing the log refuses
 * events.
 * @throws {Error} when another process holds the log, or the folder cannot be created
 */
export async function openLog(options: LogOptions): Promise<EventLog> {
  const { dir, segmentBytes = 16 * 2 ** 20, log } = options
  const mostBytes = options.maxBacklogBytes ?? maxBacklogBytes
  const made = await mkdir(logFolder(dir), { recursive: true, mode: 0o700 })
  // The folders must survive a power cut, like their files.
  if (made !== undefined) for (const path of [dir, dirname(dir)]) await syncFolder(path)
  const lock = lockTrackerFolder(dir, 'log')
  try {
    // A disk that refuses the checkpoint also refuses the segments, and that failure is logged.
    await makeCheckpoint(dir).catch(() => undefined)
    const old = await oldSegments(dir)
    const appender = createAppender(dir, await lastSequence(dir, old), segmentBytes)
    const meter = createBacklogMeter(dir, old)
    const minFreeBytes = options.minFreeBytes ?? 128 * 2 ** 20
    const limits = { maxBacklogBytes: mostBytes, minFreeBytes, log }
    const backpressure = createBackpressure(appender, meter, limits)
    await backpressure.measure()
    const shares = createBacklogShares(mostBytes, appender, meter)
    return eventLog({ backpressure, shares, appender, meter, lock, log })
  } catch (error) {
    lock.release()
    throw error
  }
}

interface Parts {
  readonly backpressure: Backpressure
  readonly shares: BacklogShares
  readonly appender: Appender
  readonly meter: BacklogMeter
  readonly lock: FileLock
  readonly log: Log
}

function eventLog({ backpressure, shares, appender, meter, lock, log }: Parts): EventLog {
  let isClosed = false
  const groupCommit = createGroupCommit(async (frame, count) => {
    // The append was accepted before the disk failed.
    const refused = appender.isBroken && backpressure.refusal(0)
    if (refused) throw refused
    const began = performance.now()
    try {
      await appender.append(frame)
    } catch (error) {
      throw backpressure.failed(frame.length, error)
    }
    backpressure.succeeded(frame.length)
    const ms = Math.round((performance.now() - began) * 10) / 10
    log.debug({ events: count, bytes: frame.length, ms }, 'events on disk')
  })
  const watch = repeat(async () => {
    await backpressure.measure()
    shares.measure()
  }, measureMs)

  /** Without a workspace it is the log that is asked about, and nobody wants a share. */
  function refusal(bytes: number, workspaceId?: string): Overloaded | undefined {
    if (isClosed) return new Overloaded('The event log is closed.', 1)
    const waiting = groupCommit.waitingBytes + bytes
    if (waiting > maxWaitingBytes) return new Overloaded('The disk of the event log is slow.', 1)
    const refused = backpressure.refusal(waiting)
    if (refused || workspaceId === undefined) return refused
    return shares.refusal(workspaceId, bytes)
  }

  return {
    async append(rows, count, { workspaceId } = noOwner) {
      if (rows.length === 0) return
      const refused = refusal(rows.length, workspaceId)
      if (refused) throw refused
      await shares.hold(workspaceId, rows.length, groupCommit.append(rows, count))
    },
    get isOverloaded() {
      return refusal(0) !== undefined
    },
    isOverloadedFor: (workspaceId) => refusal(1, workspaceId) !== undefined,
    backlog: () => meter.current,
    async close() {
      isClosed = true
      await Promise.all([groupCommit.idle(), watch.stop()])
      await appender.close()
      lock.release()
    },
  }
}

/** Calls a function periodically, never while an earlier call runs. */
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
