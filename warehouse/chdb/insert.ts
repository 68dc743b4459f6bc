import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { ClickHouseError } from '@clickhouse/client'
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
  const statement = { id: `insert.${table}`, timeoutMs, signal }
  await perform(warehouse, statement, async ({ query_id, abort_signal }) => {
    const { stream, http_status_code, response_headers, summary } = await warehouse.client.exec({
      query: `INSERT INTO ${table} FORMAT JSONEachRow`,
      values: Readable.from([lines], { objectMode: false }),
      query_id,
      abort_signal,
      clickhouse_settings: insertSettings(token),
      // The client would look for the code in the text, which may hold what a stranger wrote.
      ignore_error_response: true,
    })
    const message = await text(stream)
    const code = String(response_headers['x-clickhouse-exception-code'] ?? '')
    if (faultsOfRows.has(code)) throw new RefusedRows(message.trim())
    if (code !== '') throw new ClickHouseError({ message, code })
    if (http_status_code !== 200) throw new Error(message)
    rows = Number(summary?.written_rows)
    return []
  })
  return rows
}
