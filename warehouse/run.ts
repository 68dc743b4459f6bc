import { createHash } from 'node:crypto'
import { engineDown, Fault } from '../core/errors.ts'
import { memoryBusy, tooLarge } from '../core/load/under-load.ts'
import { inStatement } from '../observability/spans.ts'
import type { Warehouse } from './client.ts'
import { type Body, EngineError, Late, newQueryId, type Reply, type Settings } from './http.ts'
import { type EncodedRows, insertStatement } from './insert-statement.ts'
import { parseLargeRows, parseRows, partBytes, type Raw } from './rows.ts'

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
   * among its parameters. The rows may come from memory, or from the same reading that another caller has begun.
   */
  readonly frozen?: true | undefined
  /**
   * The rows change only with a version of the data of their projects. They are not kept, but what is made of them may be.
   */
  readonly settled?: boolean
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

/** The limit of memory, of one statement or of all together, and the limit of a result. */
const tooLargeCodes = new Set(['241', '396'])

/** Integers of 64 bits as numbers. */
const exact = { output_format_json_quote_64bit_integers: 0 } satisfies Settings

/** Far above what one insert holds, so that each is one block, and its token covers it whole. */
const oneBlock = {
  max_insert_block_size: '100000000',
  min_insert_block_size_rows: '100000000',
  min_insert_block_size_bytes: '10000000000',
  input_format_parallel_parsing: 0,
} satisfies Settings

/**
 * Runs one query and returns its rows. `Row` names the columns of the statement and their types; nothing checks
 * it. 64-bit integers arrive as numbers; an integer beyond 2^53 is an error.
 * @throws {Fault} `query_timeout` (504) over the time budget, and `query_too_large` (400) over the limits of the engine
 * @throws {Fault} `rate_limited` (429) when other statements hold the memory, `internal_error` (502) when the engine is
 *   away
 * @throws {Error} that names the query id, for all else
 */
export function run<T>(warehouse: Warehouse, query: MappedQuery<T>): Promise<T[]>
export function run<Row extends object>(warehouse: Warehouse, query: Query): Promise<Row[]>
export async function run<T>(
  warehouse: Warehouse,
  query: Query & Partial<MappedQuery<T>>,
): Promise<(Raw | T)[]> {
  const rowsOf = (found: string | Buffer) => {
    warehouse.onRows?.(found.length)
    const rows = typeof found === 'string' ? parseRows(found) : parseLargeRows(found)
    return query.row ? rows.map(query.row) : rows
  }
  if (!query.frozen && !query.settled) warehouse.onChangeable?.()
  const key = query.frozen && frozenKey(query)
  const known = key && warehouse.frozen.get(key)
  if (key !== undefined) warehouse.observer?.frozen(known !== undefined)
  if (known !== undefined) return rowsOf(known)
  // A reading that failed, or that gave more than is kept, serves its own caller alone.
  const begun = key === undefined || query.signal ? undefined : warehouse.underway.get(key)
  // Nothing is awaited where none has begun: callers that come together would all miss it.
  const shared = begun && (await begun)
  if (shared !== undefined) return rowsOf(shared)
  let text: string | undefined
  const reading = perform<Raw | T>(warehouse, query, bodyOf(query, exact), ({ bytes }) => {
    if (bytes.length > 2 * partBytes) return rowsOf(bytes)
    text = String(bytes)
    if (key !== undefined) warehouse.frozen.set(key, text)
    return rowsOf(text)
  })
  if (key !== undefined) share(warehouse, key, reading, () => text)
  return reading
}

/** Lets those who ask for the same rows meanwhile wait for the reading. */
function share(
  { underway }: Warehouse,
  key: string,
  reading: Promise<unknown>,
  text: () => string | undefined,
): void {
  const shared = reading.then(text, () => undefined)
  underway.set(key, shared)
  shared.then(() => {
    if (underway.get(key) === shared) underway.delete(key)
  })
}

function bodyOf({ sql, params, timeoutMs = defaultTimeoutMs }: Command, settings?: Settings): Body {
  return { sql, params, settings: { max_execution_time: timeoutMs / 1000, ...settings } }
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
  await perform(warehouse, statement, bodyOf(statement), () => [])
}

/**
 * Inserts rows, as one block per month. The rows are on disk when the promise resolves. It has no time budget:
 * send about ten thousand rows at once.
 * @throws {Fault} `internal_error` (502) when the warehouse does not answer: the outcome is unknown. A retry with the
 *   same rows and token is safe.
 */
export async function insert(warehouse: Warehouse, { rows, ...rest }: Insert): Promise<void> {
  if (rows.length > 0) await send(warehouse, rest, insertStatement(rest.table, rows))
}

/** As {@link insert}, of rows that are bytes already. */
export async function insertEncoded(
  warehouse: Warehouse,
  { rows, ...rest }: Omit<Insert, 'rows'> & { readonly rows: EncodedRows },
): Promise<void> {
  if (rows.count > 0) await send(warehouse, rest, rows.insertInto(rest.table))
}

async function send(
  warehouse: Warehouse,
  { table, token, signal }: Omit<Insert, 'rows'>,
  statement: Body,
): Promise<void> {
  const settings = insertSettings(token)
  const command = { id: `insert.${table}`, timeoutMs: 600_000, signal }
  await perform(warehouse, command, { ...statement, settings }, () => [])
}

/** Makes an insert one block, under its token. */
export function insertSettings(token: string): Settings {
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

/** Sends a statement under its time budget, with a query id, and a line in the log. */
export async function perform<T>(
  warehouse: Warehouse,
  { id, timeoutMs = defaultTimeoutMs, signal }: Omit<Command, 'sql' | 'params'>,
  body: Body,
  read: (reply: Reply) => readonly T[],
): Promise<T[]> {
  const queryId = newQueryId(id)
  const began = performance.now()
  try {
    const request = { ...body, queryId, signal, timeoutMs: timeoutMs + graceMs }
    const reply = await inStatement('clickhouse', id, { 'sightline.query_id': queryId }, () =>
      warehouse.send(request),
    )
    const rows = read(reply)
    const ms = performance.now() - began
    warehouse.observer?.ended(id, ms)
    warehouse.log.debug({ queryId, ms: Math.round(ms * 10) / 10, rows: rows.length }, 'query')
    return rows as T[]
  } catch (error) {
    const failure = signal?.aborted ? 'gone' : reasonOf(error)
    const ms = performance.now() - began
    warehouse.observer?.ended(id, ms, failure)
    warehouse.log[failure === 'gone' ? 'debug' : 'warn'](
      { queryId, ms: Math.round(ms * 10) / 10, failure },
      'query failed',
    )
    signal?.throwIfAborted()
    throw toError(error, queryId, failure)
  }
}

/** Why a statement has no answer. */
function reasonOf(error: unknown): 'timeout' | 'away' | 'memory' | 'large' | 'refused' {
  const code = error instanceof EngineError ? error.code : undefined
  if (error instanceof Late || code === '159') return 'timeout'
  if (code !== undefined && tooLargeCodes.has(code)) {
    // The limit of all statements together: alone the statement may have the memory.
    return (error as Error).message.includes('(total)') ? 'memory' : 'large'
  }
  const isAway = code === undefined ? isConnectionFailure(error) : engineDownCodes.has(code)
  return isAway ? 'away' : 'refused'
}

function toError(error: unknown, queryId: string, failure: string): Error {
  if (error instanceof Fault || error instanceof RefusedRows) return error
  if (failure === 'timeout') {
    return new Fault('query_timeout', 'The query exceeded its time budget.', {
      extras: { timeout: true },
      cause: error,
    })
  }
  if (failure === 'away') return engineDown(error)
  if (failure === 'memory') return memoryBusy(error)
  if (failure === 'large') {
    return tooLarge('The query needs more memory, or has a larger result, than a query may.', error)
  }
  const text = error instanceof Error ? error.message : String(error)
  return new Error(`Query ${queryId} failed: ${text}`, { cause: error })
}

/** An error of the socket, of a name or of HTTP, or an answer that is not ClickHouse's: a proxy's page. */
function isConnectionFailure(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = 'code' in error ? String(error.code) : ''
  if (/^E(?!RR_)[A-Z_]+$|^HPE_/.test(code)) return true
  return /^\s*(<|$)|upstream|gateway|unavailable/i.test(error.message)
}
