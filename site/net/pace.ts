import { setTimeout as sleep } from 'node:timers/promises'
import type { HostTurn, HostTurns } from './host-turns.ts'

/** Keeps requests apart: one at a time per host in a process, and two hosts at once of an audit. */
export interface Pace {
  /**
   * Runs a request when the turn of its host comes.
   * @throws the reason of the signal once it is aborted
   */
  turn<T>(host: string, request: () => Promise<T>): Promise<T>
  /** Starts of this audit's requests to the host are at least so far apart. A longer pause than before wins. */
  slowDown(host: string, ms: number): void
  /** No request to the host starts before. */
  postpone(host: string, ms: number): void
}

export interface PaceOptions {
  /** Milliseconds between the starts of two requests to a host. */
  readonly delayOf: (host: string) => number
  /** The first request to each host waits too: another process may have asked a moment ago. */
  readonly isResumed: boolean
  /** Shared by all audits of a process. */
  readonly hostTurns: HostTurns
  readonly signal?: AbortSignal | undefined
}

const hostsAtOnce = 2

interface HostPace {
  readonly turn: HostTurn
  delayMs: number
  /** By `performance.now()`: when this audit may begin with the host. */
  readonly begin: number
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

export function createPace({ delayOf, isResumed, hostTurns, signal }: PaceOptions): Pace {
  const hosts = new Map<string, HostPace>()
  const pass = gate(hostsAtOnce)
  const paceOf = (host: string): HostPace => {
    const known = hosts.get(host)
    if (known !== undefined) return known
    const delayMs = delayOf(host)
    const begin = isResumed ? performance.now() + delayMs : 0
    const made = { turn: hostTurns.of(host), delayMs, begin }
    hosts.set(host, made)
    return made
  }

  async function start<T>(pace: HostPace, request: () => Promise<T>): Promise<T> {
    const { turn, begin } = pace
    // Timers may fire a moment early, and a slower request may have moved the time meanwhile.
    for (;;) {
      signal?.throwIfAborted()
      const notBefore = Math.max(begin, turn.postponedTo, turn.lastStart + pace.delayMs)
      const waitMs = notBefore - performance.now()
      if (waitMs <= 0) break
      await sleep(Math.ceil(waitMs), undefined, signal === undefined ? {} : { signal })
    }
    return pass(() => {
      signal?.throwIfAborted()
      turn.lastStart = performance.now()
      return request()
    })
  }

  return {
    turn(host, request) {
      const pace = paceOf(host)
      const { turn } = pace
      const own = turn.queue.then(() => start(pace, request))
      turn.queue = own.catch(() => {})
      return own
    },
    slowDown(host, ms) {
      const pace = paceOf(host)
      pace.delayMs = Math.max(pace.delayMs, ms)
    },
    postpone(host, ms) {
      const { turn } = paceOf(host)
      turn.postponedTo = Math.max(turn.postponedTo, performance.now() + ms)
    },
  }
}
