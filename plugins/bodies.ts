import type { IncomingMessage } from 'node:http'
import { type DocumentNode, type GraphQLSchema, getOperationAST, Kind, parse } from 'graphql'
import type { GraphQLParams, Plugin } from 'graphql-yoga'
import { mayWrite } from '../core/access.ts'
import { Fault, invalid, invalidBody } from '../core/errors.ts'
import { fileBodyBytes, usualBodyBytes } from '../core/json.ts'
import { JsonScan, memberText } from '../core/json-scan.ts'
import { authenticate } from './authentication.ts'
import { listedText, type PersistedDocuments } from './persisted-documents.ts'
import type { RateLimitParts } from './rate-limit.ts'
import type { WithRequestState } from './request-state.ts'

const mostDocumentBytes = 20 * 1024

export interface BodyLimits extends RateLimitParts, PersistedDocuments {
  readonly schema: GraphQLSchema
  /** Tokens of a document. */
  readonly tokens: number
}

interface Incoming extends WithRequestState {
  readonly req: IncomingMessage
}

function tooLarge(limit: number, hint = ''): Fault {
  return new Fault('payload_too_large', `The body is larger than ${limit} bytes.${hint}`)
}

const forFiles = ' Only a mutation that imports a file takes more, with a key that may write.'

function parsed(text: string, tokens: number): DocumentNode | undefined {
  try {
    return parse(text, { maxTokens: tokens, noLocation: true })
  } catch {
    return undefined
  }
}

/** The largest body of an operation: that of its root fields, where all of them take files. */
function largestBody(
  { schema, tokens }: BodyLimits,
  text: string,
  operationName?: string | null,
): number {
  const document = text.length > mostDocumentBytes ? undefined : parsed(text, tokens)
  const operation = document && getOperationAST(document, operationName)
  if (operation?.operation !== 'mutation') return usualBodyBytes
  const fields = schema.getMutationType()?.getFields() ?? {}
  const sizes = operation.selectionSet.selections.map((each) =>
    each.kind === Kind.FIELD
      ? Number(fields[each.name.value]?.extensions.largestBodyBytes ?? 0)
      : 0,
  )
  return Math.max(usualBodyBytes, Math.min(...sizes))
}

/** Refuses a document before it is parsed: its tokens are counted only while it is parsed. */
function refuseLongDocument(document: unknown): void {
  if (typeof document !== 'string' || Buffer.byteLength(document) <= mostDocumentBytes) return
  throw invalid(
    'query',
    `must be at most ${mostDocumentBytes} bytes; send long values in \`variables\``,
  )
}

/** Refuses a large body by its beginning. A body with several operations is judged at its end. */
function refuseEarly(limits: BodyLimits, bytes: Buffer): void {
  const document = memberText(bytes.toString(), 'query')
  if (document === undefined) return
  refuseLongDocument(document)
  const operations = parsed(document, limits.tokens)?.definitions.length
  if (operations === 1 && largestBody(limits, document) === usualBodyBytes) {
    throw tooLarge(usualBodyBytes, forFiles)
  }
}

/**
 * Reads a body, no further than its limit. What follows is thrown away, so that the connection can be used again.
 * @param limit the most bytes; above the usual size, `early` sees what has arrived
 */
export async function readBytes(
  request: IncomingMessage,
  limit: number,
  { scan, early }: { scan?: JsonScan; early?: (soFar: Buffer) => void } = {},
) {
  const chunks: Buffer[] = []
  let size = 0
  try {
    if (Number(request.headers['content-length']) > limit) throw tooLarge(limit, forFiles)
    for await (const chunk of request.iterator({ destroyOnReturn: false })) {
      const before = size
      size += chunk.length
      if (size > limit) throw tooLarge(limit, forFiles)
      scan?.take(chunk)
      chunks.push(chunk)
      if (before <= usualBodyBytes && size > usualBodyBytes) early?.(Buffer.concat(chunks))
    }
  } catch (error) {
    request.resume()
    if (error instanceof Fault) throw error
    throw invalidBody('ended early')
  }
  return Buffer.concat(chunks)
}

function jsonOf(bytes: Buffer): GraphQLParams {
  let json: unknown
  try {
    json = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    throw invalidBody('is not JSON')
  }
  if (typeof json !== 'object' || json === null || Array.isArray(json)) {
    throw invalidBody('must be a JSON object')
  }
  return json
}

/** Whether a `Content-Type` is that of a request of GraphQL in JSON. */
export const isJsonType = (type: string | null | undefined): boolean =>
  /^application\/(?:graphql\+)?json *(?:;|$)/i.test(type ?? '')

/** Bounds bodies and documents before they are parsed. Register it after the check of the key, in place of Yoga's limit. */
export function useBodyLimits(limits: BodyLimits): Plugin<object, Incoming> {
  async function readJson(
    { req, requestState }: Incoming,
    request: Request,
  ): Promise<GraphQLParams> {
    const principal = await authenticate(limits, requestState)
    const limit = mayWrite(principal) ? fileBodyBytes : usualBodyBytes
    const early = (soFar: Buffer) => refuseEarly(limits, soFar)
    const scan = new JsonScan()
    const read = await requestState.body
    if (read) scan.take(read)
    const bytes = read ?? (await readBytes(req, limit, { scan, early }))
    const params = jsonOf(bytes)
    if (bytes.length <= usualBodyBytes) return params
    const document = params.query ?? listedText(limits.documents, params, request) ?? ''
    const largest = largestBody(limits, document, params.operationName)
    if (bytes.length > largest) throw tooLarge(largest, forFiles)
    return params
  }
  return {
    onRequestParse({ request, requestParser, setRequestParser, serverContext, fetchAPI }) {
      if (!requestParser || request.method !== 'POST') return
      if (isJsonType(request.headers.get('content-type')))
        return setRequestParser(() => readJson(serverContext, request))
      setRequestParser(async () => {
        const body = await readBytes(serverContext.req, usualBodyBytes)
        const { url, method, headers } = request
        return requestParser(new fetchAPI.Request(url, { method, headers, body }))
      })
    },
    onParams({ params }) {
      refuseLongDocument(params.query)
    },
  }
}
