import { closeSync, copyFileSync, fstatSync, openSync, truncateSync } from 'node:fs'
import { styleText } from 'node:util'
import pino from 'pino'
import type { Log } from '../../core/log.ts'
import type { Settings } from '../../core/settings.ts'
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

/** Opens DATA_DIR/logs/sightline.log. A file over 64 MB moves to `sightline.log.1`. */
export function openJournal(dataDir: DataDir, level: Settings['LOG_LEVEL']): Journal {
  const fd = openSync(dataDir.logFile, 'a', 0o600)
  // Copied and truncated instead of renamed: children keep the file open for append.
  const rotate = () => {
    if (fstatSync(fd).size < MAX_BYTES) return
    copyFileSync(dataDir.logFile, `${dataDir.logFile}.1`)
    truncateSync(dataDir.logFile)
  }
  rotate()
  const timer = setInterval(rotate, CHECK_MS).unref()
  const log = pino({ name: 'sightline', level }, pino.destination({ fd, sync: true }))
  return {
    log,
    fd,
    warn: (message) => {
      log.warn({}, message)
      const mark = styleText('yellow', 'warning', { stream: process.stderr })
      process.stderr.write(`${mark} ${message}\n`)
    },
    close: () => {
      clearInterval(timer)
      closeSync(fd)
    },
  }
}
