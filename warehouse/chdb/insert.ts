import { EngineError } from '../http.ts'
import { type Insert, insertSettings, perform, RefusedRows, type Warehouse } from '../run.ts'

export interface InsertText extends Omit<Insert, 'rows'> {
  /** Rows of JSONEachRow, each ending in a line feed. */
  readonly lines: Buffer
  readonly timeoutMs: number
}

/**
 * What the engine says of rows that it cannot read: by parsing, type, range, null, enum, constraint.
 * @see https://github.com/ClickHouse/ClickHouse/blob/master/src/Common/ErrorCodes.cpp
 */
const faultsOfRows = new Set(
  '6 25 26 27 32 33 38 41 53 69 70 72 117 128 130 131 321 349 376 407 467 469'.split(' '),
)

/**
 * Inserts rows that are already text, as one block per month. The rows are on disk when the promise resolves.
 * @returns the number of rows that the engine read
 * @throws {RefusedRows} when a row is not valid; then no row is written
 * @throws {Fault} `internal_error` (502), `query_timeout` (504) or another error: the outcome is unknown. A retry
 *   with the same rows and token is safe.
 */
export async function insertText(
  warehouse: Warehouse,
  { table, lines, token, timeoutMs, signal }: InsertText,
): Promise<number> {
  let rows = 0
  const statement = {
    sql: `INSERT INTO ${table} FORMAT JSONEachRow`,
    rows: lines,
    settings: insertSettings(token),
  }
  try {
    await perform(warehouse, { id: `insert.${table}`, timeoutMs, signal }, statement, (reply) => {
      rows = reply.writtenRows
      return []
    })
  } catch (error) {
    const cause = error instanceof Error ? error.cause : undefined
    if (cause instanceof EngineError && faultsOfRows.has(cause.code)) {
      throw new RefusedRows(cause.message)
    }
    throw error
  }
  return rows
}
