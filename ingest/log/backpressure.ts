import type { Log } from '../../core/log.ts'
import type { BacklogMeter } from '../writer/backlog.ts'
import type { Appender } from './appender.ts'

/** The log refuses to append events. None of them is stored. */
export class Overloaded extends Error {
  readonly retryAfterSeconds: number

  constructor(message: string, retryAfterSeconds: number, cause?: unknown) {
    super(message, { cause })
    this.name = 'Overloaded'
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** Refuses events while the backlog is too long or the disk fails, and accepts them again afterwards. */
export interface Backpressure {
  /** Why the log refuses this many bytes now; undefined when it accepts them. */
  refusal(bytes: number): Overloaded | undefined
  succeeded(bytes: number): void
  failed(bytes: number, error: unknown): Overloaded
  /** Measures the backlog and the disk. Call it periodically. */
  measure(): Promise<void>
}

interface Failure {
  readonly error: unknown
  /** The free space that a retry needs. */
  readonly bytes: number
  readonly retryMs: number
  readonly retryAt: number
}

const failing = 'The event log cannot be written.'
const firstRetryMs = 500
const maxRetryMs = 30_000
const retryAfterSeconds = 10

export function createBackpressure(
  appender: Appender,
  meter: BacklogMeter,
  limits: {
    readonly maxBacklogBytes: number
    readonly minFreeBytes: number
    readonly log: Log
  },
): Backpressure {
  const { maxBacklogBytes, minFreeBytes, log } = limits
  let isFull = false
  let failure: Failure | undefined
  let logged: string | undefined

  /** Why events are refused now. */
  function reason(): string | undefined {
    if (failure !== undefined && !mayTry(failure)) return failing
    if (meter.freeBytes < minFreeBytes) return 'The disk of the event log is nearly full.'
    return isFull ? 'The event log is full: the backlog for the warehouse is too long.' : undefined
  }

  /** Logs changes, not each refusal. */
  function logChange(): void {
    // Only a successful write ends a failure; a permitted retry does not.
    const now = failure === undefined ? reason() : failing
    if (now === logged) return
    logged = now
    const { bytes, segments } = meter.current
    const facts = { backlogBytes: bytes, segments, freeBytes: meter.freeBytes }
    if (now === undefined) log.info(facts, 'The event log accepts events again.')
    else log.error({ ...facts, err: failure?.error }, `${now} Events are refused.`)
  }

  function failed(bytes: number, error: unknown): Overloaded {
    const retryMs = Math.min(failure ? 2 * failure.retryMs : firstRetryMs, maxRetryMs)
    failure = { error, bytes, retryMs, retryAt: performance.now() + retryMs }
    logChange()
    return new Overloaded(failing, retryAfterSeconds, error)
  }

  /** Whether a write may probe if the disk has recovered. */
  function mayTry({ bytes, retryAt }: Failure): boolean {
    const hasRoom = meter.freeBytes >= minFreeBytes + bytes
    return !appender.isBroken && hasRoom && performance.now() >= retryAt
  }

  async function renew(): Promise<void> {
    try {
      // Also on a full disk: the writer removes the failed segment only after a newer one exists.
      await appender.renew()
      meter.add(appender.sequence, 0)
    } catch (error) {
      failed(failure?.bytes ?? 0, error)
    }
  }

  return {
    refusal(bytes) {
      if (!isFull && meter.current.bytes + bytes > maxBacklogBytes) {
        isFull = true
        logChange()
      }
      const why = reason()
      return why === undefined ? undefined : new Overloaded(why, retryAfterSeconds)
    },
    succeeded(bytes) {
      meter.add(appender.sequence, bytes)
      failure = undefined
      logChange()
    },
    failed,
    async measure() {
      await meter.refresh()
      // Below the limit, or the log would open and close with each batch.
      if (meter.current.bytes < 0.9 * maxBacklogBytes) isFull = false
      if (appender.isBroken && performance.now() >= (failure?.retryAt ?? 0)) await renew()
      logChange()
    },
  }
}
