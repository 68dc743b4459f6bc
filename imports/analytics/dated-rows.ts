import { randomUUID } from 'node:crypto'
import { command, insert, run, type Warehouse } from '../../warehouse/run.ts'
import { withRetries } from '../loads/insert-batches.ts'
import { whileRowsChange } from '../loads/lock.ts'
import { nilImport } from '../loads/record.ts'
import {
  type Entry,
  type ImportOptions,
  type ImportResult,
  type ImportStores,
  type Progress,
  runImport,
} from '../loads/runner.ts'

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

/** The shape of totals of a period, which no report adds to rows by day. `part` has the first day, `day` the last. */
export const periodTotals = 'totals of a period'

const limits = { maxEntries: 10_000 }

/**
 * Loads rows by day. A row replaces the row with the same key, so that the same rows loaded twice count once. A day
 * holds rows of one `shape`: its first new row removes rows of other shapes, which would count the same visits again.
 * @throws {Fault} `not_found`; `rate_limited` when another import does not end within `waitMs`; 502 when the
 *   warehouse does not come back within some seconds
 */
export function loadDatedRows(stores: ImportStores, options: DatedTable): Promise<RowsResult> {
  const recorded = { ...options, kind: options.table }
  return runImport(stores, recorded, { loaded: 0 }, async (run) => {
    const write = openWriter(stores.warehouse, options, run.record?.id)
    let hasBegun = false
    const begin = async () => {
      const link = hasBegun ? undefined : await options.begin?.()
      if (link) await run.record?.linkedTo(link)
      hasBegun = true
    }
    await whileRowsChange(stores.databaseUrl, async () => {
      for await (const rows of run.batches(options.rows, limits)) {
        if (rows.length === 0) continue
        await begin()
        await write(rows)
        for (const { day } of rows) run.loadedDays.add(day)
        run.counts.loaded += rows.length
        run.reportProgress()
      }
    })
    if (!run.hasRejected) await begin()
  })
}

function openWriter(warehouse: Warehouse, { projectId, table }: DatedTable, importId = nilImport) {
  const cleared = new Set<string>()
  return async (rows: readonly DatedRow[]): Promise<void> => {
    const loaded_at = new Date().toISOString()
    for (const [shape, ofShape] of Map.groupBy(rows, ({ shape }) => String(shape))) {
      const days = new Set(ofShape.map(({ day }) => day).filter((day) => !cleared.has(day)))
      await removeOtherShapes(warehouse, table, { projectId, shape, days: [...days] })
      for (const day of days) cleared.add(day)
    }
    const of = { project_id: projectId, import_id: importId }
    // The engine refuses an insert with too many months.
    for (const ofMonth of Map.groupBy(rows, ({ day }) => day.slice(0, 7)).values()) {
      const full = ofMonth.map((row) => ({ ...of, ...row, loaded_at }))
      // A repeated row replaces itself, so the token need not prevent a second insert.
      await withRetries(() => insert(warehouse, { table, rows: full, token: randomUUID() }))
    }
  }
}

/** Removes the rows of these days that have another shape. */
async function removeOtherShapes(
  warehouse: Warehouse,
  table: DatedTable['table'],
  { shape, ...of }: { projectId: string; shape: string; days: readonly string[] },
): Promise<void> {
  if (of.days.length === 0 || shape === periodTotals) return
  const params = { ...of, kept: [shape, periodTotals] }
  const where =
    'WHERE project_id = {projectId:UUID} AND day IN {days:Array(Date)} AND shape NOT IN {kept:Array(String)}'
  await withRetries(async () => {
    const sql = `SELECT 1 FROM ${table} ${where} LIMIT 1`
    const found = await run(warehouse, { id: 'rows.shapes', sql, params, row: () => true })
    if (found.length === 0) return
    await command(warehouse, { id: 'rows.replace', sql: `DELETE FROM ${table} ${where}`, params })
  })
}
