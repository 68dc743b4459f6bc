import { Fault } from '../../core/errors.ts'
import { LockBusyError, withAdvisoryLock } from '../../prisma/client.ts'
import { importLock } from './loads.ts'

export interface LockOptions {
  readonly projectId: string
  /** What is locked; by default the facts of the project. */
  readonly key?: string | undefined
  /** Ends the waiting. */
  readonly signal?: AbortSignal | undefined
  /** How long to wait for another import or analysis of the project. 10 minutes by default. */
  readonly waitMs?: number
}

const defaultWaitMs = 10 * 60 * 1000
const lockTryMs = 1000

/**
 * Does the work while nobody else writes facts of the project, or has the other lock. In short tries, so that a stop need not wait
 * for the other's end.
 * @returns what the work gives, or undefined when the signal fired before it began
 * @throws {Fault} `rate_limited` when the other does not end within `waitMs`
 */
export async function underLock<T>(
  databaseUrl: string,
  { projectId, key = importLock(projectId), signal, waitMs = defaultWaitMs }: LockOptions,
  work: (lockLost: AbortSignal) => Promise<T>,
): Promise<T | undefined> {
  const giveUpAt = performance.now() + waitMs
  while (!signal?.aborted) {
    const leftMs = Math.max(0, giveUpAt - performance.now())
    try {
      const waitMs = Math.min(lockTryMs, leftMs)
      return await withAdvisoryLock(databaseUrl, key, work, { waitMs })
    } catch (error) {
      if (!(error instanceof LockBusyError)) throw error
      if (leftMs === 0) {
        const message = 'Another import or analysis of this project has not ended. Try again later.'
        throw new Fault('rate_limited', message, { headers: { 'Retry-After': '60' } })
      }
    }
  }
  return undefined
}
