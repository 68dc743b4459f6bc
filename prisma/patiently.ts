import { isLockBusy } from './engine-down.ts'

const patienceMs = 60_000

/**
 * Does again, for a minute, what a lock of another transaction prevented: the end of an import must not be lost to a
 * short write. `work` holds no lock between two tries.
 */
export async function patiently<T>(work: () => Promise<T>): Promise<T> {
  const giveUpAt = performance.now() + patienceMs
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (!isLockBusy(error) || performance.now() > giveUpAt) throw error
    }
  }
}
