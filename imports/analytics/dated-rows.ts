import { whileRowsChange } from '../loads/lock.ts'
import {
  type Entry,
  type ImportOptions,
  type ImportResult,
  type ImportStores,
  type Progress,
  runImport,
} from '../loads/runner.ts'
import { endStaged, settleImports } from '../loads/settle.ts'
import { publishRows, stageRows } from '../loads/staged-rows.ts'

/** A row of the warehouse by column name, without the project and the time of loading. */
export type DatedRow = Readonly<Record<string, string | number | null>> & { readonly day: string }

/** `loaded` counts new rows and replaced ones. */
type RowCounts = { readonly loaded: number }
export type RowsProgress = Progress<RowCounts>
export type RowsResult = ImportResult<RowCounts>

/** The options of every import of rows by day. */
export interface RowsOptions extends ImportOptions<RowCounts> {
  /** Links the project. Called before the first rows are written; not called when all entries were rejected. */
  readonly begin?: () => Promise<{ readonly subjectId: string; readonly isNew: boolean }>
}

export interface DatedTable extends RowsOptions {
  readonly table: 'search_console' | 'web_analytics'
  readonly rows: AsyncIterable<Entry<DatedRow>>
}

const limits = { maxEntries: 10_000 }

/**
 * Loads rows by day. A row replaces the row with the same key, so that the same rows loaded twice count once. A day
 * holds rows of one `shape`: its new rows remove rows of other shapes, which would count the same visits again. Readers
 * see no row before the import has read all, and none after an error.
 * @throws {Fault} `not_found`; `rate_limited` when another import does not end within `waitMs`; 502 when the
 *   warehouse does not come back within some seconds
 */
export function loadDatedRows(stores: ImportStores, options: DatedTable): Promise<RowsResult> {
  const { table, projectId } = options
  const { warehouse, databaseUrl } = stores
  return runImport(stores, { ...options, kind: table }, { loaded: 0 }, async (run, project) => {
    const { record } = run
    if (run.preview) return run.preview.take(options.rows)
    if (!record) throw new Error('An import of rows by day has a record.')
    const of = { projectId, importId: record.id }
    let hasBegun = false
    const begin = async () => {
      const link = hasBegun ? undefined : await options.begin?.()
      if (link) await record.linkedTo(link)
      hasBegun = true
    }
    try {
      await settleImports(stores, project, record)
      await whileRowsChange(databaseUrl, async () => {
        for await (const rows of run.batches(options.rows, limits)) {
          if (rows.length === 0) continue
          await begin()
          await stageRows(warehouse, table, of, rows)
          for (const { day } of rows) run.loadedDays.add(day)
          run.counts.loaded += rows.length
          run.reportProgress()
        }
        if (run.counts.loaded === 0) return
        await record.publishes(run.recordCounts)
        await publishRows(warehouse, table, of)
      })
      if (!run.hasRejected) await begin()
    } catch (error) {
      // Whoever has the lock then ends the import.
      if (!run.lockLost?.aborted) await endStaged(stores, project, record).catch(() => undefined)
      throw error
    }
  })
}
