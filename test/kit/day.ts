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

/**
 * The environment without libfaketime. Programs that are not our code keep the real clock. Under a faked one,
 * Chromium's timers spin, Redis does not start, and the engine never begins a mutation.
 */
export function withoutPreload(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) =>
      name === 'LD_PRELOAD' || value === undefined ? [] : [[name, value]],
    ),
  )
}
