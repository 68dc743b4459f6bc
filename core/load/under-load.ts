import { Fault } from '../errors.ts'

/** What the service refuses under load, and the memory of its large replies. */

const retrySeconds = 2

/** 429 `rate_limited`: a write that waited too long for other writes. It changed nothing. */
export function writeBusy(cause: unknown): Fault {
  const message = 'Other writes to the same data have not ended. Nothing was changed. Try again.'
  const headers = { 'Retry-After': String(retrySeconds) }
  return new Fault('rate_limited', message, { headers, cause })
}

/** 429 `rate_limited`: a report that waited too long for other reports of its key or workspace. */
export function readBusy(cause: unknown): Fault {
  const message = 'Other reports of the key or its workspace have not ended. Try again.'
  const headers = { 'Retry-After': String(retrySeconds) }
  return new Fault('rate_limited', message, { headers, cause })
}

/** 400 `query_too_large`. */
export function tooLarge(message: string, cause?: unknown): Fault {
  return new Fault('query_too_large', message, cause === undefined ? {} : { cause })
}

/** 429 `rate_limited`: other requests hold the memory that this request needs. */
export function memoryBusy(cause?: unknown): Fault {
  const message = 'Other requests hold the memory that this request needs. Try again.'
  const headers = { 'Retry-After': String(retrySeconds) }
  return new Fault('rate_limited', message, cause === undefined ? { headers } : { headers, cause })
}

interface Waiting {
  readonly holder: object
  readonly bytes: number
  grant(): void
}

export interface ReplyMemory {
  /**
   * Waits until the reply may hold so many bytes more.
   * @throws {Fault} `rate_limited` after ten seconds
   */
  hold(bytes: number): Promise<void>
  /** Gives back all that the reply holds. */
  end(): void
}

const patienceMs = 10_000

/**
 * The memory of the large replies of this process. A reply holds the bytes of its rows from before they are read until
 * it is sent. The oldest holder never waits, so that replies which need more than they hold cannot wait for each other.
 * @param most bytes of all replies together
 */
export function replyMemory(most: number, waitMs: number = patienceMs) {
  /** By holder, the oldest first. */
  const held = new Map<object, number>()
  const waiting = new Set<Waiting>()
  let used = 0

  const isOldest = (holder: object) => held.keys().next().value === holder
  const fits = ({ holder, bytes }: Waiting) =>
    used === 0 || used + bytes <= most || isOldest(holder)

  function grantWhatFits(): void {
    let isBlocked = false
    for (const request of waiting) {
      // In order of arrival: a small reply does not pass a large one for ever.
      if (isBlocked ? !isOldest(request.holder) : !fits(request)) {
        isBlocked = true
        continue
      }
      waiting.delete(request)
      used += request.bytes
      held.set(request.holder, (held.get(request.holder) ?? 0) + request.bytes)
      request.grant()
    }
  }

  return (onFirstHold = () => {}): ReplyMemory => {
    const holder = {}
    let [hasBegun, hasEnded] = [false, false]
    return {
      async hold(bytes) {
        if (hasEnded) return
        if (!hasBegun) onFirstHold()
        hasBegun = true
        const { promise, resolve, reject } = Promise.withResolvers<void>()
        const request = { holder, bytes, grant: resolve }
        waiting.add(request)
        grantWhatFits()
        const late = setTimeout(() => {
          waiting.delete(request)
          reject(memoryBusy())
          grantWhatFits()
        }, waitMs)
        await promise.finally(() => clearTimeout(late))
      },
      end() {
        hasEnded = true
        for (const request of waiting) {
          if (request.holder !== holder) continue
          waiting.delete(request)
          request.grant()
        }
        used -= held.get(holder) ?? 0
        held.delete(holder)
        grantWhatFits()
      },
    }
  }
}
