import { setTimeout as sleep } from 'node:timers/promises'

/** Keeps requests of one audit apart: one at a time per host, and two hosts at once. */
export interface Pace {
  /**
   * Runs a request when the turn of its host comes.
   * @throws the reason of the signal once it is aborted
   */
  turn<T>(host: string, request: () => Promise<T>): Promise<T>
  /** Starts of requests to the host are at least so far apart. A longer pause than before wins. */
  slowDown(host: string, ms: number): void
  /** No request to the host starts before. */
  postpone(host: string, ms: number): void
}

export interface PaceOptions {
  /** Between the starts of two requests to one host. */
  readonly delayMs: number
  /** The first request to each host waits too: another process may have asked a moment ago. */
  readonly isResumed: boolean
  readonly signal?: AbortSignal | undefined
}

const hostsAtOnce = 2

interface HostPace {
  /** Ends when all requests before have ended. */
  queue: Promise<unknown>
  delayMs: number
  /** By `performance.now()`. */
  notBefore: number
  lastStart: number
}

/** Lets so many run at once; the others wait in order. */
function gate(most: number) {
  let running = 0
  const waiting: (() => void)[] = []
  return async function pass<T>(work: () => Promise<T>): Promise<T> {
    if (running >= most) await new Promise<void>((resolve) => waiting.push(resolve))
    else running++
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next === undefined) running--
      else next()
    }
  }
}

export function createPace({ delayMs, isResumed, signal }: PaceOptions): Pace {
  const hosts = new Map<string, HostPace>()
  const pass = gate(hostsAtOnce)
  const paceOf = (host: string): HostPace => {
    const known = hosts.get(host)
    if (known !== undefined) return known
    const notBefore = isResumed ? performance.now() + delayMs : 0
    const made = {
      queue: Promise.resolve(),
      delayMs,
      notBefore,
      lastStart: Number.NEGATIVE_INFINITY,
    }
    hosts.set(host, made)
    return made
  }

  async function start<T>(pace: HostPace, request: () => Promise<T>): Promise<T> {
    // Timers may fire a moment early, and a slower request may have moved the time meanwhile.
    for (;;) {
      signal?.throwIfAborted()
      const waitMs = pace.notBefore - performance.now()
      if (waitMs <= 0) break
      await sleep(Math.ceil(waitMs), undefined, signal === undefined ? {} : { signal })
    }
    return pass(() => {
      signal?.throwIfAborted()
      pace.lastStart = performance.now()
      pace.notBefore = pace.lastStart + pace.delayMs
      return request()
    })
  }

  return {
    turn(host, request) {
      const pace = paceOf(host)
      const turn = pace.queue.then(() => start(pace, request))
      pace.queue = turn.catch(() => {})
      return turn
    },
    slowDown(host, ms) {
      const pace = paceOf(host)
      pace.delayMs = Math.max(pace.delayMs, ms)
      pace.notBefore = Math.max(pace.notBefore, pace.lastStart + pace.delayMs)
    },
    postpone(host, ms) {
      const pace = paceOf(host)
      pace.notBefore = Math.max(pace.notBefore, performance.now() + ms)
    },
  }
}
