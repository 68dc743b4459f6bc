import { addressOf, type LineReader, withoutPort } from './request.ts'
import { readW3c, type W3cLine } from './w3c.ts'

/**
 * CloudFront's standard logs: the extended format of the W3C, separated by tabs.
 * @param host the host of lines without a host
 * @see https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/standard-logs-reference.html
 */
export function readCloudfront(host: string): LineReader {
  return readW3c('\t', (line) => requestOf(line, host))
}

function requestOf({ at, method, status, of }: W3cLine, host: string) {
  const query = decoded(of('cs-uri-query'))
  const stem = decoded(of('cs-uri-stem'))
  const seconds = Number(of('time-taken'))
  return {
    at,
    method,
    host: withoutPort(of('x-host-header') || of('cs(Host)') || host),
    target: query === '' ? stem : `${stem}?${query}`,
    status,
    responseMs: seconds >= 0 ? Math.round(seconds * 1_000_000) / 1000 : 0,
    userAgent: decodedTwice(of('cs(User-Agent)')),
    address: addressOf(of('c-ip')),
    referrer: decodedTwice(of('cs(Referer)')),
    country: '',
  }
}

/** CloudFront percent-encodes spaces, quotes, percent signs and characters beyond ASCII. */
function decoded(field: string): string {
  try {
    return decodeURIComponent(field)
  } catch {
    return field
  }
}

/** Older CloudFront logs encode headers twice: `%2520`. */
function decodedTwice(field: string): string {
  const once = decoded(field)
  return once.includes('%20') ? decoded(once) : once
}
