import { isObject, parsed } from './json.ts'
import { addressOf, type LineReader, timeOf, valueOrEmpty, withoutPort } from './request.ts'
import { readW3c, type W3cLine } from './w3c.ts'

/**
 * CloudFront's standard logs: the extended format of the W3C, separated by tabs.
 * @param host the host of lines without a host
 * @see https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/standard-logs-reference.html
 */
export function readCloudfront(host: string): LineReader {
  return readW3c('\t', (line) => requestOf(line, host))
}

/**
 * Logs of CloudFront in a stream of Firehose: standard logs as JSON lines, or real-time logs, separated by tabs.
 * @param fields the names of the fields of lines that are not JSON, in their order
 * @see https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/real-time-logs.html
 */
export function readCloudfrontStream(host: string, fields: readonly string[]): LineReader {
  return {
    read(line) {
      const found = line.startsWith('{') ? jsonFields(line) : tabFields(line, fields)
      const request = found && streamed(found)
      return request === undefined ? 'malformed' : requestOf(request, host)
    },
  }
}

type Fields = (name: string) => string

function jsonFields(line: string): Fields | undefined {
  const values = parsed(line)
  return isObject(values) ? (name) => valueOrEmpty(String(values[name] ?? '')) : undefined
}

function tabFields(line: string, names: readonly string[]): Fields | undefined {
  const values = line.split('\t')
  if (values.length !== names.length) return undefined
  const fields = new Map(names.map((name, i) => [name, values[i]]))
  return (name) => valueOrEmpty(fields.get(name))
}

/** Names of real-time logs for what standard logs name otherwise. */
const realTimeNames: Readonly<Record<string, string>> = {
  'cs(User-Agent)': 'cs-user-agent',
  'cs(Referer)': 'cs-referer',
  'cs(Host)': 'cs-host',
}

function streamed(fields: Fields): W3cLine | undefined {
  const of: Fields = (name) => fields(name) || fields(realTimeNames[name] ?? name)
  const at = timeOf(`${of('date')}T${of('time')}Z`) ?? secondsOf(of('timestamp'))
  const status = of('sc-status')
  if (at === undefined || !/^\d{3}$/.test(status) || of('cs-method') === '') return undefined
  return { at, method: of('cs-method'), status: Number(status), of }
}

/** Real-time logs have seconds since 1970. */
const secondsOf = (text: string) =>
  /^\d{9,11}(?:\.\d+)?$/.test(text) ? Math.round(1000 * Number(text)) : undefined

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
    country: of('c-country'),
    id: of('x-edge-request-id') || undefined,
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
