import type { LineReader } from '../../ingest/lines/request.ts'
import type { LogReader } from './reader.ts'
import type { LogRecord } from './record.ts'

const lineFeed = 0x0a

/** An open log, and the reader of its lines. */
export interface OpenLog {
  readonly reader: LogReader
  readonly lines: LineReader
}

/** Where the import resumes a log. */
export interface ResumePoint {
  readonly log: OpenLog
  /** Absent for a new log, which is read from its start. */
  readonly record?: LogRecord
}

/**
 * Finds the record of this log: the longest record whose bytes are the beginning of the log. A log whose read part
 * changed or shrank is a new log.
 * @param records the records of the log's name, the shortest first
 * @param reopen opens the log again, when the search has read past the end of the record
 * @returns undefined when the signal stopped the reading
 */
export async function findResumePoint(
  log: OpenLog,
  records: readonly LogRecord[],
  reopen: () => OpenLog,
): Promise<ResumePoint | undefined> {
  let record: LogRecord | undefined
  for (const candidate of records) {
    if (!(await skipTo(log, candidate.readBytes))) break
    if (await isRead(log.reader, candidate)) record = candidate
  }
  let resumed: OpenLog = log
  const readBytes = record?.readBytes ?? 0
  if (log.reader.position !== readBytes && !log.reader.isStopped) {
    log.reader.close()
    resumed = reopen()
    await skipTo(resumed, readBytes)
  }
  if (resumed.reader.isStopped) return undefined
  if (resumed.reader.position !== readBytes) {
    throw new Error('The log became shorter during the import. Import it again.')
  }
  return { log: resumed, ...(record ? { record } : {}) }
}

/** Whether the record has read the same bytes as the reader, and its pending bytes, if any, come next in the log. */
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
    // Whole lines, so that `skim` gets a header in one piece.
    const skipped = most.subarray(0, most.lastIndexOf(lineFeed) + 1 || most.length)
    lines.skim?.(skipped)
    reader.take(skipped.length)
  }
  return true
}
