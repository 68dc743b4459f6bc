import { setImmediate as letOthersRun } from 'node:timers/promises'
import { importNotice, liveChannel } from '../../core/live/events.ts'
import type { Catalog, Db } from '../../prisma/client.ts'
import { sendJob } from '../../resolvers/shared/jobs.ts'
import type { Warehouse } from '../../warehouse/client.ts'
import { nextOrStop } from '../files/next-or-stop.ts'
import { type Project, requireProject, withProject } from './lock.ts'
import type { Preview } from './preview.ts'
import { DayRange, type Days, type ImportKind, ImportRecord, type ImportSource } from './record.ts'

export interface ImportStores {
  readonly db: Catalog
  /** For the lock, which needs a session of its own. */
  readonly databaseUrl: string
  readonly warehouse: Warehouse
}

/** What an import reads from one line, list item, row or file: a row to load, or the reason to reject it. */
export type Entry<Row> = {
  /** Number of the line, item, row or file, from 1. */
  readonly number: number
} & ({ readonly row: Row; readonly size?: number } | { readonly reason: string })

/** The counts of an import so far. */
export type Progress<Counts> = Counts & {
  /** Entries read, rejected ones included. */
  readonly read: number
  readonly rejected: number
}

/** The options of every import. `Counts` are the counts that the import adds to `read` and `rejected`. */
export interface ImportOptions<Counts = RecordCounts> extends ImportSource {
  readonly projectId: string
  /** Called after each batch. */
  readonly onProgress?: (progress: Progress<Counts>) => void
  /** Called at the end with the days of the loaded rows; not called for rows without days. */
  readonly onDays?: (days: Days) => void
  /** Ends the reading. The import loads the entries that it has read. */
  readonly signal?: AbortSignal | undefined
  /** How long to wait for another import into the project. 10 minutes by default. */
  readonly waitMs?: number
  /** Reads the first entries, and writes nothing. */
  readonly preview?: Preview | undefined
}

export interface RecordCounts {
  /** New or changed. */
  readonly loaded: number
  /** Unchanged since an earlier import, or repeated in this one. */
  readonly skipped: number
}

export interface RejectedLine {
  /** Number of the line, item, row or file, from 1. Empty lines have a number too. */
  readonly line: number
  /** Names the field and the rule that it breaks. */
  readonly reason: string
}

export type ImportResult<Counts = RecordCounts> = Counts & {
  readonly read: number
  /** The first 10,000. */
  readonly rejected: readonly RejectedLine[]
  /** Number of all rejected entries; present only where `rejected` is cut. */
  readonly rejectedTotal?: number
}

/** The size of a batch, which bounds the memory of an import. */
export interface BatchLimits {
  readonly maxEntries: number
  /** Entries of the first batch. Each batch may hold twice as many as the one before. Default: `maxEntries`. */
  readonly firstEntries?: number
  /** Bound of the sum of `Entry.size`. Without it only the number of entries counts. */
  readonly maxSize?: number
}

type Writable<Counts> = { -readonly [Name in keyof Counts]: Counts[Name] }

const maxRejectedKept = 10_000
const entriesBetweenTurns = 50

/** One import under way: it counts the entries, keeps the rejected ones, and makes the result. */
export class ImportRun<Counts extends object> {
  /** Aborted once another import may have the lock; undefined for an import without a lock. */
  lockLost: AbortSignal | undefined
  /** In the list of imports; undefined for an import that the list leaves out. */
  record: ImportRecord | undefined
  /** The days of the rows that were loaded. */
  readonly loadedDays = new DayRange()
  /** The work changes these. */
  readonly counts: Writable<Counts>
  readonly #options: ImportOptions<Counts>
  readonly #rejected: RejectedLine[] = []
  #read = 0
  #rejectedTotal = 0

  constructor(options: ImportOptions<Counts>, counts: Counts) {
    this.#options = options
    this.counts = counts
  }

  /** Absent for an import that writes. */
  get preview(): Preview | undefined {
    return this.#options.preview
  }

  get hasRejected(): boolean {
    return this.#rejectedTotal > 0
  }

  /**
   * Reads the entries and yields the rows in batches. A batch is empty when all its entries were rejected.
   * @throws the reason of the lost lock before the next batch
   */
  async *batches<Row>(
    entries: AsyncIterable<Entry<Row>>,
    limits: BatchLimits,
  ): AsyncGenerator<Row[], void> {
    const { maxEntries, firstEntries = maxEntries, maxSize = Number.POSITIVE_INFINITY } = limits
    let most = firstEntries
    const { signal } = this.#options
    const iterator = entries[Symbol.asyncIterator]()
    let batch: Row[] = []
    let inBatch = 0
    let size = 0
    try {
      while (!signal?.aborted) {
        const { done, value: entry } = await nextOrStop(iterator, signal)
        if (done) break
        if (this.#read++ % entriesBetweenTurns === 0) await letOthersRun()
        if ('row' in entry) {
          batch.push(entry.row)
          size += entry.size ?? 0
        } else this.reject({ line: entry.number, reason: entry.reason })
        if (++inBatch < most && size < maxSize) continue
        this.lockLost?.throwIfAborted()
        yield batch
        ;[batch, inBatch, size] = [[], 0, 0]
        most = Math.min(2 * most, maxEntries)
      }
      this.lockLost?.throwIfAborted()
      if (inBatch > 0) yield batch
    } finally {
      // Not awaited: after a stop the source may still wait for its next bytes.
      Promise.resolve(iterator.return?.()).catch(() => undefined)
    }
  }

  /** Rejects an entry that was read; the work does so with an entry that contradicts what is stored. */
  reject(line: RejectedLine): void {
    this.#rejectedTotal++
    if (this.#rejected.length < maxRejectedKept) this.#rejected.push(line)
  }

  /** The counts for the list of imports. */
  get recordCounts() {
    const {
      created = 0,
      updated = 0,
      loaded = created + updated,
    } = this.counts as Partial<Record<'created' | 'updated' | 'loaded', number>>
    const { days } = this.loadedDays
    return { read: this.#read, loaded, rejected: this.#rejectedTotal, days }
  }

  reportDays(): void {
    const { days } = this.loadedDays
    if (days && this.recordCounts.loaded > 0) this.#options.onDays?.(days)
  }

  reportProgress(): void {
    const { onProgress } = this.#options
    onProgress?.({ ...(this.counts as Counts), read: this.#read, rejected: this.#rejectedTotal })
  }

  result(): ImportResult<Counts> {
    const rejected = this.#rejected.toSorted((a, b) => a.line - b.line)
    const isCut = this.#rejectedTotal > rejected.length
    const rejectedTotal = isCut ? { rejectedTotal: this.#rejectedTotal } : {}
    return { read: this.#read, ...(this.counts as Counts), rejected, ...rejectedTotal }
  }
}

/** An import of several files sends one job: the others find it waiting. */
const evaluatedAfterSeconds = 60

/**
 * Sends a job that finds the opportunities in the new facts of a project. The facts are complete without it, and a
 * job of each night finds the same: no failure here fails the import.
 */
export async function evaluateSoon(db: Db, projectId: string): Promise<void> {
  const options = { afterSeconds: evaluatedAfterSeconds }
  await sendJob(db, 'opportunities', { projectId }, options).catch(() => false)
}

/**
 * Sends a job that asks the judge about the new mentions of a project. A worker whose settings name no judge drops it.
 * No failure here fails the import: the next one sends the job again.
 */
export async function judgeSoon(db: Db, projectId: string): Promise<void> {
  const options = { afterSeconds: evaluatedAfterSeconds }
  await sendJob(db, 'judge', { projectId }, options).catch(() => false)
}

/**
 * Announces an import to live readers, unless it has shown a load: the catalog announces that by itself. The import is
 * complete without it.
 */
export async function announceImport(db: Db, { id, visibleLoad }: Project): Promise<void> {
  const notice = importNotice(id)
  await db.$queryRaw`SELECT pg_notify(${liveChannel}, ${notice})::text
    FROM "Project" WHERE "id" = ${id}::uuid AND "visibleLoad" = ${visibleLoad}`.catch(() => [])
}

/** `importId` is that of the list of imports; empty for a preview. */
type Work<Counts extends object> = (
  run: ImportRun<Counts>,
  project: Project,
  importId: string,
) => Promise<unknown>

/** Does the work, with the import in the list of imports. */
async function recorded<Counts extends object>(
  db: Catalog,
  run: ImportRun<Counts>,
  project: Project,
  { kind, source, work }: { kind: ImportKind; source: ImportSource; work: Work<Counts> },
): Promise<void> {
  const record = await ImportRecord.begin(db, project, kind, source)
  run.record = record
  try {
    await work(run, project, record.id)
  } catch (error) {
    await record.giveUp(run.recordCounts)
    throw error
  }
  await record.finish(run.recordCounts)
}

/**
 * Runs an import that writes facts, under the lock of the project.
 * @param counts the counts of the result, all 0; they stay 0 when the signal fires before the import has the lock
 * @throws {Fault} `not_found`; `rate_limited` when another import does not end within `waitMs`
 * @throws the error of the connection when PostgreSQL, and with it the lock, is lost
 */
export async function runImport<Counts extends object>(
  stores: Pick<ImportStores, 'db' | 'databaseUrl'>,
  { kind, ...options }: ImportOptions<Counts> & { readonly kind: ImportKind },
  counts: Counts,
  work: Work<Counts>,
): Promise<ImportResult<Counts>> {
  const run = new ImportRun(options, counts)
  if (run.preview) {
    await work(run, await requireProject(stores.db, options.projectId), '')
    return run.result()
  }
  await withProject(stores, options, async (project, lockLost) => {
    run.lockLost = lockLost
    await recorded(stores.db, run, project, { kind, source: options, work })
    await announceImport(stores.db, project)
    await evaluateSoon(stores.db, project.id)
    run.reportDays()
  })
  return run.result()
}

/**
 * Runs an import that writes only records of the catalog. It needs no lock: each statement is atomic.
 * @throws {Fault} `not_found`
 */
export async function runCatalogImport(
  db: Catalog,
  { kind, ...options }: ImportOptions & { readonly kind: ImportKind },
  work: Work<RecordCounts>,
): Promise<ImportResult> {
  const project = await requireProject(db, options.projectId)
  const run = new ImportRun<RecordCounts>(options, { loaded: 0, skipped: 0 })
  if (run.preview) {
    await work(run, project, '')
    return run.result()
  }
  await recorded(db, run, project, { kind, source: options, work })
  await announceImport(db, project)
  run.reportDays()
  return run.result()
}
