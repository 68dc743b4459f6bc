import { z } from 'zod'
import type { Db } from '../../prisma/client.ts'
import type { ImportResult, RejectedLine } from '../answers/answers.ts'
import { noProject } from '../loads/loads.ts'

/** One line, item or file of what is imported: what it gives, or why it gives nothing. */
export type RecordEntry<Row> = {
  /** Of the line, of the item of a list, or of the file in a folder; from 1. */
  readonly number: number
} & ({ readonly row: Row } | { readonly reason: string })

/** What every import of records takes. */
export interface RecordOptions {
  readonly projectId: string
  /** Called after each batch with the counts so far. */
  readonly onProgress?: (progress: RecordProgress) => void
  /** Ends the reading: what was read until then is loaded. */
  readonly signal?: AbortSignal | undefined
}

export interface RecordProgress {
  readonly read: number
  /** New ones, and those that say something else than before. */
  readonly loaded: number
  /** Those that were there so already. */
  readonly skipped: number
  readonly rejected: number
}

interface Work<Row> extends RecordOptions {
  readonly entries: AsyncIterable<RecordEntry<Row>>
  /** What tells rows apart: of two with the same key in one batch the later one counts. */
  readonly keyOf: (row: Row) => string
  /** About how much memory a row takes. A batch is cut where its rows take 8 MiB. */
  readonly sizeOf?: (row: Row) => number
  /** Writes a batch, and gives how many of its rows are new or changed. */
  readonly write: (rows: readonly Row[]) => Promise<number>
}

const batchRows = 1000
const batchSize = 8 * 1024 * 1024
const maxRejectedKept = 10_000

/** @throws {Fault} `not_found` where there is no such project */
export async function requireProject(db: Db, projectId: string) {
  const isId = z.guid().safeParse(projectId).success
  const project = isId && (await db.project.findUnique({ where: { id: projectId } }))
  if (!project) throw noProject(projectId)
  return project
}

/** Writes records batch by batch, so that memory holds one, and tells those that cannot be read. */
export async function loadRecords<Row>(work: Work<Row>): Promise<ImportResult> {
  const { sizeOf = () => 0, keyOf, signal } = work
  const tally = { read: 0, loaded: 0, skipped: 0, rejected: 0 }
  const kept: RejectedLine[] = []
  let batch: Row[] = []
  let size = 0
  const flush = async () => {
    if (batch.length === 0) return
    const rows = [...new Map(batch.map((row) => [keyOf(row), row])).values()]
    const written = await work.write(rows)
    tally.loaded += written
    tally.skipped += batch.length - written
    batch = []
    size = 0
    work.onProgress?.({ ...tally })
  }
  for await (const entry of work.entries) {
    if (signal?.aborted) break
    tally.read++
    if ('row' in entry) {
      batch.push(entry.row)
      size += sizeOf(entry.row)
    } else if (++tally.rejected <= maxRejectedKept) {
      kept.push({ line: entry.number, reason: entry.reason })
    }
    if (batch.length >= batchRows || size >= batchSize) await flush()
  }
  await flush()
  const cut = tally.rejected > kept.length ? { rejectedTotal: tally.rejected } : {}
  return { ...tally, rejected: kept, ...cut }
}
