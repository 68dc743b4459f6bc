import type { IncomingMessage, ServerResponse } from 'node:http'
import etag from 'etag'
import fresh from 'fresh'
import type { Fault } from '../../core/errors.ts'
import { problemBody } from '../../core/problem.ts'

/** A body to send, with the headers that belong to it alone. */
export interface Reply {
  readonly status: number
  readonly contentType: string
  readonly body: string | Buffer
  readonly headers?: Record<string, string>
  /** A header of the request, beside the key, that the body depends on. */
  readonly vary?: string
  /** The `ETag` of a body that is kept. */
  readonly validator?: string
}

/** A request as the server passes it: its id, the headers of its response, and the name of a write. */
export interface RestState {
  readonly requestId: string
  /** Every value of the `If-Match` header. */
  readonly ifMatch: readonly string[]
  /** Waits for the memory that large rows need. */
  readonly hold?: (bytes: number) => Promise<void>
  readonly headers: Record<string, string>
  fingerprintOf?: readonly unknown[]
  /** The name of the operation in metrics. */
  operation?: string
}

function problemReply(
  fault: Fault,
  { requestId, baseUrl }: { requestId: string; baseUrl: string },
): Reply {
  return {
    status: fault.status,
    contentType: 'application/problem+json',
    body: JSON.stringify(problemBody(fault, { requestId, baseUrl })),
    headers: fault.headers,
  }
}

/** The `ETag` of a reply: its own, or a weak one of its bytes. */
export function validatorOf({ headers, validator }: Reply, body: Buffer): string {
  return headers?.ETag ?? validator ?? etag(body, { weak: true })
}

/**
 * Whether `If-None-Match` names the `ETag`. No other header counts: `fetch` sends `Cache-Control: no-cache` beside it, which
 * is for caches.
 */
const isKnown = (asked: string | undefined, validator: string) =>
  asked === validator ||
  (asked !== undefined && fresh({ 'if-none-match': asked }, { etag: validator }))

/**
 * Sends a reply. A 200 to a read carries an `ETag`, weak unless the reply has its own. It becomes a 304 for a
 * client with the same `ETag`. `HEAD` gets the headers alone.
 * @see RFC 9110, section 13
 */
function send(
  request: IncomingMessage,
  response: ServerResponse,
  reply: Reply,
  stateHeaders: Record<string, string>,
): void {
  const body = typeof reply.body === 'string' ? Buffer.from(reply.body) : reply.body
  const vary = reply.vary === undefined ? 'Authorization' : `Authorization, ${reply.vary}`
  const headers: Record<string, string | number> = { ...stateHeaders, ...reply.headers }
  headers['Cache-Control'] = 'private, no-cache'
  // A header that is set before makes Node.js go through all of them twice.
  if (response.hasHeader('Vary')) response.appendHeader('Vary', vary)
  else headers.Vary = vary
  const { method } = request
  if (reply.status === 200 && (method === 'GET' || method === 'HEAD')) {
    const validator = validatorOf(reply, body)
    headers.ETag = validator
    if (isKnown(request.headers['if-none-match'], validator)) {
      response.writeHead(304, headers).end()
      return
    }
  }
  headers['Content-Type'] = reply.contentType
  headers['Content-Length'] = body.length
  response.writeHead(reply.status, headers).end(method === 'HEAD' ? undefined : body)
}

/** Answers a request with a problem, before anything is read of the request. */
export function sendProblem(
  request: IncomingMessage,
  response: ServerResponse,
  fault: Fault,
  place: { requestId: string; baseUrl: string },
): void {
  send(request, response, problemReply(fault, place), { 'X-Request-Id': place.requestId })
}

/** The same problem for a connection without a request. */
export function rawProblem(
  fault: Fault,
  place: { requestId: string; baseUrl: string },
): { status: number; headers: Record<string, string>; body: string } {
  const { status, contentType, body, headers } = problemReply(fault, place)
  return {
    status,
    body: String(body),
    headers: {
      'Content-Type': contentType,
      'X-Request-Id': place.requestId,
      'Cache-Control': 'private, no-cache',
      ...headers,
    },
  }
}

export interface ResponderParts {
  readonly baseUrl: string
  /** The fault that an error becomes for the client. */
  faultOf(error: unknown, requestId: string): Fault
}

/** Answers requests with the replies of `replyTo`, and with a problem where it throws. */
export function responder(
  { baseUrl, faultOf }: ResponderParts,
  replyTo: (request: IncomingMessage, state: RestState) => Promise<Reply>,
) {
  return async (
    request: IncomingMessage,
    response: ServerResponse,
    state: RestState,
  ): Promise<void> => {
    const { requestId, headers } = state
    let reply: Reply
    try {
      reply = await replyTo(request, state)
    } catch (error) {
      reply = problemReply(faultOf(error, requestId), { requestId, baseUrl })
    }
    send(request, response, reply, headers)
  }
}
