import { isIP } from 'node:net'
import { Temporal } from '@js-temporal/polyfill'

/** One request, as a log tells it. */
export interface LoggedRequest {
  /** Unix time in milliseconds. */
  readonly at: number
  readonly method: string
  readonly host: string
  /** Path and query, as they were sent. */
  readonly target: string
  readonly status: number
  /** 0 where the log does not tell. */
  readonly responseMs: number
  readonly userAgent: string
  /** Here and below, empty where the log does not tell. */
  readonly address: string
  readonly referrer: string
  readonly country: string
}

/**
 * Reads the lines of one log, one after another. A line is without its line feed.
 * `nothing` is a line that stands for no request, such as a header.
 */
export interface LineReader {
  read(line: string): LoggedRequest | 'malformed' | 'nothing'
  /** Looks at lines that an earlier import has read, for what they say about those that follow. */
  skim?(lines: Buffer): void
}

/** What a field holds; logs write a lone "-" for nothing. */
export function told(field: string | null | undefined): string {
  return field === undefined || field === null || field === '-' ? '' : field
}

/** A client's address. A server may log a name in its place, which tells no address. */
export function addressOf(field: string): string {
  return isIP(field) === 0 ? '' : field
}

/** Host of a `Host` header or of a virtual host, which may have a port. */
export function withoutPort(host: string): string {
  return host.replace(/:\d+$/, '')
}

const timestamp = /^(\d{4}-\d\d-\d\d)T\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/
let lastDay = ''

/** Unix time, in milliseconds, of an ISO 8601 text with an offset; undefined when it names no time. */
export function timeOf(text: string): number | undefined {
  const day = timestamp.exec(text)?.[1]
  // Temporal takes a time apart twenty times slower than Date, which takes 31 February for 3 March.
  if (day === undefined || (day !== lastDay && !isDay(day))) return undefined
  lastDay = day
  const ms = Date.parse(text)
  return Number.isNaN(ms) ? undefined : ms
}

function isDay(text: string): boolean {
  try {
    return Temporal.PlainDate.from(text).toString() === text
  } catch {
    return false
  }
}

/** An event of the shape that the tracker takes, or undefined when the request asks for no path of a site. */
export function eventOf(request: LoggedRequest) {
  const { at, method, host, status, responseMs, userAgent, address, referrer, country } = request
  // A client may ask as one asks a proxy, with scheme and host in front.
  const target = request.target.replace(/^https?:\/\/[^/?#]*/i, '')
  if (!target.startsWith('/')) return undefined
  return {
    event_name: 'server_request',
    timestamp: at,
    method,
    path: target,
    url: `https://${host}${target}`,
    status_code: status,
    response_time_ms: responseMs,
    user_agent: userAgent,
    ...(address === '' ? {} : { ip_address: address }),
    ...(referrer === '' ? {} : { referrer }),
    ...(country === '' ? {} : { country }),
  }
}
