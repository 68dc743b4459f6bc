import { setTimeout as sleep } from 'node:timers/promises'

export const dayMs = 24 * 60 * 60 * 1000

/**
 * Waits for the next UTC day when today has less time left than the caller needs. For test files that count
 * days back from today.
 */
export async function clearOfMidnight(neededMs = 90_000): Promise<void> {
  const leftMs = dayMs - (Date.now() % dayMs)
  if (leftMs < neededMs) await sleep(leftMs + 100)
}
