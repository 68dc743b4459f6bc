import ipaddr from 'ipaddr.js'

/** Proxies in front of the service: an address and its leading bits. Plain values, since processes send them as JSON. */
export type Proxies = readonly (readonly [address: string, bits: number])[]

/** @returns null for a text that is no list of addresses and ranges */
export function parseProxies(text: string): Proxies | null {
  const given = text.split(',').map((part) => part.trim())
  const isAddress = given.every((part) => ipaddr.isValidCIDR(part) || ipaddr.isValid(part))
  if (!isAddress) return null
  return given.map((part) => {
    if (ipaddr.isValidCIDR(part)) {
      const [address, bits] = ipaddr.parseCIDR(part)
      return [address.toString(), bits]
    }
    const address = ipaddr.process(part)
    return [address.toString(), address.kind() === 'ipv4' ? 32 : 128]
  })
}

/** Whether an address is of one of the proxies. */
export function isIn(proxies: Proxies, address: string): boolean {
  if (!ipaddr.isValid(address)) return false
  // A socket of IPv6 has an address of IPv4 as `::ffff:10.0.0.1`.
  const read = ipaddr.process(address)
  return proxies.some(([address, bits]) => {
    const proxy = ipaddr.parse(address)
    return proxy.kind() === read.kind() && read.match(proxy, bits)
  })
}

/**
 * The address that a request comes from: the last of `X-Forwarded-For` that no trusted proxy has. What stands before it,
 * any client could have written.
 * @param peer the other end of the connection
 */
export function clientAddress(
  peer: string,
  forwardedFor: string | readonly string[] | undefined,
  proxies: Proxies,
): string {
  if (!isIn(proxies, peer)) return peer
  const passed = String(forwardedFor ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter((part) => ipaddr.isValid(part))
  return passed.findLast((address) => !isIn(proxies, address)) ?? passed[0] ?? peer
}
