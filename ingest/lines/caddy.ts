import { z } from 'zod'
import { isObject, optionalText, parsed } from './json.ts'
import { addressOf, type LineReader, timeOf, withoutPort } from './request.ts'

const headerValues = z.array(z.string()).optional()

/** An entry of Caddy's log `http.log.access`. Versions before 2.5 have `remote_addr` with a port. */
const entryShape = z.object({
  ts: z.union([z.number(), z.string()]),
  request: z.object({
    method: z.string(),
    uri: z.string(),
    host: optionalText,
    client_ip: optionalText,
    remote_ip: optionalText,
    remote_addr: optionalText,
    headers: z.object({ 'User-Agent': headerValues, Referer: headerValues }),
  }),
  status: z.number(),
  duration: z.number().nonnegative().optional().catch(undefined),
})

/**
 * Caddy's access log, one JSON object a line. Other entries of Caddy's log are no requests.
 * @param host the host of lines without a host
 * @see https://caddyserver.com/docs/caddyfile/directives/log
 */
export function readCaddy(host: string): LineReader {
  return { read: (line) => readLine(line, host) }
}

function readLine(line: string, host: string): ReturnType<LineReader['read']> {
  const entry = parsed(line)
  if (isOtherEntry(entry)) return 'nothing'
  const { data } = entryShape.safeParse(entry)
  const at = data && timeMs(data.ts)
  if (data === undefined || at === undefined) return 'malformed'
  const { request } = data
  return {
    at,
    method: request.method,
    host: withoutPort(request.host || host),
    target: request.uri,
    status: data.status,
    responseMs: Math.round((data.duration ?? 0) * 1_000_000) / 1000,
    userAgent: request.headers['User-Agent']?.[0] ?? '',
    address: addressOf(request.client_ip ?? request.remote_ip ?? withoutPort(addressIn(request))),
    referrer: request.headers.Referer?.[0] ?? '',
    country: '',
  }
}

const addressIn = ({ remote_addr: address }: { remote_addr?: string | null | undefined }) =>
  (address ?? '').replaceAll(/[[\]]/g, '')

/** Whether Caddy wrote the line about itself, or about the error of a request that its access log has too. */
function isOtherEntry(entry: unknown): boolean {
  if (!isObject(entry) || typeof entry.level !== 'string' || typeof entry.msg !== 'string') {
    return false
  }
  const { logger } = entry
  return typeof logger === 'string'
    ? !logger.startsWith('http.log.access')
    : entry.request === undefined
}

/** Caddy writes seconds, milliseconds or nanoseconds since 1970, or a text, by its setting `time_format`. */
function timeMs(value: number | string): number | undefined {
  if (typeof value === 'string') return timeOf(value.replace(/([+-]\d\d)(\d\d)$/, '$1:$2'))
  if (value > 1e17) return Math.round(value / 1e6)
  return Math.round(value > 1e11 ? value : value * 1000)
}
