import type { BotMatcher } from '../../core/bots/bots.ts'
import type { VerifyCrawler } from '../../core/bots/crawler-ranges.ts'
import type { LineReader } from '../../ingest/lines/request.ts'
import type { Catalog } from '../../prisma/client.ts'
import { deliver } from '../../warehouse/delivery.ts'
import type { Warehouse } from '../../warehouse/run.ts'
import { withRetries } from '../loads/insert-batches.ts'
import { type Batch, readBatch } from './batch.ts'
import type { LogReader } from './reader.ts'
import { changeRecord, type LogRecord, noteBatch, type Pending } from './record.ts'

export interface LoadContext {
  readonly db: Catalog
  readonly warehouse: Warehouse
  readonly projectId: string
  readonly importId: string
  readonly source: 'log' | 'cdn'
  readonly bots: BotMatcher
  readonly verify: VerifyCrawler | undefined
  readonly lines: LineReader
  readonly reader: LogReader
  /** Aborted once another may have the lock. */
  readonly lockLost: AbortSignal
}

/** A loaded stretch of the log, and the record after it. */
export interface Loaded {
  readonly record: LogRecord
  readonly batch: Batch
}

/**
 * Loads the next `sizeBytes` of the reader. It stores them in the record as pending first. After a crash the
 * next import sends the same stretch under the same token, even when the log has grown.
 */
export async function loadNext(
  context: LoadContext,
  record: LogRecord,
  sizeBytes: number,
): Promise<Loaded> {
  const { db, reader, importId } = context
  const end = reader.position + sizeBytes
  const pending = { end, hash: reader.digest(sizeBytes), at: Date.now(), attempt: 1, importId }
  return load(context, await changeRecord(db, record, { pending }), pending, false)
}

/** Loads what an import had under way when it ended, as if it went on. */
export async function loadPending(
  context: LoadContext,
  record: LogRecord,
  pending: Pending,
): Promise<Loaded> {
  await context.reader.fill(pending.end - record.readBytes)
  return load(context, record, pending, true)
}

async function load(
  context: LoadContext,
  begun: LogRecord,
  pending: Pending,
  isAgain: boolean,
): Promise<Loaded> {
  const { db, reader } = context
  const sizeBytes = pending.end - reader.position
  const bytes = reader.ahead.subarray(0, sizeBytes)
  const batch = readBatch(bytes, { ...context, now: pending.at, isInLine: reader.isInLine })
  const sent = await send(context, begun, pending, Buffer.from(batch.rows), isAgain)
  reader.take(sizeBytes)
  const record = await changeRecord(db, sent, {
    readBytes: pending.end,
    readHash: pending.hash,
    readLines: sent.readLines + batch.read,
    kept: sent.kept + batch.kept,
    dropped: added(sent.dropped, batch.dropped),
    pending: undefined,
  })
  return { record, batch }
}

/**
 * Sends the rows until they are stored. The engine may lose rows and still refuse their token: then the record gets a
 * new attempt, and with it a new token.
 */
async function send(
  { db, warehouse, lockLost: signal }: LoadContext,
  begun: LogRecord,
  begunPending: Pending,
  lines: Buffer,
  begunAgain: boolean,
): Promise<LogRecord> {
  let [record, pending, isAgain] = [begun, begunPending, begunAgain]
  while (lines.length > 0) {
    signal.throwIfAborted()
    const { importId, attempt } = pending
    const stretch = `${record.readBytes}-${pending.end}:${attempt}`
    // A log that is imported again after an undo must not meet its old tokens, which the engine remembers.
    const token = `access-log:${record.id}:${stretch}${importId ? `:${importId}` : ''}`
    if (importId) await noteBatch(db, importId, token)
    const isStored = await withRetries(() => {
      const delivery = { lines, token, isAgain, signal }
      isAgain = true
      return deliver(warehouse, delivery)
    })
    if (isStored) break
    pending = { ...pending, attempt: pending.attempt + 1 }
    record = await changeRecord(db, record, { pending })
  }
  return record
}

/** The sums of two counts by reason. */
export function added(
  some: Readonly<Record<string, number>>,
  more: Readonly<Record<string, number>>,
): Record<string, number> {
  const sums = { ...some }
  for (const [name, count] of Object.entries(more)) sums[name] = (sums[name] ?? 0) + count
  return sums
}
