import { createHash, randomBytes } from 'node:crypto'
import { ClickHouseError, type ClickHouseSettings } from '@clickhouse/client'
import { engineDown, Fault } from '../core/errors.ts'
import type { Warehouse } from './client.ts'
import { parseRows, type Raw } from './rows.ts'

export type { Warehouse } from './client.ts'
export type { Raw } from './rows.ts'

export interface Command {
  /** Names the query in logs and in the engine: `sources.domains`. */
  readonly id: string
  /** One statement; values only by `{name:Type}`. */
  readonly sql: string
  readonly params?: Readonly<Record<string, unknown>>
  /** The engine's time budget; 10 s by default. */
  readonly timeoutMs?: number
  readonly signal?: AbortSignal | undefined
}

export interface Query extends Command {
  /**
   * The rows can never change: the statement reads only facts of complete imports, at a snapshot that is
   * among its parameters. The rows may come from memory.
   */
  readonly frozen?: true
}

export interface MappedQuery<T> extends Query {
  /** Maps each result row, an object by column name. */
  readonly row: (raw: Raw) => T
}

export interface Insert {
  readonly table: string
  readonly rows: readonly Raw[]
  /**
   * Names these very rows: a second insert with the same token is a no-op, whatever its rows.
   * It holds for the last `non_replicated_deduplication_window` inserts into the table.
   */
  readonly token: string
  readonly signal?: AbortSignal | undefined
}

/** A row is at fault: sent again, it would be refused again. The message is the engine's. */
export class RefusedRows extends Error {}

const defaultTimeoutMs = 10_000

/** What a query may wait for its turn, over its budget. */
const graceMs = 1_000

/** Failures of the engine as a whole, by its own code: too busy, shutting down, cut off, no thread left. */
const engineDownCodes = new Set(['202', '236', '394', '439'])

/** Far above what one insert holds, so that each is one block, and its token covers it whole. */
const oneBlock = {
  max_insert_block_size: '100000000',
  min_insert_block_size_rows: '100000000',
  min_insert_block_size_bytes: '10000000000',
  input_format_parallel_parsing: 0,
} satisfies ClickHouseSettings

/**
 * Runs one query and returns its rows. `Row` names the columns of the statement and their types; nothing checks
 * it. 64-bit integers arrive as numbers; an integer beyond 2^53 is an error.
 * @throws {Fault} `query_timeout` (504) over the time budget, `internal_error` (502) when the engine is away
 * @throws {Error} that names the query id, for all else
 */
export function run<T>(warehouse: Warehouse, query: MappedQuery<T>): Promise<T[]>
export function run<Row extends object>(warehouse: Warehouse, query: Query): Promise<Row[]>
export async function run<T>(
  warehouse: Warehouse,
  query: Query & Partial<MappedQuery<T>>,
): Promise<(Raw | T)[]> {
  const rowsOf = (text: string) => {
    const rows = parseRows(text)
    return query.row ? rows.map(query.row) : rows
  }
  const key = query.frozen && frozenKey(query)
  const known = key && warehouse.frozen.get(key)
  if (known !== undefined) return rowsOf(known)
  return perform<Raw | T>(warehouse, query, async (call) => {
    const result = await warehouse.client.query({
      query: query.sql,
      format: 'JSONEachRow',
      query_params: { ...query.params },
      ...call,
      clickhouse_settings: {
        ...call.clickhouse_settings,
        output_format_json_quote_64bit_integers: 0,
        // An error in the middle of an answer would come with status 200.
        wait_end_of_query: 1,
      },
    })
    const text = await result.text()
    if (key !== undefined) warehouse.frozen.set(key, text)
    return rowsOf(text)
  })
}

/** A statement and its values. A hash, since a list of prompts may hold thousands of ids. */
function frozenKey({ sql, params = {} }: Command): string {
  return createHash('sha256')
    .update(sql)
    .update('\0')
    .update(JSON.stringify(params))
    .digest('base64')
}

/**
 * Runs one statement that gives no rows.
 * @throws as {@link run} does
 */
export async function command(warehouse: Warehouse, statement: Command): Promise<void> {
  await perform(warehouse, statement, async (call) => {
    await warehouse.client.command({
      query: statement.sql,
      query_params: { ...statement.params },
      ...call,
    })
    return []
  })
}

/**
 * Inserts rows, as one block per month. The rows are on disk when the promise resolves. It has no time budget:
 * send about ten thousand rows at once.
 * @throws {Fault} `internal_error` (502) when the warehouse does not answer: the outcome is unknown. A retry with the
 *   same rows and token is safe.
 */
export async function insert(
  warehouse: Warehouse,
  { table, rows, token, signal }: Insert,
): Promise<void> {
  if (rows.length === 0) return
  const statement = { id: `insert.${table}`, sql: '', timeoutMs: 600_000, signal }
  await perform(warehouse, statement, async ({ query_id, abort_signal }) => {
    await warehouse.client.insert({
      table,
      values: rows,
      format: 'JSONEachRow',
      query_id,
      abort_signal,
      clickhouse_settings: insertSettings(token),
    })
    return rows
  })
}

/** Makes an insert one block, under its token. */
export function insertSettings(token: string): ClickHouseSettings {
  return {
    ...oneBlock,
    // Where the server's default gathers the rows of several inserts, the token would not count.
    async_insert: 0,
    insert_deduplicate: 1,
    insert_deduplication_token: token,
    deduplicate_blocks_in_dependent_materialized_views: 1,
    date_time_input_format: 'best_effort',
    // A misspelt column is an error, and not left out.
    input_format_skip_unknown_fields: 0,
  }
}

/** How a statement is to be sent, by the client. */
export interface Call {
  readonly query_id: string
  readonly abort_signal: AbortSignal
  readonly clickhouse_settings: ClickHouseSettings
}

/** Sends a statement under its time budget, with a query id, and a line in the log. */
export async function perform<T>(
  warehouse: Warehouse,
  { id, timeoutMs = defaultTimeoutMs, signal }: Omit<Command, 'sql'>,
  send: (call: Call) => Promise<readonly T[]>,
): Promise<T[]> {
  const queryId = `${id}:${randomBytes(6).toString('base64url')}`
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(), timeoutMs + graceMs)
  const began = performance.now()
  try {
    const rows = await send({
      query_id: queryId,
      abort_signal: signal === undefined ? late.signal : AbortSignal.any([signal, late.signal]),
      clickhouse_settings: { max_execution_time: timeoutMs / 1000 },
    })
    const ms = Math.round((performance.now() - began) * 10) / 10
    warehouse.log.debug({ queryId, ms, rows: rows.length }, 'query')
    return rows as T[]
  } catch (error) {
    signal?.throwIfAborted()
    throw toError(error, queryId, late.signal.aborted)
  } finally {
    clearTimeout(timer)
  }
}

function toError(error: unknown, queryId: string, isLate: boolean): Error {
  if (error instanceof Fault || error instanceof RefusedRows) return error
  const code = error instanceof ClickHouseError ? error.code : undefined
  if (isLate || code === '159') {
    return new Fault('query_timeout', 'The query exceeded its time budget.', {
      extras: { timeout: true },
      cause: error,
    })
  }
  if (code === undefined ? isConnectionFailure(error) : engineDownCodes.has(code)) {
    return engineDown(error)
  }
  const text = error instanceof Error ? error.message : String(error)
  return new Error(`Query ${queryId} failed: ${text}`, { cause: error })
}

/** A socket or name error, or an answer that is not ClickHouse's: a proxy's page. */
function isConnectionFailure(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = 'code' in error ? String(error.code) : ''
  if (/^E(?!RR_)[A-Z_]+$|^ERR_STREAM_PREMATURE_CLOSE$/.test(code)) return true
  return /^Timeout error\.|^\s*(<|$)|upstream|gateway|unavailable/i.test(error.message)
}
