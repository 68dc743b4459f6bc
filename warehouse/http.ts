import { randomUUID } from 'node:crypto'
import {
  type ClientRequest,
  Agent as HttpAgent,
  request as httpRequest,
  type IncomingMessage,
} from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { toForm } from './params.ts'

/** Settings of the engine for one statement, by name. */
export type Settings = Readonly<Record<string, string | number>>

/** What goes to the engine: a statement with its parameters, or an insert with its rows. */
export interface Body {
  /** One statement; values only by `{name:Type}`. */
  readonly sql: string
  readonly params?: Readonly<Record<string, unknown>> | undefined
  /** Rows of an insert without parameters, in the FORMAT that ends its text. */
  readonly rows?: string | Buffer | readonly Buffer[]
  readonly settings?: Settings
}

export interface Request extends Body {
  /** Names the statement in the engine. */
  readonly queryId: string
  /** The request fails with `Late` when the whole answer is not there by then. */
  readonly timeoutMs: number
  readonly signal?: AbortSignal | undefined
}

export interface Reply {
  /** The result as JSONEachRow, unless the statement has another FORMAT. */
  readonly text: string
  /** The same as the engine wrote it: a text of the warehouse need not be valid UTF-8. */
  readonly bytes: Buffer
  /** Rows that an insert wrote, as the engine counts them. */
  readonly writtenRows: number
}

/** The engine ran the statement and refused it. The message is the engine's, with code and name. */
export class EngineError extends Error {
  readonly code: string
  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}

/** The answer was not there in time. */
export class Late extends Error {}

export interface Connection {
  /**
   * Sends a statement and reads its whole answer.
   * @throws {EngineError} what the engine says against the statement
   * @throws {Late} after `timeoutMs`
   * @throws the signal's reason, the error of the socket, or an error with the text of an answer that is not the
   *   engine's
   */
  send(request: Request): Promise<Reply>
  close(): void
}

/** An id of a query, with 48 random bits after its name. */
export function newQueryId(name: string): string {
  return `${name}:${Buffer.from(randomUUID().slice(-12), 'hex').toString('base64url')}`
}

/** The header `Authorization` of a user and a password. */
export const basicAuthorization = (user: string, password: string) =>
  `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`

/** Sockets to the engine at once; further statements wait for one. */
const maxSockets = 32

/** Below the shortest time that servers keep an idle socket (3 s), so that none is stale when used. */
const idleSocketMs = 2_000

/**
 * Speaks ClickHouse's HTTP interface. Sockets open with the first statement.
 * @param address `http(s)://user:password@host:port/database`
 * @see https://clickhouse.com/docs/interfaces/http
 */
export function connect(address: string): Connection {
  const url = new URL(address)
  const isTls = url.protocol === 'https:'
  const Agent = isTls ? HttpsAgent : HttpAgent
  const agent = new Agent({ keepAlive: true, maxSockets, timeout: idleSocketMs })
  const send = isTls ? httpsRequest : httpRequest
  const database = decodeURIComponent(url.pathname.slice(1))
  const common = {
    agent,
    method: 'POST',
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port,
  }
  const user = decodeURIComponent(url.username) || 'default'
  const password = decodeURIComponent(url.password)
  const authorization = basicAuthorization(user, password)
  const fixed: [string, string][] = [
    ['default_format', 'JSONEachRow'],
    // An error in the middle of an answer would come with status 200.
    ['wait_end_of_query', '1'],
    ...(database === '' || database === 'default'
      ? []
      : [['database', database] as [string, string]]),
  ]
  return {
    send: (request) => {
      const { path, body, type } = encode(fixed, request)
      const headers = { authorization, 'user-agent': 'sightline', 'content-type': type }
      return exchange(send({ ...common, path, headers }), body, request)
    },
    close: () => agent.destroy(),
  }
}

function encode(fixed: readonly [string, string][], request: Request) {
  const { queryId, sql, rows, settings = {} } = request
  const query = new URLSearchParams([['query_id', queryId], ...fixed])
  for (const [name, value] of Object.entries(settings)) query.append(name, String(value))
  const params = Object.entries(request.params ?? {})
  if (rows !== undefined) query.append('query', sql)
  const form = params.length > 0 ? toForm(sql, params) : undefined
  return {
    path: `/?${query}`,
    body: rows ?? form?.body ?? sql,
    type: form?.type ?? 'text/plain; charset=UTF-8',
  }
}

/** Sends the body and reads the whole answer. */
function exchange(
  sending: ClientRequest,
  body: string | Buffer | readonly Buffer[],
  { timeoutMs, signal }: Request,
): Promise<Reply> {
  const { promise, resolve, reject } = Promise.withResolvers<Reply>()
  const settle = () => {
    clearTimeout(late)
    signal?.removeEventListener('abort', leave)
  }
  const fail = (error: unknown) => {
    settle()
    reject(error)
  }
  const stop = (reason: unknown) => {
    fail(reason)
    sending.destroy()
  }
  const late = setTimeout(() => stop(new Late(`No answer within ${timeoutMs} ms`)), timeoutMs)
  const leave = () => stop(signal?.reason)
  sending.on('error', fail)
  sending.on('response', (response) => {
    const body = bodyBuffer(Number(response.headers['content-length'] ?? 0))
    response.on('error', fail)
    response.on('data', body.add)
    response.on('end', () => {
      settle()
      const reply = read(response, body.bytes())
      if (reply instanceof Error) reject(reply)
      else resolve(reply)
    })
  })
  signal?.addEventListener('abort', leave, { once: true })
  if (signal?.aborted) leave()
  else end(sending, body)
  return promise
}

/** Sends a body of known length. Its parts are not copied into one. */
function end(sending: ClientRequest, body: string | Buffer | readonly Buffer[]): void {
  if (typeof body === 'string' || Buffer.isBuffer(body)) return void sending.end(body)
  const length = body.reduce((sum, part) => sum + part.length, 0)
  sending.setHeader('content-length', length)
  for (const part of body) sending.write(part)
  sending.end()
}

/** Gathers a body. A body of known length is in memory once. */
function bodyBuffer(length: number) {
  const known = Buffer.allocUnsafe(length)
  const chunks: Buffer[] = []
  let filled = 0
  return {
    add(chunk: Buffer) {
      if (length === 0) chunks.push(chunk)
      else filled += chunk.copy(known, filled)
    },
    bytes: () => (length === 0 ? Buffer.concat(chunks) : known.subarray(0, filled)),
  }
}

function read({ headers, statusCode }: IncomingMessage, bytes: Buffer): Reply | Error {
  const code = headers['x-clickhouse-exception-code']
  if (code !== undefined) return new EngineError(String(code), String(bytes).trim())
  if (statusCode !== 200) return new Error(String(bytes))
  // `{"read_rows":"0","written_rows":"3",…}`
  const summary = String(headers['x-clickhouse-summary'] ?? '')
  return {
    // Made when it is read: the bytes of a backup are never a text.
    get text() {
      return String(bytes)
    },
    bytes,
    writtenRows: Number(/"written_rows":"(\d+)"/.exec(summary)?.[1] ?? 0),
  }
}
