import { z } from 'zod'
import { readCombined } from './combined.ts'
import { isObject, numberOrText, optionalText, parsed } from './json.ts'
import { addressOf, type LineReader, timeOf, valueOrEmpty, withoutPort } from './request.ts'

/** Variables of nginx, each below its own name. */
const variables = z.object({
  time_iso8601: optionalText,
  msec: numberOrText.nullish(),
  request_method: z.string(),
  host: optionalText,
  request_uri: z.string(),
  status: numberOrText,
  request_time: numberOrText.nullish(),
  http_user_agent: optionalText,
  http_referer: optionalText,
  remote_addr: optionalText,
  request_id: optionalText,
})

/** What syslog puts before a line. @see RFC 3164, section 4.1, and RFC 5424, section 6 */
const syslogHeader =
  /^<\d{1,3}>(?:1 \S+ \S+ \S+ \S+ \S+ (?:-|(?:\[[^\]]*\])+) |[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d (?:\S+ )?\S+: )/

/**
 * Logs of nginx that a program or syslog sends: lines of the combined format, or JSON with the variables of nginx below
 * their names. Programs that send logs wrap a line into JSON, as `message` or `log`.
 * @param host the host of lines without a host
 * @see https://nginx.org/en/docs/http/ngx_http_log_module.html
 */
export function readNginx(host: string): LineReader {
  const combined = readCombined(host)
  function read(given: string, isWrapped: boolean): ReturnType<LineReader['read']> {
    const line = given.replace(syslogHeader, '')
    if (!line.startsWith('{')) return combined.read(line)
    const entry = parsed(line)
    if (!isObject(entry)) return 'malformed'
    const inner = entry.message ?? entry.log
    if (typeof inner === 'string' && !isWrapped) return read(inner, true)
    return requestOf(entry, host)
  }
  return { read: (line) => read(line, false) }
}

function requestOf(entry: unknown, host: string): ReturnType<LineReader['read']> {
  const { data } = variables.safeParse(entry)
  const at = data && (data.msec ? Math.round(1000 * data.msec) : timeOf(data.time_iso8601 ?? ''))
  if (data === undefined || at === undefined) return 'malformed'
  return {
    at,
    method: data.request_method,
    host: withoutPort(valueOrEmpty(data.host) || host),
    target: data.request_uri,
    status: data.status,
    responseMs: Math.round(1000 * (data.request_time ?? 0)),
    userAgent: valueOrEmpty(data.http_user_agent),
    address: addressOf(valueOrEmpty(data.remote_addr)),
    referrer: valueOrEmpty(data.http_referer),
    country: '',
    id: data.request_id || undefined,
  }
}
