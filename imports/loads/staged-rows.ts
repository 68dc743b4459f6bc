import { randomUUID } from 'node:crypto'
import { command, insert, type Raw, run, type Warehouse } from '../../warehouse/run.ts'
import { withRetries } from './insert-batches.ts'

export type DatedTable = 'search_console' | 'web_analytics'

/** The rows of one import. */
export interface OfImport {
  readonly projectId: string
  readonly importId: string
}

/** The shape of totals of a period, which no report adds to rows by day. `part` has the first day, `day` the last. */
export const periodTotals = 'totals of a period'

/** The shape of totals of a week, in the same way. A report adds up whole weeks. */
export const weekTotals = 'totals of a week'

/** What the rows of a day have in common, of which one shape counts: two engines have each their own. */
const dayKey = { search_console: 'day, engine', web_analytics: 'day' } as const

const timeoutMs = 600_000
const removalTimeoutMs = 120_000
const ofImport = 'project_id = {projectId:UUID} AND import_id = {importId:UUID}'

/** Stores rows where no reader sees them. Of rows with the same key the last one counts. */
export async function stageRows(
  warehouse: Warehouse,
  table: DatedTable,
  { projectId, importId }: OfImport,
  rows: readonly Raw[],
): Promise<void> {
  const of = { project_id: projectId, import_id: importId, loaded_at: new Date().toISOString() }
  const full = rows.map((row) => ({ ...row, ...of }))
  // A repeated row replaces itself, so the token need not prevent a second insert.
  await withRetries(() =>
    insert(warehouse, { table: `${table}_staged`, rows: full, token: randomUUID() }),
  )
}

/**
 * Shows the staged rows of an import to readers, removes those that they replace, and then the staged ones. After a kill
 * a second call does what is left.
 */
export async function publishRows(
  warehouse: Warehouse,
  table: DatedTable,
  of: OfImport,
): Promise<void> {
  const params = { ...of }
  const staged = `${table}_staged`
  const months = await withRetries(() =>
    run(warehouse, {
      id: 'rows.months',
      sql: `SELECT DISTINCT toYYYYMM(day) AS month FROM ${staged} WHERE ${ofImport} ORDER BY month`,
      params,
      row: ({ month }) => Number(month),
    }),
  )
  for (const month of months) {
    // A second insert of the same rows must not pass for a repeated one: an engine that died may have lost the first.
    const sql = `INSERT INTO ${table} SETTINGS insert_deduplicate = 0
      SELECT * FROM ${staged} FINAL WHERE ${ofImport} AND toYYYYMM(day) = {month:UInt32}`
    const statement = { id: 'rows.publish', sql, params: { ...params, month }, timeoutMs }
    await withRetries(() => command(warehouse, statement))
  }
  await removeOtherShapes(warehouse, table, of)
  await dropStaged(warehouse, table, of)
}

/** Removes rows of the same days with other shapes, which would count the same visits again. */
async function removeOtherShapes(
  warehouse: Warehouse,
  table: DatedTable,
  of: OfImport,
): Promise<void> {
  const key = dayKey[table]
  const params = { ...of, totals: [periodTotals, weekTotals] }
  const isDaily = 'NOT has({totals:Array(String)}, shape)'
  const brought = `FROM ${table}_staged WHERE ${ofImport} AND ${isDaily}`
  const where = `WHERE project_id = {projectId:UUID} AND ${isDaily}
    AND (${key}) IN (SELECT ${key} ${brought}) AND (${key}, shape) NOT IN (SELECT ${key}, shape ${brought})`
  await withRetries(async () => {
    const sql = `SELECT 1 FROM ${table} ${where} LIMIT 1`
    const found = await run(warehouse, { id: 'rows.shapes', sql, params, row: () => true })
    if (found.length === 0) return
    const removal = { id: 'rows.replace', sql: `DELETE FROM ${table} ${where}`, params }
    await command(warehouse, { ...removal, timeoutMs: removalTimeoutMs })
  })
}

/** Removes the staged rows of an import. */
export async function dropStaged(
  warehouse: Warehouse,
  table: DatedTable,
  { importId }: OfImport,
): Promise<void> {
  // Values of a partition cannot be bound; the id is one that the catalog made.
  const sql = `ALTER TABLE ${table}_staged DROP PARTITION '${importId}'`
  const statement = { id: 'rows.drop-staged', sql, timeoutMs: removalTimeoutMs }
  await withRetries(() => command(warehouse, statement))
}
