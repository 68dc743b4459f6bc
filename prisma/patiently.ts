import { setTimeout as sleep } from 'node:timers/promises'
import { isPrevented } from './engine-down.ts'

const patienceMs = 60_000
const pauseMs = 100

/**
 * Does again, for a minute, what other transactions prevented. The end of an import must not be lost to a short write
 * or to a backup. `work` holds no lock between two tries.
 * @param passes which errors are worth another try
 */
export async function patiently<T>(work: () => Promise<T>, passes = isPrevented): Promise<T> {
  const giveUpAt = performance.now() + patienceMs
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (!passes(error) || performance.now() > giveUpAt) throw error
      await sleep(pauseMs)
    }
  }
}
