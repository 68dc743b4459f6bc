import { hash } from 'node:crypto'
import type { BotMatcher } from '../../core/bots/bots.ts'
import type { VerifyCrawler } from '../../core/bots/crawler-ranges.ts'
import { requireProject, withProject } from '../loads/lock.ts'
import { evaluateSoon, type ImportStores } from '../loads/runner.ts'
import { type Batch, firstLineOf, readySize } from './batch.ts'
import { readCloudflare } from './cloudflare.ts'
import { readCloudfront } from './cloudfront.ts'
import { readCombined } from './combined.ts'
import { added, type LoadContext, loadNext, loadPending } from './load.ts'
import { LogReader } from './reader.ts'
import {
  changeRecord,
  createRecord,
  type Dropped,
  findRecords,
  type LogName,
  type LogRecord,
} from './record.ts'
import { findResumePoint, type OpenLog } from './resume-point.ts'

const formats = {
  combined: { source: 'log', linesOf: readCombined },
  cloudflare: { source: 'cdn', linesOf: readCloudflare },
  cloudfront: { source: 'cdn', linesOf: readCloudfront },
} as const

export type AccessLogFormat = keyof typeof formats

export interface AccessLogOptions {
  readonly projectId: string
  readonly format: AccessLogFormat
  /** The host of lines that name none. */
  readonly host: string
  readonly bots: BotMatcher
  /** By default by the ranges that come with Sightline. */
  readonly verify?: VerifyCrawler | undefined
  /** Opens the log at its start. Called again when the log turns out to continue another record. */
  readonly open: () => AsyncIterable<Uint8Array>
  /** Called after each batch with the counts so far. */
  readonly onProgress?: (counts: AccessLogCounts) => void
  /** Ends the reading after the current batch; the next import resumes there. */
  readonly signal?: AbortSignal | undefined
  /** How long to wait for another import of the same log. 10 minutes by default. */
  readonly waitMs?: number
}

/** Lines of this import. Empty lines and headers do not count. */
export interface AccessLogCounts {
  /** The sum of `kept` and `dropped`. */
  readonly read: number
  readonly kept: number
  /** By reason. */
  readonly dropped: Dropped
}

export interface AccessLogResult extends AccessLogCounts {
  /** Lines of the log that earlier imports read. */
  readonly readBefore: number
  /** The last line has no end yet: the next import reads it. */
  readonly isUnfinished: boolean
}

/**
 * Loads the requests of AI crawlers from an access log, each once, even when the log grows between imports or an
 * import crashes. Identifies a log by its content, not its file name.
 * @throws {Fault} `not_found`; `rate_limited` after `waitMs` behind another import of the log; 502 when another
 * import took over the log, or the warehouse is away
 * @throws the error of the connection when PostgreSQL, and with it the lock, is lost
 */
export async function importAccessLog(
  stores: ImportStores,
  options: AccessLogOptions,
): Promise<AccessLogResult> {
  const { projectId, format, host, signal } = options
  // Checked first: to name the lock, the import must read the log, which may be a slow pipe.
  await requireProject(stores.db, projectId)
  const reopen = () => ({
    reader: new LogReader(options.open(), signal),
    lines: formats[format].linesOf(host),
  })
  const log = reopen()
  try {
    await log.reader.fill()
    const firstLineHash = hash('sha256', firstLineOf(log.reader))
    const work = { log, reopen, name: { projectId, format, firstLineHash } }
    const lock = { ...options, lockKey: `access-log:${Object.values(work.name).join(':')}` }
    const result = await withProject(stores, lock, (_project, lockLost) =>
      importUnderLock(stores, options, { ...work, lockLost }),
    )
    await evaluateSoon(stores.db, projectId)
    return result ?? nothing
  } finally {
    log.reader.close()
  }
}

const nothing: AccessLogResult = {
  read: 0,
  kept: 0,
  dropped: {},
  readBefore: 0,
  isUnfinished: false,
}

interface Work {
  readonly name: LogName
  readonly log: OpenLog
  readonly reopen: () => OpenLog
  readonly lockLost: AbortSignal
}

async function importUnderLock(
  stores: ImportStores,
  { format, bots, verify, onProgress }: AccessLogOptions,
  { name, log: opened, reopen, lockLost }: Work,
): Promise<AccessLogResult> {
  const records = await findRecords(stores.db, name)
  const resumePoint = await findResumePoint(opened, records, reopen)
  if (resumePoint === undefined) return nothing
  const { log, record } = resumePoint
  const { reader } = log
  try {
    const { projectId } = name
    const { source } = formats[format]
    const context = { ...stores, projectId, source, bots, verify, ...log, lockLost }
    let counts: AccessLogCounts = nothing
    for await (const batch of batchesOf(context, name, records.length, record)) {
      const { kept, dropped } = batch
      const read = counts.read + batch.read
      counts = { read, kept: counts.kept + kept, dropped: added(counts.dropped, dropped) }
      onProgress?.(counts)
    }
    const isUnfinished = reader.isEnded && reader.ahead.length > 0
    return { ...counts, readBefore: record?.readLines ?? 0, isUnfinished }
  } finally {
    reader.close()
  }
}

/** Loads the unread rest of the log batch by batch. */
async function* batchesOf(
  context: LoadContext,
  name: LogName,
  others: number,
  found: LogRecord | undefined,
): AsyncGenerator<Batch, void> {
  const { db, reader, lines } = context
  // A new version of the record: an import that lost the lock can change the record no more.
  let record = found && (await changeRecord(db, found, {}))
  if (record?.pending) {
    const loaded = await loadPending(context, record, record.pending)
    record = loaded.record
    yield loaded.batch
  }
  for (;;) {
    await reader.fill()
    const sizeBytes = reader.isStopped ? 0 : readySize(reader, lines)
    if (sizeBytes === 0) return
    record ??= await createRecord(db, name, others)
    const loaded = await loadNext(context, record, sizeBytes)
    record = loaded.record
    yield loaded.batch
  }
}
