// npm hands the terminal's Ctrl-C on to its script, which the terminal has signalled already.
const ECHO_MS = 500

/**
 * Calls `first` at the first SIGINT, SIGTERM or SIGHUP, and `again` at a later one.
 * @returns ends the watch
 */
export function onStopSignals(first: (signal: string) => void, again: () => void): () => void {
  let since: number | undefined
  const heed = (signal: string) => {
    if (since === undefined) {
      since = performance.now()
      first(signal)
    } else if (performance.now() - since > ECHO_MS) {
      again()
    }
  }
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
  for (const signal of signals) process.on(signal, heed)
  return () => {
    for (const signal of signals) process.off(signal, heed)
  }
}
