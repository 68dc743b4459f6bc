import { mkdirSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import pRetry from 'p-retry'
import type { Log } from '../../warehouse/log.ts'
import { migrateWarehouse } from '../../warehouse/migrate.ts'
import type { Warehouse } from '../../warehouse/run.ts'
import { lockFolder } from '../log/lock.ts'
import { type Aside, type CheckpointFile, openCheckpoint } from './checkpoint.ts'
import { Shipper } from './shipper.ts'

export interface Writer {
  /** Stops at once. What is on its way is settled at the next start. */
  close(): Promise<void>
  stats(): WriterStats
}

export interface WriterStats {
  /** Rows stored since the start. */
  readonly rows: number
  /** What was put aside since the folder was made. */
  readonly aside: Aside
  /** Whether something fails, and is tried again. */
  readonly isWaiting: boolean
}

export interface WriterOptions {
  /** The tracker's folder, as for the log. */
  readonly dir: string
  readonly warehouse: Warehouse
  readonly log: Log
}

const pollMs = 200
const minRetryMs = 200
const maxRetryMs = 10_000

/**
 * Brings what is in the log into the warehouse, for as long as it runs. Whatever fails is tried again for ever.
 * @throws {Error} when another process does so on this folder
 */
export function startWriter({ dir, warehouse, log }: WriterOptions): Writer {
  mkdirSync(dir, { recursive: true, mode: 0o700 })
  const lock = lockFolder(dir, 'writer')
  const stop = new AbortController()
  const { signal } = stop
  const patience = createPatience(signal, log)
  let file: CheckpointFile | undefined
  let shipper: Shipper | undefined

  async function work(): Promise<void> {
    const checkpoint = await patience.perform(async () => {
      file = await openCheckpoint(dir)
      return file
    })
    // The tables may be as new as we are.
    await patience.perform(() => migrateWarehouse(warehouse))
    const shipping = new Shipper({ dir, warehouse, file: checkpoint, log })
    shipper = shipping
    let isAgain = true
    for (;;) {
      const hasMore = await patience.perform(async () => {
        const attempt = { isAgain, signal }
        isAgain = true
        const didStep = await shipping.step(attempt)
        isAgain = false
        return didStep
      })
      if (!hasMore) await sleep(pollMs, undefined, { signal })
    }
  }

  const working = work().catch((error: unknown) => {
    if (!signal.aborted) throw error
  })
  return {
    async close() {
      stop.abort()
      await working
      await file?.close()
      lock.release()
    },
    stats: () => ({
      rows: shipper?.rows ?? 0,
      aside: file?.current.aside ?? { rows: 0, damaged: 0 },
      isWaiting: patience.isWaiting,
    }),
  }
}

/** Tries again for ever, and says so once. */
function createPatience(signal: AbortSignal, log: Log) {
  let isWaiting = false

  function tell(error: Error): void {
    if (signal.aborted) return
    if (!isWaiting)
      log.warn({ err: error }, 'Events wait: they cannot be brought into the warehouse.')
    else log.debug({ err: error }, 'Events still wait.')
    isWaiting = true
  }

  return {
    get isWaiting() {
      return isWaiting
    },
    async perform<T>(step: () => Promise<T>): Promise<T> {
      const result = await pRetry(step, {
        retries: Number.POSITIVE_INFINITY,
        minTimeout: minRetryMs,
        maxTimeout: maxRetryMs,
        randomize: true,
        signal,
        onFailedAttempt: ({ error }) => tell(error),
      })
      if (isWaiting) log.info({}, 'Events go into the warehouse again.')
      isWaiting = false
      return result
    },
  }
}
