import { insertText } from './chdb/insert.ts'
import { removeRows, storedRows } from './delivery.sql.ts'
import { command, run, type Warehouse } from './run.ts'

/** Rows on their way into `crawler_hits`. */
export interface Delivery {
  /** Rows of JSONEachRow, each ending in a line feed. */
  readonly lines: Buffer
  /** Names these rows, and no others, ever. */
  readonly token: string
  /** They may have been sent before, with an outcome that nobody knows. */
  readonly isAgain: boolean
  readonly signal: AbortSignal
}

const lineFeed = 0x0a

/** Generous, since whoever gives up an insert too early sends it a second time beside the first. */
const insertTimeoutMs = 120_000
const repairTimeoutMs = 600_000

/**
 * Sends rows so that they are stored once, whatever became of an earlier attempt.
 *
 * The token makes a second insert a no-op, also beside the first. But the engine notes it a moment before the rows are in
 * place, and without a sync: killed in between, it takes rows for stored that it has lost; after a power cut, it may
 * have forgotten those it has. So what was sent again is counted.
 * @returns false when the rows must be sent once more under another token
 * @throws {RefusedRows} when a row is at fault; then none is stored
 * @throws whatever else: the outcome is unknown
 */
export async function deliver(warehouse: Warehouse, delivery: Delivery): Promise<boolean> {
  const { lines, token, isAgain, signal } = delivery
  const rows = countRows(lines)
  if (isAgain && (await countStored(warehouse, delivery)) === rows) return true
  const timeoutMs = insertTimeoutMs
  const read = await insertText(warehouse, {
    table: 'crawler_hits',
    lines,
    token,
    timeoutMs,
    signal,
  })
  if (!isAgain) return true
  const stored = await countStored(warehouse, delivery)
  if (stored === rows || stored === read) return true
  await command(warehouse, {
    id: 'crawler_hits.remove',
    sql: removeRows,
    params: { token },
    timeoutMs: repairTimeoutMs,
    signal,
  })
  return false
}

async function countStored(warehouse: Warehouse, delivery: Delivery): Promise<number> {
  const { token, signal } = delivery
  const [rows] = await run(warehouse, {
    id: 'crawler_hits.stored',
    sql: storedRows,
    params: { token },
    timeoutMs: repairTimeoutMs,
    signal,
    row: (raw) => Number(raw.rows),
  })
  return rows ?? 0
}

/** Each row ends in a line feed. */
export function countRows(lines: Buffer): number {
  let rows = 0
  for (let at = lines.indexOf(lineFeed); at !== -1; at = lines.indexOf(lineFeed, at + 1)) rows += 1
  return rows
}
