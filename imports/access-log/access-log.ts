import { hash } from 'node:crypto'
import { z } from 'zod'
import type { BotMatcher } from '../../core/bots.ts'
import type { ImportStores } from '../answers/answers.ts'
import { noProject } from '../loads/loads.ts'
import { underLock } from '../loads/lock.ts'
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
import { findPlace, type OpenLog } from './resume-point.ts'

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
  /** The bytes of the log from its start. It is called again where a log is found to be another than it seemed. */
  readonly open: () => AsyncIterable<Uint8Array>
  /** Called after each batch with the counts so far. */
  readonly onProgress?: (counts: AccessLogCounts) => void
  /** Ends the reading behind the batch that is under way; the next import goes on there. */
  readonly signal?: AbortSignal | undefined
  /** How long to wait for another import of the same log. 10 minutes by default. */
  readonly waitMs?: number
}

/** What this import read. Empty lines and headers count nowhere. */
export interface AccessLogCounts {
  /** The sum of the two others. */
  readonly read: number
  readonly kept: number
  readonly dropped: Dropped
}

export interface AccessLogResult extends AccessLogCounts {
  /** Lines that earlier imports of the log have read. */
  readonly readBefore: number
  /** The last line has no end yet: it is left for the next import. */
  readonly isUnfinished: boolean
}

/**
 * Loads the requests of AI crawlers out of an access log, each once, however often the log is imported, grown in
 * between or cut off by a crash. A log is told again by what it holds, not by its name.
 * @throws {Fault} `not_found`; `rate_limited` when another import of the log does not end within `waitMs`; 502
 *   when another took the log over, or the warehouse does not come back within some seconds
 * @throws the error of the connection when PostgreSQL, and with it the lock, is lost
 */
export async function importAccessLog(
  stores: ImportStores,
  options: AccessLogOptions,
): Promise<AccessLogResult> {
  const { projectId, format, host, signal } = options
  const isKnown = z.guid().safeParse(projectId).success
  if (!isKnown || !(await stores.db.project.findUnique({ where: { id: projectId } }))) {
    throw noProject(projectId)
  }
  const reopen = () => ({
    reader: new LogReader(options.open(), signal),
    lines: formats[format].linesOf(host),
  })
  const log = reopen()
  try {
    await log.reader.fill()
    const firstLineHash = hash('sha256', firstLineOf(log.reader))
    const work = { log, reopen, name: { projectId, format, firstLineHash } }
    const lock = { ...options, key: `access-log:${Object.values(work.name).join(':')}` }
    const result = await underLock(stores.databaseUrl, lock, (lockLost) =>
      importUnderLock(stores, options, { ...work, lockLost }),
    )
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
  { format, bots, onProgress }: AccessLogOptions,
  { name, log: opened, reopen, lockLost }: Work,
): Promise<AccessLogResult> {
  const records = await findRecords(stores.db, name)
  const place = await findPlace(opened, records, reopen)
  if (place === undefined) return nothing
  const { log, record } = place
  const { reader } = log
  try {
    const { projectId } = name
    const context = { ...stores, projectId, source: formats[format].source, bots, ...log, lockLost }
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

/** Loads batch after batch of what was not read before. */
async function* batchesOf(
  context: LoadContext,
  name: LogName,
  others: number,
  found: LogRecord | undefined,
): AsyncGenerator<Batch, void> {
  const { db, reader, lines } = context
  // From now on whoever had the lock before and lost it can write no more.
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
