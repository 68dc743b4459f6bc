import { mkdirSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import pRetry from 'p-retry'
import type { Log } from '../../core/log.ts'
import { migrateWarehouse } from '../../warehouse/migrate.ts'
import type { Warehouse } from '../../warehouse/run.ts'
import { lockTrackerFolder } from '../log/segments.ts'
import { type CheckpointFile, type DeadLetterCounts, openCheckpoint } from './checkpoint.ts'
import { Shipper } from './shipper.ts'

export interface Writer {
  /** Stops at once. The next start completes a batch that was under way. */
  close(): Promise<void>
  stats(): WriterStats
}

export interface WriterStats {
  /** Rows stored since the start. */
  readonly rows: number
  /** Since the folder was created. */
  readonly deadLetters: DeadLetterCounts
  /** Whether a step has failed and is retried. */
  readonly isRetrying: boolean
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
 * Writes the events of the log to the warehouse until it is closed. Every failure is retried without end.
 * @throws {Error} when another process writes the events of this folder
 */
export function startWriter({ dir, warehouse, log }: WriterOptions): Writer {
  mkdirSync(dir, { recursive: true, mode: 0o700 })
  const lock = lockTrackerFolder(dir, 'writer')
  const stop = new AbortController()
  const { signal } = stop
  const retry = createRetry(signal, log)
  let file: CheckpointFile | undefined
  let shipper: Shipper | undefined

  async function work(): Promise<void> {
    const checkpoint = await retry.perform(async () => {
      file = await openCheckpoint(dir)
      return file
    })
    // The tables may not exist yet.
    await retry.perform(() => migrateWarehouse(warehouse))
    const shipping = new Shipper({ dir, warehouse, file: checkpoint, log })
    shipper = shipping
    let isRetry = true
    for (;;) {
      const hasMore = await retry.perform(async () => {
        const attempt = { isRetry, signal }
        isRetry = true
        const didStep = await shipping.step(attempt)
        isRetry = false
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
      deadLetters: file?.current.aside ?? { rows: 0, damaged: 0 },
      isRetrying: retry.isRetrying,
    }),
  }
}

/** Retries without end, and logs the first failure of a series as a warning. */
function createRetry(signal: AbortSignal, log: Log) {
  let isRetrying = false

  function logFailure(error: Error): void {
    if (signal.aborted) return
    if (!isRetrying)
      log.warn(
        { err: error },
        'Events wait: they cannot be written to the warehouse. `sightline doctor` checks CLICKHOUSE_URL.',
      )
    else log.debug({ err: error }, 'Events still wait.')
    isRetrying = true
  }

  return {
    get isRetrying() {
      return isRetrying
    },
    async perform<T>(step: () => Promise<T>): Promise<T> {
      const result = await pRetry(step, {
        retries: Number.POSITIVE_INFINITY,
        minTimeout: minRetryMs,
        maxTimeout: maxRetryMs,
        randomize: true,
        signal,
        onFailedAttempt: ({ error }) => logFailure(error),
      })
      if (isRetrying) log.info({}, 'Events are written to the warehouse again.')
      isRetrying = false
      return result
    },
  }
}
