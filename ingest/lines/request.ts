import { isIP } from 'node:net'
import { Temporal } from '@js-temporal/polyfill'

/** One request of a log. */
export interface LoggedRequest {
  /** Unix time in milliseconds. */
  readonly at: number
  readonly method: string
  readonly host: string
  /** Path and query, as they were sent. */
  readonly target: string
  readonly status: number
  /** 0 when the log has no response time. */
  readonly responseMs: number
  readonly userAgent: string
  /** This and the next two fields are empty when the log lacks them. */
  readonly address: string
  readonly referrer: string
  readonly country: string
  /** What names the request in all lines of the log about it; absent when the log has no such name. */
  readonly id?: string | undefined
}

/**
 * Reads the lines of one log in order. A line comes without its line feed.
 * `nothing` stands for a line without a request, such as a header.
 */
export interface LineReader {
  read(line: string): LoggedRequest | 'malformed' | 'nothing'
  /** Finds headers in lines that an earlier import read: they apply to later lines. */
  skim?(lines: Buffer): void
}

/** The value of a field; empty for an absent one, which logs write as "-". */
export function valueOrEmpty(field: string | null | undefined): string {
  return field === undefined || field === null || field === '-' ? '' : field
}

/** The client's IP address; empty when the server logged a host name instead. */
export function addressOf(field: string): string {
  return isIP(field) === 0 ? '' : field
}

/** A host without its port. */
export function withoutPort(host: string): string {
  return host.replace(/:\d+$/, '')
}

const timestamp = /^(\d{4}-\d\d-\d\d)T\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/
let lastDay = ''

/** Unix time, in milliseconds, of an ISO 8601 text with an offset; undefined when the text is not valid. */
export function timeOf(text: string): number | undefined {
  const day = timestamp.exec(text)?.[1]
  // `Date.parse` is twenty times faster than Temporal, but reads 31 February as 3 March: check each day once.
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

/** The request as an event of the tracker; undefined when its target is not a path. */
export function eventOf(request: LoggedRequest) {
  const { at, method, host, status, responseMs, userAgent, address, referrer, country } = request
  // A request to a proxy has scheme and host in front of the path.
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
