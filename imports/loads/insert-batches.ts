import pRetry from 'p-retry'
import { Fault } from '../../core/errors.ts'
import { insert, run, type Warehouse } from '../../warehouse/run.ts'
import type { Row } from '../answers/rows.ts'
import type { FactTable, Load } from './loads.ts'

/** Rows of one table and month: they are stored together or not at all. */
export interface Parcel {
  readonly table: FactTable
  readonly month: string
  readonly rows: readonly Row[]
}

/** An engine that falls is started again within seconds; what was sent twice counts once, by its token. */
export function persist<T>(work: () => Promise<T>): Promise<T> {
  return pRetry(work, {
    retries: 5,
    minTimeout: 250,
    shouldRetry: ({ error }) => error instanceof Fault && error.retryable,
  })
}

/**
 * Sends the parcels of a batch. The engine notes a token a moment before the rows are in place, and may forget
 * it in a power cut: killed in between, it takes rows for stored that it has lost. So a parcel that had to be sent
 * twice is counted, and goes again under another token when it is not there.
 */
export function sender(warehouse: Warehouse, { attempt }: Load, batch: number) {
  return async (parcel: Parcel): Promise<void> => {
    const { table, month, rows } = parcel
    if (rows.length === 0) return
    for (let sending = 1; ; sending++) {
      const token = `${attempt}:${batch}:${table}:${month}:${sending}`
      let tries = 0
      await persist(() => {
        tries++
        return insert(warehouse, { table, rows, token })
      })
      if (tries === 1 || (await isStored(warehouse, parcel))) return
    }
  }
}

const distinct = (rows: readonly Row[], column: string) => [
  ...new Set(rows.map((row) => String(row[column]))),
]

/** @throws {Fault} 502 when more of them are there than were sent, or less but some */
async function isStored(warehouse: Warehouse, { table, rows }: Parcel): Promise<boolean> {
  const answer = table === 'answers' ? 'id' : 'answer_id'
  const analyses = table === 'mentions' ? 'AND analysis IN {analyses:Array(UInt32)}' : ''
  const [stored = 0] = await persist(() =>
    run(warehouse, {
      id: 'imports.stored',
      sql: `SELECT count() AS stored FROM ${table}
        WHERE project_id = {projectId:UUID} AND day IN {days:Array(Date)}
          AND ${answer} IN {answers:Array(UUID)} AND load_seq IN {loads:Array(UInt32)} ${analyses}`,
      params: {
        projectId: rows[0]?.project_id,
        days: distinct(rows, 'day'),
        answers: distinct(rows, answer),
        loads: distinct(rows, 'load_seq'),
        ...(table === 'mentions' ? { analyses: distinct(rows, 'analysis') } : {}),
      },
      row: (raw) => Number(raw.stored),
    }),
  )
  if (stored !== 0 && stored !== rows.length) {
    const message = `The warehouse has ${stored} rows of ${rows.length} that were sent. Try again.`
    throw new Fault('internal_error', message, { status: 502, retryable: true })
  }
  return stored !== 0
}
