import { setTimeout as sleep } from 'node:timers/promises'
import type { Running } from './child.ts'

/** A life shorter than this is a quick death. */
const QUICK_MS = 5000
const MAX_QUICK_DEATHS = 10
const MAX_DELAY_MS = 1000

export interface Kept<Part extends Running> {
  /** The part that runs, or undefined between two lives. */
  current(): Part | undefined
  /** Rejects when the part has died too often, with the reason. It never resolves. */
  readonly givenUp: Promise<never>
  stop(): Promise<void>
  kill(): void
}

export interface KeepOptions<Part extends Running> {
  name: string
  start: () => Promise<Part>
  onUp?: (part: Part) => void
  onDown?: () => void
  /** Told of each death, and of each return. */
  warn: (message: string) => void
}

/**
 * Starts a part of the service and starts it again whenever it dies: at once, and with growing pauses
 * when it dies within seconds again and again.
 * @throws when it does not start the first time
 */
export async function keepRunning<Part extends Running>(
  options: KeepOptions<Part>,
): Promise<Kept<Part>> {
  const { promise: givenUp, reject: giveUp } = Promise.withResolvers<never>()
  // Nobody may listen yet, or any more: then it is no unhandled rejection.
  givenUp.catch(() => undefined)
  const stopping = new AbortController()
  const { signal } = stopping
  let part: Part | undefined = await options.start()
  let upAt = performance.now()
  options.onUp?.(part)

  async function watch(): Promise<void> {
    let quickDeaths = 0
    for (;;) {
      const how = part ? await part.exited : 'it did not start'
      const isQuick = !part || performance.now() - upAt < QUICK_MS
      part = undefined
      options.onDown?.()
      if (signal.aborted) return
      quickDeaths = isQuick ? quickDeaths + 1 : 1
      if (quickDeaths >= MAX_QUICK_DEATHS) {
        giveUp(
          new Error(`${options.name} died ${quickDeaths} times in a row. The last time ${how}`),
        )
        return
      }
      options.warn(`${options.name} is started again: ${how}`)
      await sleep(pauseAfter(quickDeaths), undefined, { signal }).catch(() => undefined)
      part = await revive()
    }
  }

  async function revive(): Promise<Part | undefined> {
    if (signal.aborted) return undefined
    try {
      const next = await options.start()
      upAt = performance.now()
      if (signal.aborted) await next.stop()
      else options.onUp?.(next)
      return next
    } catch (error) {
      options.warn((error as Error).message)
      return undefined
    }
  }

  const watching = watch()
  return {
    current: () => part,
    givenUp,
    stop: async () => {
      stopping.abort()
      await part?.stop()
      await watching
    },
    kill: () => {
      stopping.abort()
      part?.kill()
    },
  }
}

/** Milliseconds to wait: none after a first death, then 100, 200, 400 … */
function pauseAfter(quickDeaths: number): number {
  return quickDeaths <= 1 ? 0 : Math.min(100 * 2 ** (quickDeaths - 2), MAX_DELAY_MS)
}
