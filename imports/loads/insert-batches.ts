import pLimit from 'p-limit'
import pRetry from 'p-retry'
import { Fault } from '../../core/errors.ts'
import { EncodedRows } from '../../warehouse/insert-statement.ts'
import { insertEncoded, run, type Warehouse } from '../../warehouse/run.ts'
import type { FactTable, Load } from './loads.ts'
import { piecesOf } from './pieces.ts'

export type Row = Record<string, unknown>

/** Rows of answers in one table and month. The warehouse stores all of them or none. */
class InsertBatch {
  readonly table: FactTable
  readonly month: string
  readonly rows = new EncodedRows()
  /** What the rows of each answer share. */
  readonly answers: Row[] = []

  constructor(table: FactTable, month: string) {
    this.table = table
    this.month = month
  }

  add(shared: Row, rows: readonly Row[]): void {
    if (rows.length === 0) return
    this.rows.add(shared, rows)
    this.answers.push(shared)
  }
}

/** The rows of some answers, as the insert batches that store them. */
export class InsertBatches {
  readonly #byMonth = new Map<string, Map<FactTable, InsertBatch>>()

  /**
   * Adds rows of one answer.
   * @param shared the columns that they have in common: `project_id`, `day`, `load_seq` and the answer's id at least
   */
  add(table: FactTable, shared: Row & { readonly day: string }, rows: readonly Row[]): void {
    // A month is a partition.
    const month = shared.day.slice(0, 'YYYY-MM'.length)
    const tables = this.#byMonth.get(month) ?? new Map<FactTable, InsertBatch>()
    this.#byMonth.set(month, tables)
    const batch = tables.get(table) ?? new InsertBatch(table, month)
    tables.set(table, batch)
    batch.add(shared, rows)
  }

  /** About the bytes of all rows. */
  get size(): number {
    return this.all().reduce((sum, { rows }) => sum + rows.size, 0)
  }

  /** The number of rows in a table. */
  count(table: FactTable): number {
    return this.of(table).reduce((sum, { rows }) => sum + rows.count, 0)
  }

  of(...tables: readonly FactTable[]): InsertBatch[] {
    return this.all().filter(({ table }) => tables.includes(table))
  }

  all(): InsertBatch[] {
    return [...this.#byMonth.values()].flatMap((tables) => [...tables.values()])
  }
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
  const limit = pLimit(parallelInserts)
  try {
    await Promise.all(batches.map((batch) => limit(() => send(warehouse, load, number, batch))))
  } finally {
    // After a failure nothing more is sent.
    limit.clearQueue()
  }
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
  if (rows.count === 0) return
  for (let sending = 1; ; sending++) {
    const token = `${attempt}:${number}:${table}:${month}:${sending}`
    let tries = 0
    await withRetries(() => {
      tries++
      return insertEncoded(warehouse, { table, rows, token })
    })
    if (tries === 1 || (await isStored(warehouse, batch))) return
  }
}

const distinct = (answers: readonly Row[], column: string) => [
  ...new Set(answers.map((shared) => String(shared[column]))),
]

/** @throws {Fault} 502 when the warehouse has some of the rows but not all, or more than all */
async function isStored(
  warehouse: Warehouse,
  { table, answers, rows: { count } }: InsertBatch,
): Promise<boolean> {
  const answer = table === 'answers' ? 'id' : 'answer_id'
  const analyses = table === 'mentions' ? 'AND analysis IN {analyses:Array(UInt32)}' : ''
  const params = {
    projectId: answers[0]?.project_id,
    days: distinct(answers, 'day'),
    loads: distinct(answers, 'load_seq'),
    ...(table === 'mentions' ? { analyses: distinct(answers, 'analysis') } : {}),
  }
  let stored = 0
  for (const ids of piecesOf(distinct(answers, answer))) {
    const [ofPiece = 0] = await withRetries(() =>
      run(warehouse, {
        id: 'imports.stored',
        sql: `SELECT count() AS stored FROM ${table}
          WHERE project_id = {projectId:UUID} AND day IN {days:Array(Date)}
            AND ${answer} IN {ids:Array(UUID)} AND load_seq IN {loads:Array(UInt32)} ${analyses}`,
        params: { ...params, ids },
        row: (raw) => Number(raw.stored),
      }),
    )
    stored += ofPiece
  }
  if (stored !== 0 && stored !== count) {
    const message = `The warehouse stored ${stored} of ${count} rows. Import the same data again.`
    throw new Fault('internal_error', message, { status: 502, retryable: true })
  }
  return stored !== 0
}
