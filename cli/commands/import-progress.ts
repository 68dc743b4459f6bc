import { SingleBar } from 'cli-progress'
import type { InputFile } from '../input/input-file.ts'
import { onStopSignals } from '../signals.ts'

const INTERRUPTED = 130

/** An import under way: what ends it, and what hears how far it is. */
import type { Context, Outcome } from '../run.ts'
export interface Watched<Counts> {
  readonly signal: AbortSignal
  readonly onProgress: (counts: Counts) => void
}

/** What is read, as far as a bar shows it. */
export type Shown = Pick<InputFile, 'sizeBytes' | 'readBytes' | 'close'>

export interface Bar<Counts> {
  /** What is shown of the counts, such as `{read} lines`; `{rate}` is of these a second. */
  readonly format: string
  readonly zero: Counts
}

/** How an import shows itself: while it runs, and when it has ended. */
export interface Telling<Counts, Result> {
  readonly bar: Bar<Counts>
  /** For people. */
  readonly describe: (result: Result, wasStopped: boolean) => string
}

/** Imports a file as `watchImport` does, and says what became of it. With --json there is no bar. */
export async function importOutcome<
  Counts extends { readonly read: number },
  Result extends object,
>(
  { asJson }: Context,
  file: Shown,
  { bar, describe }: Telling<Counts, Result>,
  work: (watched: Watched<Counts>) => Promise<Result>,
): Promise<Outcome> {
  const shown = asJson ? undefined : bar
  const { result, wasStopped, exitCode } = await watchImport(file, shown, work)
  return {
    json: wasStopped ? { ...result, interrupted: true } : result,
    text: describe(result, wasStopped),
    exitCode,
  }
}

/**
 * Imports a file while the first SIGINT, SIGTERM or SIGHUP ends the reading, and the second one the process.
 * @param bar is shown on a terminal until the import ends
 */
async function watchImport<Counts extends { readonly read: number }, Result>(
  file: Shown,
  bar: Bar<Counts> | undefined,
  work: (watched: Watched<Counts>) => Promise<Result>,
): Promise<{ result: Result; wasStopped: boolean; exitCode: number }> {
  const stop = new AbortController()
  const unwatch = onStopSignals(
    () => stop.abort(),
    () => process.exit(INTERRUPTED),
  )
  const progress = bar && showProgress(file, bar)
  try {
    const onProgress = (counts: Counts) => progress?.update(counts)
    const result = await work({ signal: stop.signal, onProgress })
    const wasStopped = stop.signal.aborted
    return { result, wasStopped, exitCode: wasStopped ? INTERRUPTED : 0 }
  } finally {
    progress?.end()
    unwatch()
    file.close()
  }
}

function showProgress<Counts extends { readonly read: number }>(
  file: Shown,
  { format, zero }: Bar<Counts>,
) {
  if (!process.stderr.isTTY) return undefined
  const started = performance.now()
  const bar = file.sizeBytes === undefined ? '' : '{bar} {percentage}% '
  const single = new SingleBar({
    format: `  ${bar}${format}`,
    stream: process.stderr,
    hideCursor: true,
    clearOnComplete: true,
    barsize: 24,
  })
  single.start(file.sizeBytes ?? 1, 0, { ...zero, rate: 0 })
  return {
    update: (counts: Counts) => {
      const rate = Math.round((counts.read / (performance.now() - started)) * 1000)
      single.update(file.readBytes(), { ...counts, rate })
    },
    end: () => single.stop(),
  }
}

/** A count as people read it. */
export function count(value: number): string {
  return value.toLocaleString('en')
}
