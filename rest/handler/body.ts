import type { IncomingMessage } from 'node:http'
import { MIMEType } from 'node:util'
import { Fault, invalidBody } from '../../core/errors.ts'
import { refuseDepth } from '../../core/json.ts'

/** Ten prompts of 2,000 characters, each written as two escapes, are a quarter of it. */
const defaultMaxBytes = 1024 * 1024

function tooLarge(maxBytes: number): Fault {
  return new Fault('payload_too_large', `The body is larger than ${maxBytes} bytes.`)
}

function isJson(header: string | undefined): boolean {
  try {
    const { type, subtype, params } = new MIMEType(header ?? '')
    const charset = params.get('charset') ?? 'utf-8'
    const isNamed = type === 'application' && (subtype === 'json' || subtype.endsWith('+json'))
    return isNamed && charset.toLowerCase() === 'utf-8'
  } catch {
    return false
  }
}

function checkHeaders({ headers }: IncomingMessage, maxBytes: number): void {
  if (!isJson(headers['content-type'])) {
    throw new Fault('unsupported_media_type', 'The body must be `application/json` in UTF-8.')
  }
  if ((headers['content-encoding'] ?? 'identity') !== 'identity') {
    throw new Fault('unsupported_media_type', 'The body must not be compressed.')
  }
  if (Number(headers['content-length']) > maxBytes) throw tooLarge(maxBytes)
}

/** Reads no further than the limit; what follows is thrown away, so that the connection can be used again. */
async function readBytes(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of request.iterator({ destroyOnReturn: false })) {
      size += chunk.length
      if (size > maxBytes) throw tooLarge(maxBytes)
      chunks.push(chunk)
    }
  } catch (error) {
    request.resume()
    if (error instanceof Fault) throw error
    throw invalidBody('ended early')
  }
  return Buffer.concat(chunks)
}

function parse(bytes: Buffer): unknown {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let text: string
  try {
    text = decoder.decode(bytes)
  } catch {
    throw invalidBody('is not UTF-8')
  }
  try {
    return JSON.parse(text)
  } catch {
    throw invalidBody('is not JSON')
  }
}

/**
 * The JSON object in the body of a request; an empty one where there is no body.
 * @throws {Fault} `unsupported_media_type`, `payload_too_large`, `invalid_argument`
 */
export async function readBody(
  request: IncomingMessage,
  maxBytes = defaultMaxBytes,
): Promise<Record<string, unknown>> {
  const { 'content-length': length = '0', 'transfer-encoding': encoding } = request.headers
  if (length === '0' && encoding === undefined) return {}
  checkHeaders(request, maxBytes)
  const bytes = await readBytes(request, maxBytes)
  if (bytes.length === 0) return {}
  const body = parse(bytes)
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw invalidBody('must be a JSON object')
  }
  refuseDepth(body)
  return body as Record<string, unknown>
}
