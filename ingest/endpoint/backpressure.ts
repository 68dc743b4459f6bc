import type { Log } from '../../warehouse/log.ts'
import type { Appender } from '../log/appender.ts'
import type { BacklogMeter } from '../writer/backlog.ts'

/** Nothing of what was to be appended is acknowledged. */
export class Overloaded extends Error {
  readonly retryAfterSeconds: number

  constructor(message: string, retryAfterSeconds: number, cause?: unknown) {
    super(message, { cause })
    this.name = 'Overloaded'
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** Says whether the log takes more, and opens it again when the disk has recovered. */
export interface Gate {
  /** Why so many bytes are not taken now; undefined when they are. */
  refusal(bytes: number): Overloaded | undefined
  succeeded(bytes: number): void
  failed(bytes: number, error: unknown): Overloaded
  /** Looks at the backlog and the disk; to be called from time to time. */
  look(): Promise<void>
}

interface Failure {
  readonly error: unknown
  /** What has to fit before it is worth another try. */
  readonly bytes: number
  readonly retryMs: number
  readonly retryAt: number
}

const failing = 'The event log cannot be written.'
const firstRetryMs = 500
const maxRetryMs = 30_000
const retryAfterSeconds = 10

export function createGate(
  appender: Appender,
  meter: BacklogMeter,
  limits: {
    readonly maxBacklogBytes: number
    readonly minFreeBytes: number
    readonly log: Log
  },
): Gate {
  const { maxBacklogBytes, minFreeBytes, log } = limits
  let isFull = false
  let failure: Failure | undefined
  let told: string | undefined

  /** Why events are refused now. */
  function reason(): string | undefined {
    if (failure !== undefined && !mayTry(failure)) return failing
    if (meter.freeBytes < minFreeBytes) return 'The disk of the event log is nearly full.'
    return isFull ? 'The event log is full: too much waits for the warehouse.' : undefined
  }

  /** One line a change, not one a refusal. */
  function tell(): void {
    // A failure has passed when a write says so, not when one may be tried.
    const now = failure === undefined ? reason() : failing
    if (now === told) return
    told = now
    const { bytes, segments } = meter.current
    const facts = { backlogBytes: bytes, segments, freeBytes: meter.freeBytes }
    if (now === undefined) log.info(facts, 'The event log takes events again.')
    else log.error({ ...facts, err: failure?.error }, `${now} Events are refused.`)
  }

  function failed(bytes: number, error: unknown): Overloaded {
    const retryMs = Math.min(failure ? 2 * failure.retryMs : firstRetryMs, maxRetryMs)
    failure = { error, bytes, retryMs, retryAt: performance.now() + retryMs }
    tell()
    return new Overloaded(failing, retryAfterSeconds, error)
  }

  /** Whether the next write may show that the disk has recovered. */
  function mayTry({ bytes, retryAt }: Failure): boolean {
    const hasRoom = meter.freeBytes >= minFreeBytes + bytes
    return !appender.isBroken && hasRoom && performance.now() >= retryAt
  }

  async function renew(): Promise<void> {
    try {
      // Also on a full disk: the writer can remove the segment that failed only when it has a successor.
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
        tell()
      }
      const why = reason()
      return why === undefined ? undefined : new Overloaded(why, retryAfterSeconds)
    },
    succeeded(bytes) {
      meter.add(appender.sequence, bytes)
      failure = undefined
      tell()
    },
    failed,
    async look() {
      await meter.refresh()
      // Not at the mark itself, or it would open and close with each batch.
      if (meter.current.bytes < 0.9 * maxBacklogBytes) isFull = false
      if (appender.isBroken && performance.now() >= (failure?.retryAt ?? 0)) await renew()
      tell()
    },
  }
}
