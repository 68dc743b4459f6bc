import { SingleBar } from 'cli-progress'

export interface Progress {
  /** @param counts the values of the placeholders in the format */
  update(done: number, counts: Readonly<Record<string, unknown>>, total?: number): void
  end(): void
}

/**
 * Shows progress on standard error until `end`; undefined when that is no terminal.
 * @param format placeholders in braces, such as `{bar} {read} lines, {rate}/s`
 */
export function showProgress(
  format: string,
  total: number,
  zero: Readonly<Record<string, unknown>>,
): Progress | undefined {
  if (!process.stderr.isTTY) return undefined
  const bar = new SingleBar({
    format: `  ${format}`,
    stream: process.stderr,
    hideCursor: true,
    clearOnComplete: true,
    barsize: 24,
  })
  bar.start(total, 0, { ...zero, rate: 0 })
  return {
    update: (done, counts, newTotal) => {
      if (newTotal !== undefined) bar.setTotal(newTotal)
      bar.update(done, counts)
    },
    end: () => bar.stop(),
  }
}

/** Items a second since `started`, a reading of `performance.now()`. */
export function rateSince(started: number, items: number): number {
  return Math.round((items / (performance.now() - started)) * 1000)
}
