import { closeSync, copyFileSync, fstatSync, openSync, truncateSync } from 'node:fs'
import { styleText } from 'node:util'
import pino, { type Logger } from 'pino'
import type { Settings } from '../../core/settings.ts'
import type { DataDir } from './data-dir.ts'

export type Log = Logger

const MAX_BYTES = 64 * 1024 * 1024
const CHECK_MS = 60_000

/** The service's log: JSON lines in a file that the parts of the service append to. */
export interface Journal {
  readonly log: Log
  /** For a child's standard output, so that its lines go to the file without passing through us. */
  readonly fd: number
  /** Tells the person at the terminal too. */
  warn(message: string): void
  close(): void
}

/** Opens DATA_DIR/logs/sightline.log. Over 64 MB it moves to `sightline.log.1`. */
export function openJournal(dataDir: DataDir, level: Settings['LOG_LEVEL']): Journal {
  const fd = openSync(dataDir.logFile, 'a', 0o600)
  // Copied and cut rather than renamed: the children keep the file open, and append to its end.
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
      log.warn(message)
      const mark = styleText('yellow', 'warning', { stream: process.stderr })
      process.stderr.write(`${mark} ${message}\n`)
    },
    close: () => {
      clearInterval(timer)
      closeSync(fd)
    },
  }
}
