import { hash } from 'node:crypto'
import { z } from 'zod'
import { Fault } from '../../core/errors.ts'
import type { Catalog } from '../../prisma/client.ts'
import { Prisma } from '../../prisma/generated/client.ts'
import { idOf } from '../files/ids.ts'

/** How many lines were left out, by reason. */
export type Dropped = Readonly<Record<string, number>>

/** A stretch of the log whose hits may be in the warehouse, all, in part or not at all. */
export interface Pending {
  /** Where it ends, in bytes of the log. */
  readonly end: number
  /** SHA-256 of the log up to there. */
  readonly hash: string
  /** When it was read, as Unix time in milliseconds: what is too old or too new goes by it. */
  readonly at: number
  /** Which of its tokens it goes by, from 1. */
  readonly attempt: number
}

/** How far a log was read. Its row in the catalog changes under the lock of the log alone. */
export interface LogRecord {
  readonly id: string
  readonly readBytes: number
  readonly readHash: string
  readonly readLines: number
  readonly kept: number
  readonly dropped: Dropped
  readonly pending: Pending | undefined
  /** Grows with each change, so that whoever lost the lock cannot change what another has taken over. */
  readonly version: Date
}

/** What names a log: its project, its format, and the SHA-256 of its first line. */
export interface LogName {
  readonly projectId: string
  readonly format: string
  readonly firstLineHash: string
}

const count = z.number().int().nonnegative()
const droppedShape = z.record(z.string(), count)
const pendingShape = z
  .object({ end: count, hash: z.string(), at: count, attempt: count })
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

/** The logs of this name that were read before, those that were read least first. */
export async function findRecords(db: Catalog, name: LogName): Promise<LogRecord[]> {
  const orderBy = [{ readBytes: 'asc' }, { createdAt: 'asc' }] as const
  const rows = await db.accessLog.findMany({ where: name, orderBy: [...orderBy] })
  return rows.map(recordOf)
}

/**
 * Begins to remember a log of which nothing was read.
 * @param others how many logs of the name there are: it is part of the id, so that of two imports that both hold
 *   this log for new one fails
 * @throws {Fault} 502 when another import was faster
 */
export async function createRecord(db: Catalog, name: LogName, others: number): Promise<LogRecord> {
  const id = idOf('access-log', name.projectId, name.format, name.firstLineHash, others)
  const data = { id, ...name, readHash: hash('sha256', '') }
  const [row] = await db.accessLog.createManyAndReturn({ data, skipDuplicates: true })
  if (!row) throw takenOver()
  return recordOf(row)
}

/**
 * Writes the changes down.
 * @throws {Fault} 502 when another import took the log over meanwhile: nothing is changed
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

function takenOver(): Fault {
  const message = 'Another import took over this log. Import it again to go on.'
  return new Fault('internal_error', message, { status: 502, retryable: true })
}
