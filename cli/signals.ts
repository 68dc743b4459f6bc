/** The exit code of a command that a signal ended. */
export const INTERRUPTED = 130

// A terminal signals npm and its script; npm then repeats the signal to the script.
const ECHO_MS = 500

/**
 * Calls `first` at the first SIGINT, SIGTERM or SIGHUP, and `again` at a later one.
 * @returns stops listening
 */
export function onStopSignals(first: (signal: string) => void, again: () => void): () => void {
  let since: number | undefined
  const listener = (signal: string) => {
    if (since === undefined) {
      since = performance.now()
      first(signal)
    } else if (performance.now() - since > ECHO_MS) {
      again()
    }
  }
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
  for (const signal of signals) process.on(signal, listener)
  return () => {
    for (const signal of signals) process.off(signal, listener)
  }
}

/** Resolves at the first stop signal. A second one ends the process at once. */
export function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    onStopSignals(
      () => resolve(),
      () => process.exit(INTERRUPTED),
    )
  })
}

/**
 * Runs work that the first stop signal aborts. A second one ends the process at once.
 * @param reason of the abort; default an AbortError
 */
export async function interruptible<Result>(
  work: (signal: AbortSignal) => Promise<Result>,
  reason?: () => Error,
): Promise<Result> {
  const stop = new AbortController()
  const unwatch = onStopSignals(
    () => stop.abort(reason?.()),
    () => process.exit(INTERRUPTED),
  )
  try {
    return await work(stop.signal)
  } finally {
    unwatch()
  }
}
