import ipaddr from 'ipaddr.js'
import { LRUCache } from 'lru-cache'
import { countryCode } from '../../core/countries.ts'
import { domainOf } from '../../core/sites/urls.ts'

/** The limits of texts in characters; longer texts are cut. */
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

/** An optional text. A number becomes text, since a region may be a number. */
export function optionalText(value: unknown, most: number): string | undefined {
  const text = typeof value === 'number' ? String(value) : value
  return typeof text === 'string' && text !== '' ? cut(text, most) : undefined
}

const decimal = /^\s*-?\d+(?:\.\d+)?\s*$/

/** A number, or a number as decimal text; NaN for any other value. */
export function numberOf(value: unknown): number {
  if (typeof value === 'number') return value
  return typeof value === 'string' && decimal.test(value) ? Number(value) : Number.NaN
}

function before(text: string, sign: string): string {
  const at = text.indexOf(sign)
  return at < 0 ? text : text.slice(0, at)
}

const withoutQuery = (text: string) => before(before(text, '?'), '#')

const origin = /^https?:\/\/[^/]*/i

/** The path of a request, or of a whole URL, without query and fragment, with a leading `/`. */
export function pathOf(text: string): string {
  const whole = withoutQuery(text)
  const bare = whole.startsWith('/') ? whole : whole.replace(origin, '')
  return cut(bare.startsWith('/') ? bare : `/${bare}`, longest.path)
}

const webHost = /^https?:\/\/([\w.-]*[\w-])(?::\d*)?(?:[/?#]|$)/i
const authority = /^(?:[a-z][a-z\d+.-]*:)?\/\/([^/?#\\]*)/i

/** The host of `user@Host.example.:443`: lower case, without the final dot. Empty when there is none. */
function hostOfAuthority(text: string): string {
  const host = URL.parse(`http://${text}`)?.hostname ?? ''
  return host.endsWith('.') ? host.slice(0, -1) : host
}

/** The start of the last URL with its host, since the events of a body share it. */
let lastOrigin = { start: 'https://localhost/', host: 'localhost' }

/** The host of an absolute URL, undefined when it has none. Punycode for international names. */
function hostOfUrl(url: string): string | undefined {
  if (url.startsWith(lastOrigin.start)) return lastOrigin.host
  // Nearly all URLs match; the URL parser takes ten times as long.
  const [start = '', plain] = webHost.exec(url) ?? []
  const host = plain?.toLowerCase() ?? hostOfAuthority(authority.exec(url)?.[1] ?? '')
  if (host === '' || host.length > longest.host) return undefined
  if (plain !== undefined && start.endsWith('/')) lastOrigin = { start, host }
  return host
}

/** The host of the URL, else of the `Host` header; undefined without either. */
export const hostOf = (url: string, hostHeader: string | undefined): string | undefined =>
  hostOfUrl(url) ?? (hostHeader === undefined ? undefined : hostOfUrl(`//${hostHeader}`))

/** A referrer without query, which may contain personal input, and without user and password. */
export function referrerOf(text: string): string {
  const bare = withoutQuery(text)
  const user = bare.includes('@') ? authority.exec(bare)?.[1]?.lastIndexOf('@') : undefined
  if (user === undefined || user < 0) return cut(bare, longest.referrer)
  const start = bare.indexOf('//') + 2
  return cut(bare.slice(0, start) + bare.slice(start + user + 1), longest.referrer)
}

/**
 * The registrable domain of a referrer: of the given host or URL, else of a referrer with `http` or `https`.
 */
export function referrerDomainOf(given: unknown, referrer: string | undefined): string | undefined {
  const givenHost = typeof given === 'string' ? hostOf(given, given) : undefined
  const isPage = referrer !== undefined && /^https?:/i.test(referrer)
  const host = givenHost ?? (isPage ? hostOfUrl(referrer) : undefined)
  return host === undefined ? undefined : domainOf(host)
}

const noAddress = '0.0.0.0'
const longestAddress = 64
const dottedQuad =
  /^((?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)\.){3})(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)$/

/** Crawlers come from few addresses. */
const networks = new LRUCache<string, string>({ max: 10_000 })

/** The network of an address: 24 bits of IPv4, 48 bits of IPv6; 0.0.0.0 for anything else. */
export function anonymousAddress(value: unknown): string {
  if (typeof value !== 'string' || value.length > longestAddress) return noAddress
  // Without a note of the use, which takes longer than the look-up.
  const known = networks.peek(value)
  if (known !== undefined) return known
  const network = networkOf(value)
  // A copy, for the address may be a part of a large text, which would stay in memory with it.
  networks.set(Buffer.from(value).toString(), network)
  return network
}

function networkOf(value: string): string {
  // The library takes three times as long, and reads "1" and "010.1.1.1" as inet_aton does.
  const network = dottedQuad.exec(value)?.[1]
  if (network !== undefined) return `${network}0`
  if (!ipaddr.IPv6.isValid(value)) return noAddress
  const address = ipaddr.process(value)
  if (address instanceof ipaddr.IPv4) return `${address.octets.slice(0, 3).join('.')}.0`
  return new ipaddr.IPv6([...address.parts.slice(0, 3), 0, 0, 0, 0, 0]).toString()
}

const twoLetters = /^[a-z]{2}$/i
/** By spelling: 2,704 at most. */
const countries = new Map<string, string>()

/** ISO 3166-1 alpha-2 of a two-letter code in any case; undefined for an unknown country. */
export function countryOf(value: unknown): string | undefined {
  if (typeof value !== 'string' || !twoLetters.test(value)) return undefined
  const known = countries.get(value)
  if (known !== undefined) return known || undefined
  const code = countryCode(value) ?? ''
  countries.set(value, code)
  return code || undefined
}
