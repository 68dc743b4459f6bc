import { setTimeout as sleep } from 'node:timers/promises'
import type { RunningPart } from './child.ts'

/** A process that ends earlier died quickly. */
const QUICK_MS = 5000
const MAX_QUICK_DEATHS = 10
const MAX_DELAY_MS = 1000

export interface KeptPart<Part extends RunningPart> {
  /** The running process; undefined while it restarts. */
  current(): Part | undefined
  /** Rejects with the reason when the process has died too often. It never resolves. */
  readonly givenUp: Promise<never>
  stop(): Promise<void>
  kill(): void
}

export interface KeepOptions<Part extends RunningPart> {
  name: string
  start: () => Promise<Part>
  onUp?: (part: Part) => void
  onDown?: () => void
  /** Called at each death and each failed start. */
  warn: (message: string) => void
}

/**
 * Starts a process of the service, and restarts it whenever it dies: at once, or after growing pauses when it keeps
 * dying within seconds.
 * @throws when the first start fails
 */
export async function keepRunning<Part extends RunningPart>(
  options: KeepOptions<Part>,
): Promise<KeptPart<Part>> {
  const { promise: givenUp, reject: giveUp } = Promise.withResolvers<never>()
  // Without a listener this is no unhandled rejection.
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
      options.warn(`${options.name} restarts: ${how}`)
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

/** Milliseconds to wait: 0 after the first death, then 100, 200, 400 … */
function pauseAfter(quickDeaths: number): number {
  return quickDeaths <= 1 ? 0 : Math.min(100 * 2 ** (quickDeaths - 2), MAX_DELAY_MS)
}
