import ipaddr from 'ipaddr.js'

/** 2000::/3, the only part of IPv6 that is global unicast. */
const globalUnicast = ipaddr.IPv6.parse('2000::')
/** Addresses that hold an IPv4 address in their last 32 bits, by the well-known prefix. @see RFC 6052 */
const translated = ipaddr.IPv6.parse('64:ff9b::')
/** The metadata server of Azure, which is no private address. */
const azureMetadata = '168.63.129.16'

const isPublicIPv4 = (address: ipaddr.IPv4) =>
  address.range() === 'unicast' && address.toString() !== azureMetadata

/**
 * Whether an IP address is one of the public internet: not loopback, private, link-local, shared, reserved or multicast.
 * An IPv4 address within an IPv6 address decides for it.
 */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false
  const address = ipaddr.parse(text)
  if (address instanceof ipaddr.IPv4) return isPublicIPv4(address)
  if (address.isIPv4MappedAddress()) return isPublicIPv4(address.toIPv4Address())
  if (address.match(translated, 96)) {
    return isPublicIPv4(new ipaddr.IPv4(address.toByteArray().slice(12)))
  }
  return address.match(globalUnicast, 3) && address.range() === 'unicast'
}

/** One spelling of an IP address, for comparing: an IPv4 address in IPv6 becomes IPv4. */
export function plainAddress(text: string): string {
  return ipaddr.isValid(text) ? ipaddr.process(text).toString() : text
}
