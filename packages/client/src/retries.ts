export interface Retries {
  /** How often a request is sent at most. Default 5; 1 repeats nothing. */
  readonly attempts?: number | undefined
  /** The pause after the first failure, doubled by each one. Default 250 ms. */
  readonly firstPauseMs?: number | undefined
  /** Longest pause. A longer `Retry-After` is not waited for: the request fails. Default 60 s. */
  readonly longestPauseMs?: number | undefined
}

/** Sends a request, and may repeat it where that does no harm. */
export type Send = (request: Request, mayBeRepeated: boolean) => Promise<Response>

/** What a gateway answers while the service behind it starts or is busy. */
const passing = [429, 502, 503, 504]

/** `fetch` that repeats what may be repeated, while the network or the service fails for a while. */
export function sendPatiently(
  fetch: (request: Request) => Promise<Response>,
  { attempts = 5, firstPauseMs = 250, longestPauseMs = 60_000 }: Retries = {},
): Send {
  return async (request, mayBeRepeated) => {
    let left = mayBeRepeated ? attempts : 1
    let pauseMs = firstPauseMs
    for (;;) {
      left--
      const response = await fetch(left > 0 ? request.clone() : request).catch((error: unknown) => {
        // A lost answer leaves open whether it was done, which does no harm here.
        if (left <= 0 || request.signal.aborted) throw error
        return undefined
      })
      if (response && (left <= 0 || !(await isPassing(response)))) return response
      const askedMs = (response && retryAfterMs(response)) ?? 0
      if (response && askedMs > longestPauseMs) return response
      // Many clients that fail together do not come back together.
      const ownMs = pauseMs * (0.5 + Math.random() / 2)
      await response?.body?.cancel()
      await pause(Math.max(askedMs, Math.min(ownMs, longestPauseMs)), request.signal)
      pauseMs *= 2
    }
  }
}

/** Whether the same request may succeed later. */
async function isPassing(response: Response): Promise<boolean> {
  if (response.ok) return false
  if (passing.includes(response.status)) return true
  const { retryable, errors } = await response
    .clone()
    .json()
    .catch(() => ({}))
  return retryable === true || errors?.[0]?.extensions?.retryable === true
}

/** The pause that a response asks for, in seconds or until a date. Undefined where it asks for none. */
export function retryAfterMs({ headers }: Response): number | undefined {
  const asked = headers.get('retry-after')
  if (asked === null) return undefined
  const ms = /^\d+$/.test(asked) ? Number(asked) * 1000 : Date.parse(asked) - Date.now()
  return Number.isNaN(ms) ? undefined : Math.max(ms, 0)
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer)
      reject(signal.reason)
    }
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop)
      resolve()
    }, ms)
    if (signal.aborted) stop()
    else signal.addEventListener('abort', stop, { once: true })
  })
}
