import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { type Duplex, pipeline, type Readable } from 'node:stream'
import {
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createZstdDecompress,
} from 'node:zlib'
import { exception } from './exception.ts'

/** The largest request body, after decompression, in bytes. */
const maxBodyBytes = 256 * 2 ** 20

/** A request as the HTTP interface of ClickHouse defines it. */
export interface QueryRequest {
  readonly method: string
  readonly url: URLSearchParams
  readonly queryId: string
  /** The statement: of the URL, of the multipart body, or the body itself. */
  readonly sql: string
  /** Parameter values in escaped text form, by name without `param_`. */
  readonly params: ReadonlyMap<string, string>
  /** The body beside a statement in the URL. */
  readonly data: Buffer
}

const decoders: Record<string, () => Duplex> = {
  gzip: createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
  zstd: createZstdDecompress,
}

function decoded(request: IncomingMessage): Readable {
  const encoding = request.headers['content-encoding'] ?? 'identity'
  if (encoding === 'identity') return request
  const decoder = Object.hasOwn(decoders, encoding) ? decoders[encoding]?.() : undefined
  if (decoder === undefined) throw exception(48, 'The content encoding is not supported', 415)
  // An error reaches whoever reads the decoder.
  return pipeline(request, decoder, () => undefined)
}

function readBody(request: IncomingMessage): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
  const body = decoded(request)
  const chunks: Buffer[] = []
  let sizeBytes = 0
  const refuse = () =>
    reject(exception(307, `The request body is larger than ${maxBodyBytes} bytes`))
  body.on('data', (chunk: Buffer) => {
    sizeBytes += chunk.length
    // Read on for a while without keeping it: a client that is still sending would miss the answer.
    if (sizeBytes > maxBodyBytes) chunks.length = 0
    else chunks.push(chunk)
    if (sizeBytes > 4 * maxBodyBytes) {
      refuse()
      body.destroy()
    }
  })
  body.on('error', reject)
  body.on('end', () => {
    if (sizeBytes > maxBodyBytes) return refuse()
    const [first] = chunks
    resolve(chunks.length === 1 && first !== undefined ? first : Buffer.concat(chunks))
  })
  return promise
}

/**
 * The fields of a multipart form, as `@clickhouse/client` writes it. The platform's own parser drops a
 * byte-order mark at the start of a value, which would change a parameter.
 */
function readForm(body: Buffer, boundary: string): Map<string, string> {
  const fields = new Map<string, string>()
  const parts = `\r\n${body}`.split(`\r\n--${boundary}`)
  for (const part of parts.slice(1)) {
    if (part.startsWith('--')) return fields
    const head = part.indexOf('\r\n\r\n')
    const name = /;\s*name="([\w.-]+)"/i.exec(part.slice(0, Math.max(head, 0)))?.[1]
    if (name === undefined) break
    fields.set(name, part.slice(head + 4))
  }
  throw exception(36, 'The multipart body is malformed')
}

function paramsOf(entries: Iterable<[string, string]>): [string, string][] {
  return [...entries]
    .filter(([name]) => name.startsWith('param_'))
    .map(([name, value]) => [name.slice('param_'.length), value])
}

/** The query id that the client chose, or a new one. */
export function queryIdOf(url: URLSearchParams): string {
  return url.get('query_id') || randomUUID()
}

/**
 * Reads a query from its request.
 * @throws {Exception} 307 (413) for a body over the bound, 36 for a malformed form
 */
export async function readRequest(
  request: IncomingMessage,
  url: URLSearchParams,
  queryId: string,
): Promise<QueryRequest> {
  const body = await readBody(request)
  const given = { method: request.method ?? 'GET', url, queryId }
  const inUrl = url.get('query') ?? ''
  const type = request.headers['content-type'] ?? ''
  const boundary = /^multipart\/form-data;.*\bboundary="?([^";]+)"?/i.exec(type)?.[1]
  if (boundary !== undefined) {
    const form = readForm(body, boundary)
    const params = new Map([...paramsOf(url), ...paramsOf(form)])
    return { ...given, sql: inUrl + (form.get('query') ?? ''), params, data: Buffer.alloc(0) }
  }
  const params = new Map(paramsOf(url))
  return inUrl === ''
    ? { ...given, sql: body.toString(), params, data: Buffer.alloc(0) }
    : { ...given, sql: inUrl, params, data: body }
}
