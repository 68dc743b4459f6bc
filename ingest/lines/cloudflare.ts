import { z } from 'zod'
import { optionalText, parsed } from './json.ts'
import { type LineReader, timeOf, valueOrEmpty } from './request.ts'

const milliseconds = z.number().nonnegative().nullish()

/** Fields of Logpush's dataset `http_requests`. A Logpush job may omit the optional ones. */
const requestShape = z.object({
  EdgeStartTimestamp: z.union([z.string(), z.number()]),
  ClientRequestMethod: z.string(),
  ClientRequestHost: optionalText,
  ClientRequestURI: optionalText,
  ClientRequestPath: optionalText,
  ClientRequestUserAgent: z.string(),
  ClientRequestReferer: optionalText,
  ClientIP: optionalText,
  ClientCountry: optionalText,
  EdgeResponseStatus: z.number(),
  EdgeTimeToFirstByteMs: milliseconds,
  OriginResponseDurationMs: milliseconds,
  RayID: optionalText,
})

/**
 * Cloudflare's Logpush, dataset `http_requests`, one JSON object a line.
 * @param host the host of lines without a host
 * @see https://developers.cloudflare.com/logs/logpush/logpush-job/datasets/zone/http_requests/
 */
export function readCloudflare(host: string): LineReader {
  return { read: (line) => readLine(line, host) }
}

/** What Logpush sends to try a new destination. */
const trial = '{"content":"tests"}'

function readLine(line: string, host: string): ReturnType<LineReader['read']> {
  if (line === trial) return 'nothing'
  const { data } = requestShape.safeParse(parsed(line))
  if (data === undefined) return 'malformed'
  const at = timestampMs(data.EdgeStartTimestamp)
  const target = data.ClientRequestURI ?? data.ClientRequestPath
  if (at === undefined || target === undefined || target === null) return 'malformed'
  return {
    at,
    method: data.ClientRequestMethod,
    host: valueOrEmpty(data.ClientRequestHost) || host,
    target,
    status: data.EdgeResponseStatus,
    responseMs: data.EdgeTimeToFirstByteMs ?? data.OriginResponseDurationMs ?? 0,
    userAgent: data.ClientRequestUserAgent,
    address: valueOrEmpty(data.ClientIP),
    referrer: valueOrEmpty(data.ClientRequestReferer),
    country: valueOrEmpty(data.ClientCountry).toUpperCase(),
    id: data.RayID || undefined,
  }
}

/** A Logpush job writes times as RFC 3339, or as seconds or nanoseconds since 1970. */
function timestampMs(value: string | number): number | undefined {
  if (typeof value === 'string') return timeOf(value)
  const isNanoseconds = value > 1e17
  return Math.round(isNanoseconds ? value / 1e6 : value * 1000)
}
