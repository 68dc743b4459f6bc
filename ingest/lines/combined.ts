import { isIP } from 'node:net'
import { addressOf, type LineReader, timeOf, valueOrEmpty, withoutPort } from './request.ts'

// No maintained package reads this format, and csv-parse reads all lines after a missing quote as one field. No two
// neighbouring parts of this expression match the same character, so it cannot backtrack without bound.
const quoted = String.raw`"([^"\\]*(?:\\.[^"\\]*)*)"`
const time = String.raw`\[(\d\d)/([A-Z][a-z]{2})/(\d{4}):(\d\d:\d\d:\d\d) ([+-]\d\d)(\d\d)\]`
const combined = new RegExp(
  String.raw`^([^[]+) ${time} ${quoted} (\d{3}) (?:\d+|-) ${quoted} ${quoted}(?: |$)`,
)

const names = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ')
const months = new Map(names.map((name, i) => [name, String(i + 1).padStart(2, '0')]))

/**
 * The combined format of Apache and nginx: `%h %l %u %t "%r" %>s %b "%{Referer}i" "%{User-agent}i"`, which may
 * have a virtual host in front (`%v:%p`) and more fields at the end.
 * @param host the host of lines without a virtual host
 */
export function readCombined(host: string): LineReader {
  return { read: (line) => readLine(line, host) }
}

function readLine(line: string, host: string): ReturnType<LineReader['read']> {
  const [found, front, day, month, year, clock, hours, minutes, request, status, referrer, agent] =
    combined.exec(line) ?? []
  if (found === undefined) return 'malformed'
  const client = clientOf(front ?? '')
  const at = timeOf(`${year}-${months.get(month ?? '')}-${day}T${clock}${hours}:${minutes}`)
  const [method, target] = requestOf(unescaped(request ?? ''))
  if (client === undefined || at === undefined || target === undefined) return 'malformed'
  return {
    at,
    method,
    host: client.host ?? host,
    target,
    status: Number(status),
    responseMs: 0,
    userAgent: valueOrEmpty(unescaped(agent ?? '')),
    address: addressOf(client.address),
    referrer: valueOrEmpty(unescaped(referrer ?? '')),
    country: '',
  }
}

/**
 * The fields before the time: an optional host, the client, its identity (mostly `-`), and the user, whose name may
 * have spaces.
 */
function clientOf(front: string): { address: string; host?: string } | undefined {
  const [first = '', second = '', ...rest] = front.split(' ')
  if (rest.length === 0) return undefined
  if (isIP(first) !== 0 || second === '-' || rest.length === 1) return { address: first }
  return { address: second, host: withoutPort(first) }
}

/** Method and target of `GET /a?b HTTP/1.1`. Anything else, such as `-` or bytes of TLS, has no target. */
function requestOf(line: string): [method: string, target?: string] {
  const [, method = '', target] = /^([A-Za-z]+) (\S.*?)(?: HTTP\/\d(?:\.\d)?)?$/.exec(line) ?? []
  return target === undefined ? [method] : [method, target]
}

const controls: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', v: '\v' }

/** Both servers write bytes beyond ASCII as `\xe4`; Apache writes `\"` and `\\` besides. */
function unescaped(text: string): string {
  if (!text.includes('\\')) return text
  return text.replace(/(?:\\x[0-9a-f]{2})+|\\(.)/gi, (found, single?: string) =>
    single === undefined
      ? Buffer.from(found.replaceAll(/\\x/gi, ''), 'hex').toString()
      : (controls[single] ?? single),
  )
}
