import { isPrevented } from './engine-down.ts'

const patienceMs = 60_000

/**
 * Does again, for a minute, what other transactions prevented. The end of an import must not be lost to a short write
 * or to a backup. `work` holds no lock between two tries.
 */
export async function patiently<T>(work: () => Promise<T>): Promise<T> {
  const giveUpAt = performance.now() + patienceMs
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (!isPrevented(error) || performance.now() > giveUpAt) throw error
    }
  }
}
