import { hash } from 'node:crypto'
import type { BotMatcher } from '../../core/bots/bots.ts'
import type { VerifyCrawler } from '../../core/bots/crawler-ranges.ts'
import { readAlb } from '../../ingest/lines/alb.ts'
import { readCaddy } from '../../ingest/lines/caddy.ts'
import { readCloudflare } from '../../ingest/lines/cloudflare.ts'
import { readCloudfront } from '../../ingest/lines/cloudfront.ts'
import { readCombined } from '../../ingest/lines/combined.ts'
import { readFastly } from '../../ingest/lines/fastly.ts'
import { readIis } from '../../ingest/lines/iis.ts'
import { requireLook } from '../files/looks.ts'
import { requireProject, withProject } from '../loads/lock.ts'
import type { Preview } from '../loads/preview.ts'
import { DayRange, type Days, ImportRecord, type ImportSource } from '../loads/record.ts'
import { evaluateSoon, type ImportStores } from '../loads/runner.ts'
import { type Batch, firstLineOf, hasRequest, hitsIn, readBatch, readySize } from './batch.ts'
import { added, type LoadContext, loadNext, loadPending } from './load.ts'
import { LogReader } from './reader.ts'
import {
  changeRecord,
  createRecord,
  type Dropped,
  findRecords,
  type LogName,
  type LogRecord,
  logLock,
  noteResume,
} from './record.ts'
import { findResumePoint, type OpenLog } from './resume-point.ts'

const formats = {
  combined: { source: 'log', linesOf: readCombined, takes: 'logs of Apache and nginx' },
  cloudflare: {
    source: 'cdn',
    linesOf: readCloudflare,
    takes: 'Logpush of requests as JSON lines',
  },
  cloudfront: { source: 'cdn', linesOf: readCloudfront, takes: 'standard logs of CloudFront' },
  caddy: { source: 'log', linesOf: readCaddy, takes: 'access logs of Caddy as JSON lines' },
  alb: { source: 'log', linesOf: readAlb, takes: 'access logs of AWS load balancers' },
  fastly: { source: 'cdn', linesOf: readFastly, takes: 'logs of Fastly as JSON lines' },
  iis: { source: 'log', linesOf: readIis, takes: 'logs of IIS in the W3C format' },
} as const

const lookedAtBytes = 64 * 1024
const lineFeed = 0x0a

export type AccessLogFormat = keyof typeof formats

export interface AccessLogOptions extends ImportSource {
  readonly projectId: string
  readonly format: AccessLogFormat
  /** The host of lines that name none. A function is called once the log has shown its format. */
  readonly host: string | (() => Promise<LogLink>)
  readonly bots: BotMatcher
  /** By default by the ranges that come with Sightline. */
  readonly verify?: VerifyCrawler | undefined
  /** Opens the log at its start. Called again when the log turns out to continue another record. */
  readonly open: () => AsyncIterable<Uint8Array>
  /** Called after each batch with the counts so far. */
  readonly onProgress?: (counts: AccessLogCounts) => void
  /** Called at the end with the days of the hits; not called without hits. */
  readonly onDays?: (days: Days) => void
  /** Ends the reading after the current batch; the next import resumes there. */
  readonly signal?: AbortSignal | undefined
  /** How long to wait for another import of the same log. 10 minutes by default. */
  readonly waitMs?: number
}

/** The connection that the hits of a log belong to. */
export interface LogLink {
  readonly host: string
  readonly subjectId: string
  readonly isNew: boolean
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
  const { projectId, format, signal } = options
  // Checked first: to name the lock, the import must read the log, which may be a slow pipe.
  await requireProject(stores.db, projectId)
  const reader = new LogReader(options.open(), signal)
  try {
    await reader.fill()
    requireFormat(reader, format)
    const link = typeof options.host === 'string' ? null : await options.host()
    const host = link?.host ?? String(options.host)
    const openLog = (opened: LogReader) => ({
      reader: opened,
      lines: formats[format].linesOf(host),
    })
    const reopen = () => openLog(new LogReader(options.open(), signal))
    const log = openLog(reader)
    const firstLineHash = hash('sha256', firstLineOf(log.reader))
    const work = { log, reopen, name: { projectId, format, firstLineHash } }
    const lock = { ...options, lockKey: logLock(work.name) }
    const result = await withProject(stores, lock, async (project, lockLost) => {
      const record = await ImportRecord.begin(stores.db, project, 'access_log', options)
      if (link) await record.linkedTo(link)
      return importUnderLock(stores, options, { ...work, lockLost, record })
    })
    await evaluateSoon(stores.db, projectId)
    return result ?? nothing
  } finally {
    reader.close()
  }
}

/** The kind of connection that the hits of a log belong to. */
export const sourceOf = (format: AccessLogFormat): 'log' | 'cdn' => formats[format].source

/** The format of a log by its first lines, of which one must be a request; null for another file. */
export function formatOf(head: Uint8Array): AccessLogFormat | null {
  const bytes = Buffer.from(head)
  const names = Object.keys(formats).filter(isLogFormat)
  const fits = (name: AccessLogFormat) =>
    hasRequest(bytes, formats[name].linesOf('localhost'), false)
  return names.find(fits) ?? null
}

export const isLogFormat = (text: string): text is AccessLogFormat => text in formats

/** Reads the beginning of a log, and writes nothing. @throws {Fault} `invalid_argument` for another format */
export async function previewAccessLog(
  {
    projectId,
    format,
    bots,
    open,
  }: Pick<AccessLogOptions, 'projectId' | 'format' | 'bots' | 'open'>,
  preview: Preview,
): Promise<void> {
  const { source, linesOf } = formats[format]
  const reader = new LogReader(open())
  try {
    await reader.fill()
    requireFormat(reader, format)
    const known = { projectId, source, bots, now: Date.now(), isInLine: false }
    const { ahead } = reader
    const whole = reader.isEnded ? ahead.length : ahead.lastIndexOf(lineFeed) + 1
    async function* hits() {
      yield* hitsIn(ahead.subarray(0, whole), { ...known, lines: linesOf('localhost') })
    }
    await preview.take(hits())
    const all = readBatch(ahead.subarray(0, whole), { ...known, lines: linesOf('localhost') })
    // Most lines of a log are of other clients: all that was sent is counted.
    preview.read = all.read
    preview.accepted = all.kept
    preview.isCut = false
  } finally {
    reader.close()
  }
}

/** @throws {Fault} `invalid_argument` where no line of the beginning is a request in the format */
function requireFormat({ ahead, isStopped }: LogReader, format: AccessLogFormat): void {
  const wholeBytes = ahead.lastIndexOf(lineFeed) + 1
  const looked = ahead.subarray(0, wholeBytes || ahead.length)
  if (isStopped || hasRequest(looked, formats[format].linesOf('localhost'))) return
  requireLook(ahead.subarray(0, lookedAtBytes), {
    command: `import access-log --format ${format}`,
    field: 'file',
    takes: formats[format].takes,
    // A server may still be writing the only line.
    also: ({ command }) => wholeBytes === 0 && command === null,
  })
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
  readonly record: ImportRecord
}

async function importUnderLock(
  stores: ImportStores,
  { format, bots, verify, onProgress, onDays }: AccessLogOptions,
  { name, log: opened, reopen, lockLost, record: imported }: Work,
): Promise<AccessLogResult> {
  const days = new DayRange()
  let counts: AccessLogCounts = nothing
  const countsNow = () => {
    return { read: counts.read, loaded: counts.kept, rejected: 0, days: days.days }
  }
  const records = await findRecords(stores.db, name)
  const resumePoint = await findResumePoint(opened, records, reopen)
  if (resumePoint === undefined) {
    await imported.finish(countsNow())
    return nothing
  }
  const { log, record } = resumePoint
  const { reader } = log
  try {
    const { projectId } = name
    const { source } = formats[format]
    const known = { projectId, source, bots, verify, importId: imported.id }
    const context = { ...stores, ...known, ...log, lockLost }
    for await (const batch of batchesOf(context, name, records.length, record)) {
      const { kept, dropped, times } = batch
      for (const at of times ? [times.first, times.last] : []) days.add(dayOf(at))
      const read = counts.read + batch.read
      counts = { read, kept: counts.kept + kept, dropped: added(counts.dropped, dropped) }
      onProgress?.(counts)
    }
    await imported.finish(countsNow())
    if (days.days) onDays?.(days.days)
    const isUnfinished = reader.isEnded && reader.ahead.length > 0
    return { ...counts, readBefore: record?.readLines ?? 0, isUnfinished }
  } catch (error) {
    await imported.giveUp(countsNow())
    throw error
  } finally {
    reader.close()
  }
}

const dayOf = (at: number) => new Date(at).toISOString().slice(0, 'YYYY-MM-DD'.length)

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
  if (record) await noteResume(db, context.importId, record)
  if (record?.pending) {
    const loaded = await loadPending(context, record, record.pending)
    record = loaded.record
    yield loaded.batch
  }
  for (;;) {
    await reader.fill()
    const sizeBytes = reader.isStopped ? 0 : readySize(reader, lines)
    if (sizeBytes === 0) return
    if (record === undefined) {
      record = await createRecord(db, name, others)
      await noteResume(db, context.importId, record)
    }
    const loaded = await loadNext(context, record, sizeBytes)
    record = loaded.record
    yield loaded.batch
  }
}
