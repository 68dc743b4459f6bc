import type { IncomingMessage } from 'node:http'
import { LRUCache } from 'lru-cache'
import { hasTwoKeys } from '../../core/access.ts'
import { Fault } from '../../core/errors.ts'

/** Hosts without a fault: most requests of a service name one of few. */
const known = new LRUCache<string, true>({ max: 100 })

function isHost(host: string): boolean {
  if (known.has(host)) return true
  const isOne = hostShape.test(host) && URL.canParse(`http://${host}`)
  if (isOne && host.length < 300) known.set(host, true)
  return isOne
}

/** What a host may be: a name or an address, with a port. URL's own rules judge the rest. */
const hostShape = /^[^\s/?#@\\]+$/

/**
 * The fault of a request whose address cannot be read: a target that is no path, or a `Host` that is no host.
 * @see RFC 9112, section 3.2
 */
export function addressFault({ url = '/', headers, httpVersion }: IncomingMessage): Fault | null {
  if (!url.startsWith('/') || !URL.canParse(`http://localhost${url}`)) {
    return new Fault('invalid_argument', 'The target of the request must be a path, such as `/`.')
  }
  const { host } = headers
  if (host === undefined && httpVersion === '1.0') return null
  if (host !== undefined && isHost(host)) return null
  return new Fault(
    'invalid_argument',
    'The header `Host` must be a host, such as `localhost:4000`.',
  )
}

/** The same for two different keys: Node.js reads the first, and a proxy may have checked the second. */
export function twoKeysFault({ rawHeaders, headers }: IncomingMessage): Fault | null {
  if (!hasTwoKeys(rawHeaders, headers.authorization)) return null
  return new Fault('invalid_argument', 'The header `Authorization` must be given once.', {
    extras: { howToFix: 'Send one key.' },
  })
}

/** The path and the query of a request without an `addressFault`. `//` is a path, never a host. */
export function addressOf({ url = '/' }: IncomingMessage): URL {
  return new URL(`http://localhost${url}`)
}

/** The path as the client sent it, without the query. */
export function pathOf(request: IncomingMessage): string {
  const { url = '/' } = request
  const end = url.indexOf('?')
  return end === -1 ? url : url.slice(0, end)
}

/** Whether a request is one of the methods that change nothing. */
const isRead = ({ method }: IncomingMessage) => method === 'GET' || method === 'HEAD'

/** Every value of a header that writes alone read. */
export function headerOfWrite(request: IncomingMessage, name: string): readonly string[] {
  return isRead(request) ? [] : (request.headersDistinct[name] ?? [])
}
