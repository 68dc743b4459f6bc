import { addressOf, type LineReader, withoutPort } from './request.ts'
import { readW3c, type W3cLine } from './w3c.ts'

/**
 * Logs of IIS in the extended format of the W3C, separated by spaces, with times in UTC.
 * @param host the host of lines without a host
 * @see https://learn.microsoft.com/en-us/windows/win32/http/w3c-logging
 */
export function readIis(host: string): LineReader {
  return readW3c(' ', (line) => requestOf(line, host))
}

function requestOf({ at, method, status, of }: W3cLine, host: string) {
  const query = of('cs-uri-query')
  const stem = of('cs-uri-stem')
  const ms = Number(of('time-taken'))
  return {
    at,
    method,
    host: withoutPort(of('cs-host') || host),
    target: query === '' ? stem : `${stem}?${query}`,
    status,
    responseMs: Math.max(ms, 0),
    // IIS writes a space as "+", and leaves each "+" of the client.
    userAgent: of('cs(User-Agent)').replaceAll('+', ' '),
    address: addressOf(of('c-ip')),
    referrer: of('cs(Referer)'),
    country: '',
  }
}
