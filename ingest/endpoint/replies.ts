import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Fault } from '../../core/errors.ts'

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
    message:
      'The ingest key was not signed by this service. Send the whole key as `Bearer sk_live_…`.',
  },
  missing_permission: {
    status: 403,
    message: 'The ingest key lacks the Log Events permission.',
  },
  body_too_large: {
    status: 413,
    message: 'The body is larger than 1 MB (1,048,576 bytes). Send fewer events in a request.',
  },
  invalid_json: {
    status: 400,
    message: 'The body is not valid JSON. Send UTF-8 without compression.',
  },
  missing_site_token: {
    status: 403,
    message: 'The body must be an object with the site token, `st_…`, in `site_token`.',
  },
  invalid_site_token: {
    status: 403,
    message: '`site_token` must belong to a project in the workspace of the ingest key.',
  },
  invalid_events_array: {
    status: 400,
    message: '`events` must be an array.',
  },
  invalid_encoding: {
    status: 415,
    message: 'The body must be plain, or packed by gzip.',
  },
  invalid_log_lines: {
    status: 400,
    message: 'No line of the body is a request.',
  },
  invalid_request: {
    status: 400,
    message: 'The request is not valid HTTP.',
  },
  request_timeout: {
    status: 408,
    message: 'The request did not arrive whole in time.',
  },
  headers_too_large: {
    status: 431,
    message: 'The address and the headers together are larger than 16 kB.',
  },
  overloaded: {
    status: 503,
    message: 'No event of this request was stored. Retry after the seconds of `Retry-After`.',
  },
  not_found: {
    status: 404,
    message:
      'This path does not exist. Send events to POST /v1/events, and logs to POST /v1/logs/{source}.',
  },
  method_not_allowed: {
    status: 405,
    message: 'This path does not support the method. See `Allow`.',
  },
  internal_error: {
    status: 500,
    message: 'The tracker failed. Retry later.',
  },
} satisfies Record<string, { status: number; message: string; headers?: Record<string, string> }>

export type Reason = keyof typeof refusals

export const json = (status: number, body: unknown): Reply => ({
  status,
  contentType: 'application/json',
  body: JSON.stringify(body),
})

/** The reply to a refused request: `{"error","message"}`. */
export function refuse(
  error: Reason,
  more: { status?: number; message?: string; headers?: Record<string, string> } = {},
): Reply {
  const { status, message, ...own } = refusals[error]
  return {
    ...json(more.status ?? status, { error, message: more.message ?? message }),
    headers: { ...('headers' in own ? own.headers : {}), ...more.headers },
  }
}

const unparsedReasons: Readonly<Record<number, Reason>> = {
  405: 'method_not_allowed',
  408: 'request_timeout',
  431: 'headers_too_large',
}

/** The reply to a request that the HTTP parser refused. */
export function refuseUnparsed({ status, message, headers }: Fault): Reply {
  return refuse(unparsedReasons[status] ?? 'invalid_request', { status, message, headers })
}

/** 503 with the time of a retry. */
export const overloaded = (retryAfterSeconds: number): Reply =>
  refuse('overloaded', { headers: { 'Retry-After': String(retryAfterSeconds) } })

/** Time to send a body that is not read. */
const lingerMs = 2000

/** Sends a reply, also while the request body is still arriving. */
export function send(request: IncomingMessage, response: ServerResponse, reply: Reply): void {
  if (response.destroyed || response.headersSent) return
  const body = reply.body ?? ''
  const headers: Record<string, string | number> = { ...reply.headers }
  if (reply.status !== 304) headers['Content-Length'] = Buffer.byteLength(body)
  if (reply.contentType !== undefined) headers['Content-Type'] = reply.contentType
  const shown = request.method === 'HEAD' ? '' : body
  if (!isLeftUnread(request)) {
    response.writeHead(reply.status, headers).end(shown)
    // Node discards the rest of a body only when no code has begun to read it.
    if (!request.complete) request.resume()
    return
  }
  headers.Connection = 'close'
  response.writeHead(reply.status, headers).write(shown)
  linger(request, response)
}

/** Whether the rest of the body is too long to read just to keep the connection. */
function isLeftUnread(request: IncomingMessage): boolean {
  if (request.complete) return false
  const { 'transfer-encoding': coding, 'content-length': length = 0, expect } = request.headers
  return coding !== undefined || Number(length) > maxBodyBytes || expect !== undefined
}

/**
 * Closes the connection after the client has stopped sending. Closing earlier makes the kernel send a reset, which
 * can overtake the response.
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
