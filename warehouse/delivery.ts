import { insertText } from './chdb/insert.ts'
import { removeRows, storedRows } from './delivery.sql.ts'
import { command, run, type Warehouse } from './run.ts'

/** Rows on their way into `crawler_hits`. */
export interface Delivery {
  /** Rows of JSONEachRow, each ending in a line feed. */
  readonly lines: Buffer
  /** Identifies these rows and never any others. */
  readonly token: string
  /** How many rows there were at the first attempt. Default: those of `lines`. */
  readonly rows?: number
  /** The rows may have been sent before, with an unknown outcome. */
  readonly isAgain: boolean
  readonly signal: AbortSignal
}

const lineFeed = 0x0a

/** Long: a retry after a short timeout would run beside the first insert. */
const insertTimeoutMs = 120_000
const repairTimeoutMs = 600_000

/**
 * Stores rows exactly once, after any outcome of an earlier attempt.
 *
 * The token makes a second insert a no-op, also while the first runs. But the engine records the token shortly before
 * the rows, and without a sync. If it is killed in between, it skips rows that it has lost. After a power cut, it may
 * have lost the token of stored rows. So a retry counts the stored rows.
 * @returns false when the rows must be sent again under another token
 * @throws {RefusedRows} when a row is not valid; then no row is stored
 * @throws any other error: the outcome is unknown
 */
export async function deliver(warehouse: Warehouse, delivery: Delivery): Promise<boolean> {
  const { lines, token, isAgain, signal } = delivery
  const { rows = countRows(lines) } = delivery
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
