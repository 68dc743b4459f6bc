import { setTimeout as sleep } from 'node:timers/promises'
import type { DataDir } from '../folder/data-dir.ts'
import { lacksRoom } from '../folder/room.ts'
import type { RunningPart } from './child.ts'
import type { PartBoard, PartState } from './part-states.ts'
import { hasFallenSilent } from './watchdog.ts'

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
  /** Called with each change of the part's state. */
  onState?: (state: PartState) => void
  /** Milliseconds without an answer after which a running part is killed. Default: it is never asked. */
  silenceMs?: number
  /** Called at each death and each failed start; while the disk is full, at the first of them. */
  warn: (message: string) => void
  /** True while the part may fail for want of space: then it is started again for as long as that takes. */
  isDiskFull?: () => Promise<boolean>
}

const silenceMs = 15_000

/** Options of each part of the service: a board shows its state, a silent one is killed, and a full disk is borne. */
export function watched(
  part: string,
  by: {
    readonly dataDir: DataDir
    readonly warn: (message: string) => void
    readonly board?: PartBoard | undefined
  },
) {
  return {
    onState: (state: PartState) => by.board?.set(part, state),
    silenceMs,
    warn: by.warn,
    isDiskFull: () => lacksRoom(by.dataDir.path),
  }
}

/**
 * Starts a process of the service, and restarts it whenever it dies: at once, or after growing pauses when it keeps
 * dying within seconds. Kills a process that does not answer for `silenceMs`.
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
  options.onState?.('starting')
  let part: Part | undefined = await options.start()
  let upAt = performance.now()
  begin(part)

  function begin(next: Part): void {
    // The state first: `onUp` may show it to others.
    options.onState?.('up')
    options.onUp?.(next)
    guard(next)
  }

  async function guard(watched: Part): Promise<void> {
    if (options.silenceMs === undefined) return
    const ended = new AbortController()
    watched.exited.then(() => ended.abort())
    const isSilent = await hasFallenSilent({
      ping: watched.ping,
      silenceMs: options.silenceMs,
      onChange: (state) => options.onState?.(state),
      signal: AbortSignal.any([signal, ended.signal]),
    })
    if (!isSilent) return
    options.warn(`${options.name} has not answered for ${options.silenceMs / 1000} s and is killed`)
    watched.kill()
  }

  async function watch(): Promise<void> {
    let quickDeaths = 0
    let isSaid = false
    const warn = (message: string) => {
      if (!isSaid) options.warn(message)
    }
    for (;;) {
      const how = part ? await part.exited : 'it did not start'
      const isQuick = !part || performance.now() - upAt < QUICK_MS
      part = undefined
      options.onDown?.()
      options.onState?.('starting')
      if (signal.aborted) return
      quickDeaths = isQuick ? quickDeaths + 1 : 1
      const isDiskFull = (await options.isDiskFull?.().catch(() => false)) ?? false
      // Never given up then, and with tries left when there is space again.
      if (isDiskFull) quickDeaths = Math.min(quickDeaths, MAX_QUICK_DEATHS / 2)
      isSaid &&= isDiskFull
      if (quickDeaths >= MAX_QUICK_DEATHS) {
        giveUp(
          new Error(`${options.name} died ${quickDeaths} times in a row. The last time ${how}`),
        )
        return
      }
      warn(`${options.name} restarts${isDiskFull ? ', on a disk that is nearly full' : ''}: ${how}`)
      await sleep(pauseAfter(quickDeaths), undefined, { signal }).catch(() => undefined)
      part = await revive(warn)
      isSaid = isDiskFull
    }
  }

  async function revive(warn: (message: string) => void): Promise<Part | undefined> {
    if (signal.aborted) return undefined
    try {
      const next = await options.start()
      upAt = performance.now()
      if (signal.aborted) await next.stop()
      else begin(next)
      return next
    } catch (error) {
      warn((error as Error).message)
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
