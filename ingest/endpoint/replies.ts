import type { IncomingMessage, ServerResponse } from 'node:http'

/** The contract's "1 MB". */
export const maxBodyBytes = 1_048_576

export interface Reply {
  readonly status: number
  readonly contentType?: string
  readonly body?: string
  readonly headers?: Readonly<Record<string, string>>
}

const refusals = {
  missing_authorization: {
    status: 401,
    message: 'Send the ingest key of the workspace as `Authorization: Bearer sk_live_…`.',
    headers: { 'WWW-Authenticate': 'Bearer' },
  },
  invalid_signature: {
    status: 403,
    message: 'The ingest key is not one of ours. It has to be sent whole, as `Bearer sk_live_…`.',
  },
  missing_permission: {
    status: 403,
    message: 'The ingest key lacks the Log Events permission.',
  },
  body_too_large: {
    status: 413,
    message: 'The body is larger than 1 MB (1,048,576 bytes). Send fewer events at once.',
  },
  invalid_json: {
    status: 400,
    message: 'The body is not valid JSON. It is read as UTF-8 and may not be compressed.',
  },
  missing_site_token: {
    status: 403,
    message: 'The body is to be an object with the token of the site, `st_…`, in `site_token`.',
  },
  invalid_site_token: {
    status: 403,
    message: 'The `site_token` is not that of a project in the workspace of the ingest key.',
  },
  invalid_events_array: {
    status: 400,
    message: '`events` has to be an array.',
  },
  overloaded: {
    status: 503,
    message: 'Nothing of this request was kept. Send it again after the seconds of `Retry-After`.',
  },
  not_found: {
    status: 404,
    message: 'There is nothing at this path. Events go to POST /v1/events.',
  },
  method_not_allowed: {
    status: 405,
    message: 'This path has other methods: see `Allow`.',
  },
  internal_error: {
    status: 500,
    message: 'Something failed on our side.',
  },
} satisfies Record<string, { status: number; message: string; headers?: Record<string, string> }>

export type Reason = keyof typeof refusals

export const json = (status: number, body: unknown): Reply => ({
  status,
  contentType: 'application/json',
  body: JSON.stringify(body),
})

/** The answer to what is not taken: `{"error","message"}`. */
export function refuse(
  error: Reason,
  more: { message?: string; headers?: Record<string, string> } = {},
): Reply {
  const { status, message, ...own } = refusals[error]
  return {
    ...json(status, { error, message: more.message ?? message }),
    headers: { ...('headers' in own ? own.headers : {}), ...more.headers },
  }
}

/** 503 that says when to come again. */
export const overloaded = (retryAfterSeconds: number): Reply =>
  refuse('overloaded', { headers: { 'Retry-After': String(retryAfterSeconds) } })

/** How long a client may go on sending what nobody reads. */
const lingerMs = 2000

/** Sends a reply, whatever is still to come of the request. */
export function send(request: IncomingMessage, response: ServerResponse, reply: Reply): void {
  if (response.destroyed || response.headersSent) return
  const body = reply.body ?? ''
  const headers: Record<string, string | number> = { ...reply.headers }
  if (reply.status !== 304) headers['Content-Length'] = Buffer.byteLength(body)
  if (reply.contentType !== undefined) headers['Content-Type'] = reply.contentType
  const shown = request.method === 'HEAD' ? '' : body
  if (!isLeftUnread(request)) {
    response.writeHead(reply.status, headers).end(shown)
    // Node reads on what is left of a body only where nobody has begun to.
    if (!request.complete) request.resume()
    return
  }
  headers.Connection = 'close'
  response.writeHead(reply.status, headers).write(shown)
  linger(request, response)
}

/** Whether more may come than is worth reading for the sake of the connection. */
function isLeftUnread(request: IncomingMessage): boolean {
  if (request.complete) return false
  const { 'transfer-encoding': coding, 'content-length': length = 0, expect } = request.headers
  return coding !== undefined || Number(length) > maxBodyBytes || expect !== undefined
}

/**
 * Ends the connection once the client has stopped sending. To end it before makes the kernel answer
 * with a reset, which can overtake our answer.
 * @see RFC 9112, section 9.6
 */
function linger(request: IncomingMessage, response: ServerResponse): void {
  const end = () => {
    clearTimeout(timer)
    response.end()
  }
  const timer = setTimeout(end, lingerMs)
  request.once('end', end).once('close', end).resume()
}
