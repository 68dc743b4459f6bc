import { Fault } from '../../core/errors.ts'
import { command, run, type Warehouse } from '../../warehouse/run.ts'
import { factTables, type Load } from './loads.ts'
import { piecesOf } from './pieces.ts'

/** The tables in the order of their copies: `answers` is last. */
const tables = ['judgements', ...factTables] as const

const timeoutMs = 600_000
const monthsMs = 60_000

/** Rows of a table, and the new numbers of their loads. */
export interface RenumberedRows {
  /** A condition, without values. */
  readonly where: string
  /** Leaves rows out: more of the condition, from `AND` on. */
  readonly rest?: string
  /** Further columns that change: more of the list of `REPLACE`, from a comma on. */
  readonly replace?: string
  readonly params: Readonly<Record<string, unknown>>
  readonly numbers: ReadonlyMap<number, number>
  readonly stop: AbortSignal
}

/** Copies rows of a table under the new numbers of their loads, month by month. */
export async function copyRenumbered(
  warehouse: Warehouse,
  table: string,
  { where, rest = '', replace = '', params, numbers, stop }: RenumberedRows,
): Promise<void> {
  const months = await run(warehouse, {
    id: 'loads.months',
    sql: `SELECT DISTINCT toYYYYMM(day) AS month FROM ${table} WHERE ${where} ORDER BY month`,
    params,
    timeoutMs: monthsMs,
    row: ({ month }) => Number(month),
  })
  const renumbered = { from: [...numbers.keys()], to: [...numbers.values()] }
  for (const month of months) {
    stop.throwIfAborted()
    await command(warehouse, {
      id: 'loads.copy',
      sql: `INSERT INTO ${table} SELECT * REPLACE (
            transform(load_seq, {from:Array(UInt32)}, {to:Array(UInt32)}, load_seq) AS load_seq${replace})
        FROM (SELECT * FROM ${table} WHERE ${where} AND toYYYYMM(day) = {month:UInt32} ${rest})`,
      params: { ...params, ...renumbered, month },
      timeoutMs,
    })
  }
}

export interface LoadCopies {
  /** The new number of each load. */
  readonly numbers: ReadonlyMap<number, number>
  /** Answers that are left out: their new rows are there, or they are gone. */
  readonly without: ReadonlySet<string>
  /** How many of them are gone. */
  readonly gone: number
  readonly stop: AbortSignal
}

/**
 * Copies the rows of visible loads under new numbers, month by month.
 * @throws {Fault} 502 when the new loads then lack answers
 */
export async function copyLoads(
  warehouse: Warehouse,
  { projectId, analysis }: Load,
  { numbers, without, gone, stop }: LoadCopies,
): Promise<void> {
  if (numbers.size === 0) return
  const [from, to] = [[...numbers.keys()], [...numbers.values()]]
  const ids = [...without]
  const params: Record<string, unknown> = { projectId, analysis, from }
  const left: string[] = []
  for (const [at, piece] of piecesOf(ids).entries()) {
    params[`ids${at}`] = piece
    left.push(`{ids${at}:Array(UUID)}`)
  }
  for (const table of tables) {
    const id = table === 'answers' ? 'id' : 'answer_id'
    // The mentions of other analyses count for nobody.
    const counted = table === 'mentions' ? 'AND analysis = {analysis:UInt32}' : ''
    const rest = left.map((list) => `AND ${table}.${id} NOT IN ${list}`).join(' ')
    const where = `project_id = {projectId:UUID} AND load_seq IN {from:Array(UInt32)} ${counted}`
    await copyRenumbered(warehouse, table, { where, rest, params, numbers, stop })
  }
  const [before, after] = [
    await countAnswers(warehouse, projectId, from),
    await countAnswers(warehouse, projectId, to),
  ]
  if (after === before - gone) return
  const message = `The warehouse has ${after} of ${before - gone} answers. Run the replay again.`
  throw new Fault('internal_error', message, { status: 502, retryable: true })
}

/** The answers of some loads, whether readers see them or not. */
export async function countAnswers(
  warehouse: Warehouse,
  projectId: string,
  loads: readonly number[],
): Promise<number> {
  const [answers = 0] = await run(warehouse, {
    id: 'loads.answers',
    sql: `SELECT count() AS answers FROM answers
      WHERE project_id = {projectId:UUID} AND load_seq IN {loads:Array(UInt32)}`,
    params: { projectId, loads },
    timeoutMs,
    row: ({ answers: found }) => Number(found),
  })
  return answers
}
