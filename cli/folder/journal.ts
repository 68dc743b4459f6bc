import { closeSync, copyFileSync, fstatSync, openSync, truncateSync } from 'node:fs'
import { styleText } from 'node:util'
import type { Log } from '../../core/log.ts'
import type { Settings } from '../../core/settings.ts'
import { openPartLog, print } from '../../observability/part-log.ts'
import type { Metrics } from '../../observability/registry.ts'
import type { DataDir } from './data-dir.ts'

const MAX_BYTES = 64 * 1024 * 1024
const CHECK_MS = 60_000

/** The service's log: JSON lines in a file that the parts of the service append to. */
export interface Journal {
  readonly log: Log
  /** The file descriptor for the standard output of children, whose lines go directly to the file. */
  readonly fd: number
  /** Logs a warning, and prints it on the terminal. */
  warn(message: string): void
  close(): void
}

/**
 * Opens DATA_DIR/logs/sightline.log. A file over 64 MB moves to `sightline.log.1`. On a full disk lines are lost, and
 * standard error says so once.
 */
export function openJournal(
  { logFile }: DataDir,
  level: Settings['LOG_LEVEL'],
  metrics?: Metrics,
): Journal {
  const fd = openSync(logFile, 'a', 0o600)
  const printWarning = (message: string) => {
    const mark = styleText('yellow', 'warning', { stream: process.stderr })
    print(2, `${mark} ${message}\n`)
  }
  const log = openPartLog({
    name: 'sightline',
    level,
    fd,
    metrics,
    onLoss: (reason) =>
      printWarning(`${logFile} loses lines until it can be written again: ${reason}`),
  })
  // Copied and truncated instead of renamed: children keep the file open for append.
  const rotate = () => {
    if (fstatSync(fd).size < MAX_BYTES) return
    try {
      copyFileSync(logFile, `${logFile}.1`)
      truncateSync(logFile)
    } catch (err) {
      log.warn({ err }, 'the log could not be moved, and grows on')
    }
  }
  rotate()
  const timer = setInterval(rotate, CHECK_MS).unref()
  return {
    log,
    fd,
    warn: (message) => {
      log.warn({}, message)
      printWarning(message)
    },
    close: () => {
      clearInterval(timer)
      closeSync(fd)
    },
  }
}
