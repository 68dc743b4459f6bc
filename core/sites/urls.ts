import { getDomain, parse } from 'tldts'

// Not the package normalize-url: it always decodes the path and merges double slashes.
// The WHATWG parser handles scheme, host and default port.

/** Parameters that say where a visitor comes from, and change no page. */
const trackingName =
  /^(?:utm_.*|gclid|gbraid|wbraid|dclid|fbclid|msclkid|yclid|mc_cid|mc_eid|igshid|srsltid|ref_src|_ga)$/

const isTracking = (parameter: string) => trackingName.test(parameter.split('=', 1)[0] ?? '')

/** Drops parameters from the query text: URLSearchParams would re-encode the other parameters. */
function withoutTracking(search: string): string {
  if (!/[?&](?:utm_|g|wb|d|fb|ms|y|mc_|ig|sr|ref_|_ga)/.test(search)) return search
  const kept = search
    .slice(1)
    .split('&')
    .filter((parameter) => !isTracking(parameter))
    .join('&')
  return kept === '' ? '' : `?${kept}`
}

/**
 * The normalised form in which cited URLs are compared and stored: `https` and a lower-case host.
 * Removed are the default port, the fragment, a trailing slash except the root's, and an empty query.
 * Removed are parameters that only track, such as `utm_*` and `gclid`.
 * Removed are user and password: they name no other page, and facts must hold no credentials.
 * Idempotent. The WHATWG URL standard decides the rest, such as percent-encoding.
 * @returns null when the text is not an http or https URL with a host
 * @see https://url.spec.whatwg.org/#url-parsing
 */
export function normaliseUrl(text: string): string | null {
  const url = URL.parse(text)
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) return null
  const port = url.port === '' || url.port === '443' ? '' : `:${url.port}`
  const path = url.pathname
  // A loop, since /\/+$/ is quadratic on a path full of slashes.
  let end = path.length
  while (end > 1 && path[end - 1] === '/') end -= 1
  return `https://${url.hostname}${port}${path.slice(0, end)}${withoutTracking(url.search)}`
}

/**
 * A URL as the site spells it, to request it: with its scheme, port, trailing slash and whole query. Removed are the
 * fragment, which no request carries, and user and password.
 * @returns null when the text is not an http or https URL with a host
 */
export function addressOf(text: string): string | null {
  if (normaliseUrl(text) === null) return null
  const url = new URL(text)
  Object.assign(url, { username: '', password: '', hash: '' })
  return url.href
}

/**
 * The host of a URL in lower case, without the port and the final dot. An IPv6 address keeps its brackets.
 * @throws {TypeError} when the text is not a URL
 */
export function hostOf(url: string): string {
  const { hostname } = new URL(url)
  return hostname.endsWith('.') ? hostname.slice(0, -1) : hostname
}

/**
 * A host that a person typed or another program wrote, as facts spell it: in lower case and punycode, without port and
 * final dot. `www.` stays, since it may be another site than the bare domain.
 * @returns null for text that is no host, such as a URL or a path
 */
export function parseHost(text: string): string | null {
  const typed = text.trim()
  const url = typed === '' || /[/?#@\\]/.test(typed) ? null : URL.parse(`https://${typed}`)
  return url && hostOf(url.href)
}

const hostOptions = {
  allowPrivateDomains: true,
  extractHostname: false,
  validateHostname: false,
} as const

/**
 * The registrable domain of a lower-case host by the Public Suffix List, private section included.
 * `en.wikipedia.org` gives `wikipedia.org`; `a.github.io` gives `a.github.io`.
 * A host without a registrable domain stays: an IP address, `localhost`, a bare public suffix.
 * International names stay punycode.
 * @see https://publicsuffix.org/list/
 */
export function domainOf(host: string): string {
  return getDomain(host, hostOptions) ?? host
}

/** The same host; text that is no host stays, in lower case. */
export function hostOfText(text: string): string {
  return parseHost(text) ?? text.trim().toLowerCase()
}

/**
 * The registrable domain, lower-case and in punycode, of a typed `https://www.Sony.com/de`, `sony.com` or `Sony.com.`.
 * A private suffix, such as `github.io`, is the domain of its owner.
 * @returns null for text without a domain: one word, an IP address, a bare `co.uk`, another scheme
 */
export function parseDomainInput(text: string): string | null {
  const typed = text.trim()
  const absolute = /^[a-z][a-z0-9+.-]*:\/\//i.test(typed)
  const url = normaliseUrl(absolute ? typed : `https://${typed.replace(/^\/+/, '')}`)
  if (url === null) return null
  const host = hostOf(url)
  for (const candidate of host.startsWith('www.') ? [host.slice(4), host] : [host]) {
    const { domain, isPrivate } = parse(candidate, { allowPrivateDomains: true })
    if (domain !== null) return domain
    if (isPrivate) return candidate
  }
  return null
}
