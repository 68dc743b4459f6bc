import { writeSync } from 'node:fs'
import pino, { type Logger, type LoggerOptions } from 'pino'
import type { Metrics } from './registry.ts'

export interface PartLogOptions extends LoggerOptions {
  /** The part that writes. */
  readonly name: string
  /** Of an open file, a terminal or a pipe. Default: standard output. */
  readonly fd?: number
  /** Counts the lines that are lost. */
  readonly metrics?: Metrics | undefined
  /** Called when the first of some lines is lost. Default: says so on standard error. */
  readonly onLoss?: (reason: string) => void
}

/** How long a line waits for a reader that is slower than the log. */
const patienceMs = 1000

/**
 * The log of a part: JSON lines. A line that cannot be written, because the disk is full or the reader has gone, is
 * lost and counted, and the part goes on. The next line that can be written is followed by the count.
 */
export function openPartLog(given: PartLogOptions): Logger {
  const { fd = 1, metrics, onLoss = sayOnStderr(given.name, fd), ...options } = given
  const counter = metrics?.counter(
    'sightline_log_lines_lost_total',
    'Lines of the log that could not be written.',
  )
  /** Since the last line that was written. */
  let lost = 0
  let isCut = false
  function write(line: string): void {
    const bytes = Buffer.from(isCut ? `\n${line}` : line)
    let written = 0
    try {
      while (written < bytes.length) written += writeSome(fd, bytes.subarray(written), lost === 0)
    } catch (error) {
      isCut ||= written > 0
      lost += 1
      counter?.inc()
      if (lost === 1) onLoss((error as Error).message)
      return
    }
    isCut = false
    if (lost === 0) return
    const count = lost
    lost = 0
    log.warn({ lost: count }, 'lines before this time could not be written to the log')
  }
  const log = pino(options, { write })
  return log
}

/** Writes what the file takes now. @returns the number of bytes */
function writeSome(fd: number, bytes: Buffer, isPatient: boolean): number {
  const deadline = performance.now() + (isPatient ? patienceMs : 0)
  for (;;) {
    try {
      return writeSync(fd, bytes)
    } catch (error) {
      const isBusy = (error as NodeJS.ErrnoException).code === 'EAGAIN'
      if (!isBusy || performance.now() > deadline) throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10)
    }
  }
}

function sayOnStderr(name: string, fd: number): (reason: string) => void {
  return (reason) => {
    if (fd !== 2) print(2, `${name} loses lines of its log until it can write again: ${reason}\n`)
  }
}

/** Prints a text for people who may read it. The streams of Node.js would end the process on a full disk. */
export function print(fd: 1 | 2, text: string): void {
  try {
    writeSync(fd, text)
  } catch {
    // The process does not depend on its readers.
  }
}
