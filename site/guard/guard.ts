import type { LookupAddress } from 'node:dns'
import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { openPorts, type PrivateHost, privateHostFor } from '../../core/sites/private-hosts.ts'
import { isPublicAddress } from './public-address.ts'

/** The guard forbids an address: nothing was sent to it. */
export class Refused extends Error {
  constructor(address: URL, reason: string) {
    super(`${address.host}: ${reason}`)
    this.name = 'Refused'
  }
}

/** The addresses that a connection may use, all of them checked. */
export interface Destination {
  readonly addresses: readonly LookupAddress[]
  readonly port: number
  /** `ALLOW_PRIVATE_HOSTS` opens it: its addresses need not be public. */
  readonly isExempt: boolean
}

export type Resolve = (hostname: string) => Promise<readonly LookupAddress[]>

export interface Guard {
  /**
   * Judges an address by its spelling, without a look at DNS.
   * @throws {Refused}
   */
  judge(address: URL): void
  /**
   * Resolves the host once. Every address must be public.
   * @throws {Refused} also where one of several addresses is not public
   * @throws {Error} of DNS, with its code
   */
  resolve(address: URL): Promise<Destination>
}

const localNames = /(^|\.)(localhost|local|internal|home\.arpa)$/

const portOf = ({ protocol, port }: URL) =>
  port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port)
/** The host without its final dot and without the brackets of an IPv6 address. */
const nameOf = ({ hostname }: URL) => hostname.replace(/\.$/, '').replace(/^\[|\]$/g, '')

/** `dns.lookup` reads the hosts file too, as every program of the machine does. */
export const lookupAll: Resolve = (hostname) => lookup(hostname, { all: true, order: 'verbatim' })

/**
 * Keeps requests away from private networks and from services of the machine.
 * @param privateHosts exceptions, each for one exact name
 * @see https://owasp.org/www-community/attacks/Server_Side_Request_Forgery
 */
export function createGuard(
  privateHosts: readonly PrivateHost[],
  lookupName: Resolve = lookupAll,
): Guard {
  const exceptionFor = (url: URL) => privateHostFor(privateHosts, url.hostname, portOf(url))

  function judge(url: URL): void {
    if (url.protocol !== 'http:' && url.protocol !== 'https:') {
      throw new Refused(url, `${url.protocol} is neither http: nor https:`)
    }
    if (`${url.username}${url.password}` !== '') throw new Refused(url, 'has a user or password')
    if (exceptionFor(url) !== undefined) return
    const port = portOf(url)
    if (!openPorts.includes(port)) throw new Refused(url, `port ${port} is not open to audits`)
    const name = nameOf(url)
    if (isIP(name) !== 0) {
      if (!isPublicAddress(name)) throw new Refused(url, 'is a private address')
    } else if (!name.includes('.') || localNames.test(name)) {
      throw new Refused(url, 'is a name of a private network')
    }
  }

  return {
    judge,
    async resolve(url) {
      judge(url)
      const exception = exceptionFor(url)
      const name = nameOf(url)
      const given = exception?.target?.address ?? name
      const family = isIP(given)
      const addresses = family === 0 ? await lookupName(name) : [{ address: given, family }]
      if (addresses.length === 0) {
        throw Object.assign(new Error(`${name} has no address`), { code: 'ENOTFOUND' })
      }
      const isExempt = exception !== undefined
      const refused = isExempt
        ? undefined
        : addresses.find((each) => !isPublicAddress(each.address))
      if (refused !== undefined) {
        throw new Refused(url, `resolves to the private address ${refused.address}`)
      }
      return { addresses, port: exception?.target?.port ?? portOf(url), isExempt }
    },
  }
}
