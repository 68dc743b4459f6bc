import { addressOf, type LineReader, timeOf, valueOrEmpty, withoutPort } from './request.ts'

const types = new Set(['http', 'https', 'h2', 'grpcs', 'ws', 'wss'])
const field = /"([^"]*)"|(\S+)/g
/** Fields up to the user agent, which the first logs of the service had too. */
const fewestFields = 14
const creationTime = 21

/**
 * Access logs of AWS Application Load Balancers: fields in a fixed order, separated by spaces, some in quotes. New
 * fields come at the end.
 * @param host the host of lines whose request names none
 * @see https://docs.aws.amazon.com/elasticloadbalancing/latest/application/load-balancer-access-logs.html
 */
export function readAlb(host: string): LineReader {
  return { read: (line) => readLine(line, host) }
}

function readLine(line: string, host: string): ReturnType<LineReader['read']> {
  if (!types.has(line.slice(0, line.indexOf(' ')))) return 'malformed'
  const fields = [...line.matchAll(field)].map(([, quoted, bare]) => quoted ?? bare ?? '')
  const of = (index: number) => valueOrEmpty(fields[index])
  // The load balancer writes the line after its response: the time of the request stands further back.
  const at = timeOf(of(creationTime)) ?? timeOf(of(1))
  const [method = '', url = ''] = of(12).split(' ')
  const status = of(8)
  if (fields.length < fewestFields || at === undefined || !/^\d{3}$/.test(status)) {
    return 'malformed'
  }
  if (!/^[A-Za-z]+$/.test(method) || url === '') return 'malformed'
  return {
    at,
    method,
    host: withoutPort(/^\w+:\/\/([^/?#]+)/.exec(url)?.[1] ?? host),
    target: url.replace(/^\w+:\/\/[^/?#]*/, ''),
    status: Number(status),
    responseMs: responseMs([of(5), of(6), of(7)]),
    userAgent: unescaped(of(13)),
    address: addressOf(withoutPort(of(3))),
    referrer: '',
    country: '',
  }
}

/** The sum of the parts, in milliseconds; 0 where the load balancer sent no request on, which it writes as -1. */
function responseMs(seconds: readonly string[]): number {
  const parts = seconds.map(Number)
  if (!parts.every((part) => part >= 0)) return 0
  return Math.round(parts.reduce((sum, part) => sum + part, 0) * 1_000_000) / 1000
}

/** A quote within quotes is written as `\x22` or `%22`. */
function unescaped(text: string): string {
  return text.replaceAll(/\\x22|%22/g, '"')
}
