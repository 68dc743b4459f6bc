import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { command, insert, run, type Warehouse } from '../../warehouse/run.ts'
import type { ImportStores, RejectedLine } from '../answers/answers.ts'
import { persist } from '../loads/insert-batches.ts'
import { noProject } from '../loads/loads.ts'
import { underLock } from '../loads/lock.ts'

/** A row of the warehouse by column name, without project and time of loading. */
export type DatedRow = Readonly<Record<string, string | number | null>> & { readonly day: string }

/** One line or row of what is imported: what it gives, or why it gives nothing. */
export type ReadRow =
  | { readonly number: number; readonly row: DatedRow }
  | { readonly number: number; readonly reason: string }

export interface RowsProgress {
  /** The sum of the two others, but for the batch that is under way. */
  readonly read: number
  /** Rows that are there now; one that was there before is replaced. */
  readonly loaded: number
  readonly rejected: number
}

export interface RowsResult extends Omit<RowsProgress, 'rejected'> {
  /** The first 10,000. */
  readonly rejected: readonly RejectedLine[]
  /** How many were rejected; present only where `rejected` is cut. */
  readonly rejectedTotal?: number
}

/** What every import of rows by day takes. */
export interface RowsOptions {
  readonly projectId: string
  /** Called before the first rows are written, and never where all that was read is wrong. */
  readonly begin?: () => Promise<unknown>
  readonly onProgress?: (progress: RowsProgress) => void
  /** Ends the reading: what was read until then is loaded. */
  readonly signal?: AbortSignal | undefined
  /** How long to wait for another import into the project. 10 minutes by default. */
  readonly waitMs?: number
}

export interface DatedTable extends RowsOptions {
  readonly table: 'search_console' | 'web_analytics'
  readonly rows: AsyncIterable<ReadRow>
}

const batchRows = 10_000
const maxRejectedKept = 10_000

/**
 * Loads rows by day. One that is there already, by all that tells rows apart, is replaced, so that the same rows
 * loaded twice are there once. A day holds rows of one `shape`: those of another, which would count the same again,
 * go when the first row of the day comes.
 * @throws {Fault} `not_found`; `rate_limited` when another import does not end within `waitMs`; 502 when the
 *   warehouse does not come back within some seconds
 */
export async function loadDatedRows(
  stores: ImportStores,
  options: DatedTable,
): Promise<RowsResult> {
  const { projectId } = options
  const isId = z.guid().safeParse(projectId).success
  if (!isId || !(await stores.db.project.findUnique({ where: { id: projectId } }))) {
    throw noProject(projectId)
  }
  const tally = { read: 0, loaded: 0, rejected: 0 }
  const kept: RejectedLine[] = []
  await underLock(stores.databaseUrl, options, async (lockLost) => {
    const write = writerOf(stores.warehouse, options)
    let batch: DatedRow[] = []
    let isBegun = false
    const flush = async () => {
      lockLost.throwIfAborted()
      if (batch.length === 0 && tally.rejected > 0) return
      if (!isBegun) await options.begin?.()
      isBegun = true
      await write(batch)
      tally.loaded += batch.length
      batch = []
      options.onProgress?.(tally)
    }
    for await (const found of options.rows) {
      if (options.signal?.aborted) break
      tally.read++
      if ('row' in found) batch.push(found.row)
      else if (++tally.rejected <= maxRejectedKept) {
        kept.push({ line: found.number, reason: found.reason })
      }
      if (batch.length >= batchRows) await flush()
    }
    await flush()
  })
  const cut = tally.rejected > kept.length ? { rejectedTotal: tally.rejected } : {}
  return { ...tally, rejected: kept, ...cut }
}

function writerOf(warehouse: Warehouse, { projectId, table }: DatedTable) {
  const cleared = new Set<string>()
  return async (rows: readonly DatedRow[]): Promise<void> => {
    const loaded_at = new Date().toISOString()
    for (const [shape, ofShape] of Map.groupBy(rows, ({ shape }) => String(shape))) {
      const days = new Set(ofShape.map(({ day }) => day).filter((day) => !cleared.has(day)))
      await removeOthers(warehouse, table, { projectId, shape, days: [...days] })
      for (const day of days) cleared.add(day)
    }
    // An insert that spans too many months is refused by the engine.
    for (const ofMonth of Map.groupBy(rows, ({ day }) => day.slice(0, 7)).values()) {
      const full = ofMonth.map((row) => ({ project_id: projectId, ...row, loaded_at }))
      // Sent again, a row replaces itself: there is no need of a token that makes an insert count once.
      await persist(() => insert(warehouse, { table, rows: full, token: randomUUID() }))
    }
  }
}

/** Removes the rows of these days that have another shape. */
async function removeOthers(
  warehouse: Warehouse,
  table: DatedTable['table'],
  params: { projectId: string; shape: string; days: readonly string[] },
): Promise<void> {
  if (params.days.length === 0) return
  const where =
    'WHERE project_id = {projectId:UUID} AND day IN {days:Array(Date)} AND shape != {shape:String}'
  await persist(async () => {
    const sql = `SELECT 1 FROM ${table} ${where} LIMIT 1`
    const found = await run(warehouse, { id: 'rows.shapes', sql, params, row: () => true })
    if (found.length === 0) return
    await command(warehouse, { id: 'rows.replace', sql: `DELETE FROM ${table} ${where}`, params })
  })
}
