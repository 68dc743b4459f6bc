import { LRUCache } from 'lru-cache'

export const requestsPerWindow = 600
export const windowSeconds = 60

/** A bucket after something was taken from it. */
export interface Taken {
  /** Whether the bucket had less. */
  readonly isOver: boolean
  readonly remaining: number
  readonly msBeforeReset: number
}

/**
 * Takes from a bucket, which is full again a window after its first request. A cost below 0 gives back. One in this process
 * answers at once. One of several processes answers later, and fails while it has no answer.
 */
export type Limiter = (bucket: string, cost: number) => Taken | Promise<Taken>

/** More clients than ask in a window: the least recently used buckets go. */
const mostBuckets = 50_000

/**
 * The default limiter: counters in this process. A promise a request would take as long as the count itself. Windows end
 * by a clock that nobody sets.
 */
export function memoryLimiter(requests = requestsPerWindow): Limiter {
  const windows = new LRUCache<string, { taken: number; readonly endsAt: number }>({
    max: mostBuckets,
  })
  return (bucket, cost) => {
    // Parts of a millisecond would bring a window to a little over its time.
    const now = Math.floor(performance.now())
    let window = windows.get(bucket)
    if (window === undefined || window.endsAt <= now) {
      window = { taken: 0, endsAt: now + windowSeconds * 1000 }
      windows.set(bucket, window)
    }
    window.taken += cost
    const remaining = Math.max(requests - window.taken, 0)
    return { isOver: window.taken > requests, remaining, msBeforeReset: window.endsAt - now }
  }
}
