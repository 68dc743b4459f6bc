import type { LogReader } from './reader.ts'
import type { LogRecord } from './record.ts'
import type { LineReader } from './request.ts'

const lineFeed = 0x0a

/** A log that is being read, and what reads its lines. */
export interface OpenLog {
  readonly reader: LogReader
  readonly lines: LineReader
}

/** Where to go on. Without a record the log is new, and is read from its start. */
export interface Place {
  readonly log: OpenLog
  readonly record?: LogRecord
}

/**
 * Finds the record of this very log: the one that read most of what begins the log as it is now. A log that was
 * changed or cut since is another one.
 * @param records those of the log's name, the one that read least first
 * @param reopen opens the log anew, where more of it had to be read than belongs to the record
 * @returns undefined when the reading was stopped
 */
export async function findPlace(
  log: OpenLog,
  records: readonly LogRecord[],
  reopen: () => OpenLog,
): Promise<Place | undefined> {
  let record: LogRecord | undefined
  for (const candidate of records) {
    if (!(await skipTo(log, candidate.readBytes))) break
    if (await isRead(log.reader, candidate)) record = candidate
  }
  let place: OpenLog = log
  const readBytes = record?.readBytes ?? 0
  if (log.reader.position !== readBytes && !log.reader.isStopped) {
    log.reader.close()
    place = reopen()
    await skipTo(place, readBytes)
  }
  if (place.reader.isStopped) return undefined
  if (place.reader.position !== readBytes) throw new Error('The log became shorter meanwhile.')
  return { log: place, ...(record ? { record } : {}) }
}

/** Whether the record read what the reader took, and had what comes next under way, if anything. */
async function isRead(reader: LogReader, { readBytes, readHash, pending }: LogRecord) {
  if (reader.digest() !== readHash) return false
  if (pending === undefined) return true
  const sizeBytes = pending.end - readBytes
  await reader.fill(sizeBytes)
  return reader.ahead.length >= sizeBytes && reader.digest(sizeBytes) === pending.hash
}

/** @returns false when the log has fewer bytes, or the reading was stopped */
async function skipTo({ reader, lines }: OpenLog, position: number): Promise<boolean> {
  while (reader.position < position) {
    await reader.fill()
    const most = reader.ahead.subarray(0, position - reader.position)
    if (most.length === 0) return false
    // Whole lines, so that a header is seen in one piece.
    const skipped = most.subarray(0, most.lastIndexOf(lineFeed) + 1 || most.length)
    lines.skim?.(skipped)
    reader.take(skipped.length)
  }
  return true
}
