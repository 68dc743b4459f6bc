import { hash } from 'node:crypto'
import { z } from 'zod'
import { Fault } from '../../core/errors.ts'
import { idOf } from '../../core/ids.ts'
import type { Catalog } from '../../prisma/client.ts'
import { Prisma } from '../../prisma/generated/client.ts'

/** Dropped lines by reason. */
export type Dropped = Readonly<Record<string, number>>

/** A stretch of the log that an import began to send: the warehouse may have all of its hits, some or none. */
export interface Pending {
  /** Its end, in bytes from the start of the log. */
  readonly end: number
  /** SHA-256, in hex, of the log up to `end`. */
  readonly hash: string
  /** When the import read it, as Unix time in milliseconds. The limits for the age of hits count from here. */
  readonly at: number
  /** Number of its token, from 1. */
  readonly attempt: number
  /** The import that read it: its hits belong to that import. Absent in records from before the list of imports. */
  readonly importId?: string | undefined
}

/** How much of a log the imports have read. Its row in the catalog changes only under the lock of the log. */
export interface LogRecord {
  readonly id: string
  readonly readBytes: number
  readonly readHash: string
  readonly readLines: number
  readonly kept: number
  readonly dropped: Dropped
  readonly pending: Pending | undefined
  /** Grows with each change, so that an import that lost the lock cannot change the record. */
  readonly version: Date
}

/** The name of a log: its project, its format, and the SHA-256 of its first line. */
export interface LogName {
  readonly projectId: string
  readonly format: string
  readonly firstLineHash: string
}

/** The lock of the imports of a log. */
export function logLock({ projectId, format, firstLineHash }: LogName): string {
  return `access-log:${projectId}:${format}:${firstLineHash}`
}

const count = z.number().int().nonnegative()
const droppedShape = z.record(z.string(), count)
const pendingShape = z
  .object({
    end: count,
    hash: z.string(),
    at: count,
    attempt: count,
    importId: z.string().optional(),
  })
  .nullable()

type Row = NonNullable<Awaited<ReturnType<Catalog['accessLog']['findFirst']>>>

function recordOf(row: Row): LogRecord {
  return {
    id: row.id,
    readBytes: Number(row.readBytes),
    readHash: row.readHash,
    readLines: Number(row.readLines),
    kept: Number(row.kept),
    dropped: droppedShape.parse(row.dropped),
    pending: pendingShape.parse(row.pending) ?? undefined,
    version: row.updatedAt,
  }
}

/** The records of logs with this name, the shortest first. */
export async function findRecords(db: Catalog, name: LogName): Promise<LogRecord[]> {
  const orderBy = [{ readBytes: 'asc' }, { createdAt: 'asc' }] as const
  const rows = await db.accessLog.findMany({ where: name, orderBy: [...orderBy] })
  return rows.map(recordOf)
}

/**
 * Creates the record of a new log.
 * @param others the number of records with the same name. It is part of the id, so that one of two imports that
 *   create the same record fails
 * @throws {Fault} 502 when another import has created the record
 */
export async function createRecord(db: Catalog, name: LogName, others: number): Promise<LogRecord> {
  const id = idOf('access-log', name.projectId, name.format, name.firstLineHash, others)
  const data = { id, ...name, readHash: hash('sha256', '') }
  const [row] = await db.accessLog.createManyAndReturn({ data, skipDuplicates: true })
  if (!row) throw takenOver()
  return recordOf(row)
}

/**
 * Stores the changes.
 * @throws {Fault} 502 when another import took over the log: the record stays unchanged
 */
export async function changeRecord(
  db: Catalog,
  record: LogRecord,
  changes: Partial<Omit<LogRecord, 'id' | 'version'>>,
): Promise<LogRecord> {
  const { id, version, pending, ...numbers } = { ...record, ...changes }
  const next = new Date(Math.max(Date.now(), version.getTime() + 1))
  const { count } = await db.accessLog.updateMany({
    where: { id, updatedAt: version },
    data: { ...numbers, pending: pending ? { ...pending } : Prisma.DbNull, updatedAt: next },
  })
  if (count !== 1) throw takenOver()
  return { ...record, ...changes, version: next }
}

/** How far the imports had read a log before one of them. */
export const resumeShape = z.object({
  readBytes: count,
  readHash: z.string(),
  readLines: count,
  kept: count,
  dropped: droppedShape,
})

/** Stores where an import begins, for its undo; `record` is the one that it goes on with. */
export async function noteResume(db: Catalog, importId: string, record: LogRecord): Promise<void> {
  const resume = resumeShape.parse(record)
  await db.import.updateMany({
    where: { id: importId },
    data: { accessLogId: record.id, resume: { ...resume, dropped: { ...resume.dropped } } },
  })
}

/** Stores the token of an insert, before the insert: an undo removes the hits that came with it. */
export async function noteBatch(db: Catalog, importId: string, token: string): Promise<void> {
  await db.$executeRaw`
    UPDATE "Import" SET "batches" = array_append("batches", ${token}) WHERE "id" = ${importId}::uuid`
}

function takenOver(): Fault {
  const message = 'Another import took over this log. Import the log again to resume.'
  return new Fault('internal_error', message, { status: 502, retryable: true })
}
