import ipaddr from 'ipaddr.js'
import { countryCode } from '../../core/countries.ts'
import { domainOf } from '../../core/sites/urls.ts'

/** The most characters that are kept of a text; the rest is cut off. */
export const longest = {
  eventName: 128,
  method: 32,
  path: 2048,
  userAgent: 1024,
  referrer: 2048,
  host: 255,
  place: 128,
  campaign: 256,
} as const

export const cut = (text: string, most: number): string =>
  text.length > most ? text.slice(0, most) : text

/** A text that may be absent. Numbers count as their text, since a region may be one. */
export function optionalText(value: unknown, most: number): string | undefined {
  const text = typeof value === 'number' ? String(value) : value
  return typeof text === 'string' && text !== '' ? cut(text, most) : undefined
}

const decimal = /^\s*-?\d+(?:\.\d+)?\s*$/

/** A number, or the decimal text of one; NaN for all else. */
export function numberOf(value: unknown): number {
  if (typeof value === 'number') return value
  return typeof value === 'string' && decimal.test(value) ? Number(value) : Number.NaN
}

function before(text: string, sign: string): string {
  const at = text.indexOf(sign)
  return at < 0 ? text : text.slice(0, at)
}

const withoutQuery = (text: string) => before(before(text, '?'), '#')

/** The path of a request: no query, no fragment, `/` at its start. */
export function pathOf(text: string): string {
  const bare = withoutQuery(text)
  return cut(bare.startsWith('/') ? bare : `/${bare}`, longest.path)
}

const webHost = /^https?:\/\/([\w.-]*[\w-])(?::\d*)?(?:[/?#]|$)/i
const authority = /^(?:[a-z][a-z\d+.-]*:)?\/\/([^/?#\\]*)/i

/** Of `user@Host.example.:443` the host: lower case, without the root's dot. Empty when it is none. */
function hostOfAuthority(text: string): string {
  const host = URL.parse(`http://${text}`)?.hostname ?? ''
  return host.endsWith('.') ? host.slice(0, -1) : host
}

/** The host of an absolute URL, undefined when it has none. Punycode for international names. */
function hostOfUrl(url: string): string | undefined {
  // What nearly all look like; the parser of URLs takes ten times as long.
  const plain = webHost.exec(url)?.[1]
  const host = plain?.toLowerCase() ?? hostOfAuthority(authority.exec(url)?.[1] ?? '')
  return host === '' || host.length > longest.host ? undefined : host
}

/** The host of the URL, else the one of the `Host` header; undefined without either. */
export const hostOf = (url: string, hostHeader: string | undefined): string | undefined =>
  hostOfUrl(url) ?? (hostHeader === undefined ? undefined : hostOfUrl(`//${hostHeader}`))

/** A referrer without its query, which may hold what a person typed, and without user and password. */
export function referrerOf(text: string): string {
  const bare = withoutQuery(text)
  const user = bare.includes('@') ? authority.exec(bare)?.[1]?.lastIndexOf('@') : undefined
  if (user === undefined || user < 0) return cut(bare, longest.referrer)
  const start = bare.indexOf('//') + 2
  return cut(bare.slice(0, start) + bare.slice(start + user + 1), longest.referrer)
}

/**
 * The registrable domain of a referrer: of the one that is given, as a host or a URL, else of the
 * referrer where that is a page of the web.
 */
export function referrerDomainOf(given: unknown, referrer: string | undefined): string | undefined {
  const told = typeof given === 'string' ? hostOf(given, given) : undefined
  const isPage = referrer !== undefined && /^https?:/i.test(referrer)
  const host = told ?? (isPage ? hostOfUrl(referrer) : undefined)
  return host === undefined ? undefined : domainOf(host)
}

const noAddress = '0.0.0.0'
const longestAddress = 64
const dottedQuad =
  /^((?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)\.){3})(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)$/

/** An address that names a network and no person: IPv4 by 24 bits, IPv6 by 48; else 0.0.0.0. */
export function anonymousAddress(value: unknown): string {
  if (typeof value !== 'string' || value.length > longestAddress) return noAddress
  // The library takes three times as long for these, and reads "1" and "010.1.1.1" as inet_aton does.
  const network = dottedQuad.exec(value)?.[1]
  if (network !== undefined) return `${network}0`
  if (!ipaddr.IPv6.isValid(value)) return noAddress
  const address = ipaddr.process(value)
  if (address instanceof ipaddr.IPv4) return `${address.octets.slice(0, 3).join('.')}.0`
  return new ipaddr.IPv6([...address.parts.slice(0, 3), 0, 0, 0, 0, 0]).toString()
}

const twoLetters = /^[a-z]{2}$/i
/** By spelling, of which there are 2,704. */
const countries = new Map<string, string>()

/** ISO 3166-1 alpha-2 of a two-letter code in any case; undefined when there is no such country. */
export function countryOf(value: unknown): string | undefined {
  if (typeof value !== 'string' || !twoLetters.test(value)) return undefined
  const known = countries.get(value)
  if (known !== undefined) return known || undefined
  const code = countryCode(value) ?? ''
  countries.set(value, code)
  return code || undefined
}
