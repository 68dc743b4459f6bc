import ipaddr from 'ipaddr.js'

/** A host that audits may reach although its address is private. */
export interface PrivateHost {
  /** In lower case, without a final dot: as `URL.hostname` spells it. */
  readonly name: string
  /** Null opens the ports that are open for every host. */
  readonly port: number | null
  /** The address that is connected to in place of the name's own. */
  readonly target: { readonly address: string; readonly port: number } | null
}

/** Ports that audits connect to without an exception. */
export const openPorts: readonly number[] = [80, 443, 8080, 8443]

const entryPattern = /^(\[[^\]]+\]|[^:=[\]]+)(?::(\d{1,5}))?(?:=(\[[^\]]+\]|[^:=[\]]+):(\d{1,5}))?$/

const isPort = (port: number) => port >= 1 && port <= 65535

function readEntry(text: string): PrivateHost | null {
  const [, name = '', port, ip, ipPort] = entryPattern.exec(text) ?? []
  const host = name === '' ? null : URL.parse(`http://${name}/`)?.hostname.replace(/\.$/, '')
  if (!host || (port !== undefined && !isPort(Number(port)))) return null
  const own = { name: host, port: port === undefined ? null : Number(port) }
  if (ip === undefined) return { ...own, target: null }
  const address = ip.replace(/^\[|\]$/g, '')
  const isAddress = ipaddr.IPv4.isValidFourPartDecimal(address) || ipaddr.IPv6.isValid(address)
  return isAddress && isPort(Number(ipPort))
    ? { ...own, target: { address, port: Number(ipPort) } }
    : null
}

/**
 * Reads `name[:port][=ip:port],…`, such as `shop.test:80=127.0.0.1:8700`. An IPv6 address stands in brackets.
 * @returns null when an entry breaks this form
 */
export function parsePrivateHosts(text: string): readonly PrivateHost[] | null {
  const entries = text.split(',').map((entry) => readEntry(entry.trim()))
  return entries.every((entry) => entry !== null) ? entries : null
}

/** The exception for a host and port; a name covers no subdomains. */
export function privateHostFor(
  hosts: readonly PrivateHost[],
  hostname: string,
  port: number,
): PrivateHost | undefined {
  const name = hostname.replace(/\.$/, '')
  return hosts.find(
    (host) =>
      host.name === name && (host.port === null ? openPorts.includes(port) : host.port === port),
  )
}

/** Whether a secret may go to an http address in clear: the operator named its host. */
export function mayBeClear(hosts: readonly PrivateHost[], { hostname, port }: URL): boolean {
  return privateHostFor(hosts, hostname, port === '' ? 80 : Number(port)) !== undefined
}
