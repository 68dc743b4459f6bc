import type { IncomingMessage } from 'node:http'
import { Fault } from '../../core/errors.ts'

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
  if (host !== undefined && hostShape.test(host) && URL.canParse(`http://${host}`)) return null
  return new Fault(
    'invalid_argument',
    'The header `Host` must be a host, such as `localhost:4000`.',
  )
}

/** The path and the query of a request without an `addressFault`. `//` is a path, never a host. */
export function addressOf({ url = '/' }: IncomingMessage): URL {
  return new URL(`http://localhost${url}`)
}
