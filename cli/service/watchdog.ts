import { setTimeout as sleep } from 'node:timers/promises'

const tickMs = 1000
/** Questions without an answer after which a part counts as silent. */
const lateTicks = 3

export interface Watch {
  /** Resolves when the part has answered. */
  readonly ping: () => Promise<unknown>
  /** Milliseconds without an answer after which the part has failed. */
  readonly silenceMs: number
  /** Called when the part has not answered for three seconds, and when it answers again. */
  readonly onChange: (state: 'silent' | 'up') => void
  /** Ends the watch. */
  readonly signal: AbortSignal
}

/**
 * Asks a part each second. Resolves to true when it has not answered for `silenceMs`, and to false at the signal.
 * Questions count, not time: while the machine sleeps, this process asks none.
 */
export async function hasFallenSilent(watch: Watch): Promise<boolean> {
  const { ping, silenceMs, onChange, signal } = watch
  let [missed, isAsking, hasAnswered] = [0, false, false]
  const ask = async () => {
    isAsking = true
    await ping().then(
      () => {
        hasAnswered = true
      },
      () => undefined,
    )
    isAsking = false
  }
  while (!signal.aborted) {
    if (!isAsking) ask()
    await sleep(tickMs, undefined, { signal }).catch(() => undefined)
    const wasSilent = missed >= lateTicks
    missed = hasAnswered ? 0 : missed + 1
    hasAnswered = false
    if (wasSilent !== missed >= lateTicks) onChange(wasSilent ? 'up' : 'silent')
    if (missed * tickMs >= silenceMs) return !signal.aborted
  }
  return false
}
