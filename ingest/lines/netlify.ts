import { z } from 'zod'
import { isObject, optionalText, parsed } from './json.ts'
import { addressOf, type LineReader, timeOf, valueOrEmpty } from './request.ts'

const trafficShape = z.object({
  timestamp: z.string(),
  method: z.string(),
  url: z.string(),
  status_code: z.number(),
  duration: z.number().nonnegative().nullish(),
  user_agent: optionalText,
  referrer: optionalText,
  client_ip: optionalText,
  country: optionalText,
  request_id: optionalText,
})

/**
 * Traffic logs in a log drain of Netlify as JSON. Logs of functions, deploys and the firewall have no requests.
 * @param host the host of lines whose URL names none
 * @see https://docs.netlify.com/manage/monitoring/log-drains/
 */
export function readNetlify(host: string): LineReader {
  return { read: (line) => readEntry(parsed(line), host) }
}

function readEntry(entry: unknown, host: string): ReturnType<LineReader['read']> {
  if (!isObject(entry)) return 'malformed'
  const { log_type: type } = entry
  if (typeof type === 'string' && type !== 'traffic') return 'nothing'
  const { data } = trafficShape.safeParse(entry)
  const at = data && timeOf(data.timestamp)
  if (data === undefined || at === undefined) return 'malformed'
  return {
    at,
    method: data.method,
    host: /^https?:\/\/([^/?#:]+)/i.exec(data.url)?.[1] ?? host,
    target: data.url.replace(/^(https?:\/\/[^/?#]+)(?=[?#]|$)/i, '$1/'),
    status: data.status_code,
    responseMs: data.duration ?? 0,
    // Left out where the drain excludes personal data.
    userAgent: valueOrEmpty(data.user_agent),
    address: addressOf(valueOrEmpty(data.client_ip)),
    referrer: valueOrEmpty(data.referrer),
    country: valueOrEmpty(data.country),
    id: data.request_id || undefined,
  }
}
