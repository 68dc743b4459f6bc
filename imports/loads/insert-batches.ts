import pRetry from 'p-retry'
import { Fault } from '../../core/errors.ts'
import { insert, run, type Warehouse } from '../../warehouse/run.ts'
import type { FactTable, Load } from './loads.ts'
import { piecesOf } from './pieces.ts'

export type Row = Record<string, unknown>

/** Rows of one table and month. The warehouse stores all of them or none. */
export interface InsertBatch {
  readonly table: FactTable
  /** `YYYY-MM`: a month is a partition. */
  readonly month: string
  readonly rows: readonly Row[]
}

const parallelInserts = 6 // more of them only wait in the engine

/** Repeats the work while the engine is down: its supervisor starts it again within seconds. */
export function withRetries<T>(work: () => Promise<T>): Promise<T> {
  return pRetry(work, {
    retries: 5,
    minTimeout: 250,
    shouldRetry: ({ error }) => error instanceof Fault && error.retryable,
  })
}

/** Sends the insert batches of batch number `number` of the load, each once. */
export async function sendInsertBatches(
  warehouse: Warehouse,
  load: Load,
  number: number,
  batches: readonly InsertBatch[],
): Promise<void> {
  const queue = batches.values()
  const lane = async () => {
    for (const batch of queue) await send(warehouse, load, number, batch)
  }
  await Promise.all(Array.from({ length: parallelInserts }, lane))
}

/**
 * The engine stores a token shortly before the rows, and a power cut may lose either. After a crash in between, it
 * takes lost rows for stored ones. So after a retry this counts the rows, and sends missing ones under a new token.
 */
async function send(
  warehouse: Warehouse,
  { attempt }: Load,
  number: number,
  batch: InsertBatch,
): Promise<void> {
  const { table, month, rows } = batch
  if (rows.length === 0) return
  for (let sending = 1; ; sending++) {
    const token = `${attempt}:${number}:${table}:${month}:${sending}`
    let tries = 0
    await withRetries(() => {
      tries++
      return insert(warehouse, { table, rows, token })
    })
    if (tries === 1 || (await isStored(warehouse, batch))) return
  }
}

const distinct = (rows: readonly Row[], column: string) => [
  ...new Set(rows.map((row) => String(row[column]))),
]

/** @throws {Fault} 502 when the warehouse has some of the rows but not all, or more than all */
async function isStored(warehouse: Warehouse, { table, rows }: InsertBatch): Promise<boolean> {
  const answer = table === 'answers' ? 'id' : 'answer_id'
  const analyses = table === 'mentions' ? 'AND analysis IN {analyses:Array(UInt32)}' : ''
  const params = {
    projectId: rows[0]?.project_id,
    days: distinct(rows, 'day'),
    loads: distinct(rows, 'load_seq'),
    ...(table === 'mentions' ? { analyses: distinct(rows, 'analysis') } : {}),
  }
  let stored = 0
  for (const answers of piecesOf(distinct(rows, answer))) {
    const [ofPiece = 0] = await withRetries(() =>
      run(warehouse, {
        id: 'imports.stored',
        sql: `SELECT count() AS stored FROM ${table}
          WHERE project_id = {projectId:UUID} AND day IN {days:Array(Date)}
            AND ${answer} IN {answers:Array(UUID)} AND load_seq IN {loads:Array(UInt32)} ${analyses}`,
        params: { ...params, answers },
        row: (raw) => Number(raw.stored),
      }),
    )
    stored += ofPiece
  }
  if (stored !== 0 && stored !== rows.length) {
    const message = `The warehouse stored ${stored} of ${rows.length} rows. Import the same data again.`
    throw new Fault('internal_error', message, { status: 502, retryable: true })
  }
  return stored !== 0
}
