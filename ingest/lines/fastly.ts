import { z } from 'zod'
import { countryCode } from '../../core/countries.ts'
import { numberOrText, optionalText, parsed } from './json.ts'
import { addressOf, type LineReader, timeOf, valueOrEmpty, withoutPort } from './request.ts'

/** The format that Fastly's pages of log endpoints propose, and their variants with `request` as the method. */
const flatShape = z
  .object({
    timestamp: z.string(),
    host: optionalText,
    url: z.string(),
    request_method: optionalText,
    request: optionalText,
    request_user_agent: z.string(),
    request_referer: optionalText,
    response_status: numberOrText,
    client_ip: optionalText,
    geo_country: optionalText,
    geo_country_code: optionalText,
    time_elapsed: numberOrText.nullish().catch(undefined),
  })
  .transform((line) => ({
    time: line.timestamp,
    method: line.request_method ?? line.request,
    host: line.host,
    url: line.url,
    userAgent: line.request_user_agent,
    referrer: line.request_referer,
    status: line.response_status,
    address: line.client_ip,
    country: line.geo_country_code ?? line.geo_country,
    microseconds: line.time_elapsed,
  }))

/** The format that Fastly proposes for Datadog. */
const nestedShape = z
  .object({
    time_start: z.string(),
    host: optionalText,
    http: z.object({
      method: z.string(),
      url: z.string(),
      useragent: z.string(),
      referer: optionalText,
      status_code: numberOrText,
      request_time_ms: numberOrText.nullish().catch(undefined),
    }),
    network: z
      .object({
        client: z.object({ ip: optionalText }).optional(),
        geoip: z.object({ geo_country_code: optionalText }).optional(),
      })
      .optional(),
  })
  .transform(({ time_start: time, host, http, network }) => ({
    time,
    method: http.method,
    host,
    url: http.url,
    userAgent: http.useragent,
    referrer: http.referer,
    status: http.status_code,
    address: network?.client?.ip,
    country: network?.geoip?.geo_country_code,
    // `%D` is the time in microseconds, whatever the name of the key says.
    microseconds: http.request_time_ms,
  }))

const lineShape = z.union([flatShape, nestedShape])

/** What syslog puts before a line. */
const syslogHeader = /^<\d{1,3}>[^{]*/

/**
 * Fastly's real-time logs as JSON lines, in the formats that Fastly proposes. Logs in the combined format are read as
 * such.
 * @param host the host of lines without a host
 * @see https://www.fastly.com/documentation/guides/integrations/logging/
 */
export function readFastly(host: string): LineReader {
  return { read: (line) => readLine(line, host) }
}

function readLine(line: string, host: string): ReturnType<LineReader['read']> {
  const { data } = lineShape.safeParse(parsed(line.replace(syslogHeader, '')))
  const at = data && timeMs(data.time)
  if (data === undefined || at === undefined || !data.method) return 'malformed'
  return {
    at,
    method: data.method,
    host: withoutPort(textOf(data.host) || host),
    target: data.url,
    status: data.status,
    responseMs: (data.microseconds ?? 0) / 1000,
    userAgent: textOf(data.userAgent),
    address: addressOf(textOf(data.address)),
    referrer: textOf(data.referrer),
    country: countryCode(textOf(data.country)) ?? '',
  }
}

/** Fastly writes an absent value as `(null)`, or as an empty text. */
function textOf(value: string | null | undefined): string {
  return value === '(null)' ? '' : valueOrEmpty(value)
}

/** `%z` gives an offset without a colon, `%Z` the name of UTC, and the shortest format no offset: it is UTC. */
function timeMs(text: string): number | undefined {
  const [, time, offset = ''] = /^(\S+T[\d:.]+)(.*)$/.exec(text) ?? []
  if (time === undefined) return undefined
  const isUtc = /^(?:Z|UTC|GMT|)$/.test(offset)
  return timeOf(time + (isUtc ? 'Z' : offset.replace(/^([+-]\d\d)(\d\d)$/, '$1:$2')))
}
