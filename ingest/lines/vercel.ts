import { z } from 'zod'
import { isObject, optionalText, parsed } from './json.ts'
import { addressOf, type LineReader, valueOrEmpty } from './request.ts'

/** What an entry says about the request that it belongs to. */
const proxyShape = z.object({
  timestamp: z.number(),
  method: z.string(),
  host: optionalText,
  path: z.string(),
  userAgent: z.union([z.string(), z.array(z.string())]),
  referer: optionalText,
  statusCode: z.number().nullish(),
  clientIp: optionalText,
})

/**
 * Entries of a log drain of Vercel as JSON. A request has several: one of each function that answered it, and one for
 * each line that a function wrote. They share an id.
 * @param host the host of entries without a host
 * @see https://vercel.com/docs/drains/reference/logs
 */
export function readVercel(host: string): LineReader {
  return { read: (line) => readEntry(parsed(line), host) }
}

function readEntry(entry: unknown, host: string): ReturnType<LineReader['read']> {
  if (!isObject(entry) || typeof entry.id !== 'string') return 'malformed'
  // Builds and other output of functions belong to no request.
  if (!isObject(entry.proxy)) return 'nothing'
  const { data } = proxyShape.safeParse(entry.proxy)
  if (data === undefined) return 'malformed'
  const status = data.statusCode ?? entry.statusCode
  // -1 is written for a page that is renewed in the background, and for a function that crashed.
  if (typeof status !== 'number' || status < 0) return 'nothing'
  const { userAgent } = data
  return {
    at: data.timestamp,
    method: data.method,
    host: data.host || host,
    target: data.path,
    status,
    responseMs: 0,
    userAgent: typeof userAgent === 'string' ? userAgent : (userAgent[0] ?? ''),
    address: addressOf(valueOrEmpty(data.clientIp)),
    referrer: valueOrEmpty(data.referer),
    country: '',
    id: typeof entry.requestId === 'string' ? entry.requestId : entry.id,
  }
}
