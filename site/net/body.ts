import type { Exchange } from './chain.ts'
import { Failure } from './errors.ts'
import { type Coding, TooLarge, unpacked } from './unpack.ts'

const codings = new Map<string, Coding | null>([
  ['', null],
  ['gzip', 'gzip'],
  ['x-gzip', 'gzip'],
  ['br', 'br'],
])

/** `Content-Encoding` in lower case, null where the body is not compressed. */
export function contentEncoding(exchange: Exchange): string | null {
  const name = exchange.header('content-encoding').join(', ').trim().toLowerCase()
  return name === '' || name === 'identity' ? null : name
}

/**
 * The body after decompression.
 * @throws {Failure} `encoding`: the server used a compression that the request did not offer
 * @throws {TooLarge}
 */
export function bodyOf(exchange: Exchange, maxBytes: number): AsyncIterable<Uint8Array> {
  const name = contentEncoding(exchange) ?? ''
  const coding = codings.get(name)
  if (coding === undefined) throw new Failure('encoding', `the body has the encoding ${name}`)
  return unpacked(exchange.body, coding, maxBytes)
}

/** The body as text, cut at the limit. */
export async function textOf(
  exchange: Exchange,
  maxBytes: number,
): Promise<{ text: string; isTooLong: boolean }> {
  const parts: Uint8Array[] = []
  let isTooLong = false
  try {
    for await (const part of bodyOf(exchange, maxBytes)) parts.push(part)
  } catch (error) {
    if (!(error instanceof TooLarge)) throw error
    isTooLong = true
  }
  return { text: new TextDecoder().decode(Buffer.concat(parts)), isTooLong }
}
