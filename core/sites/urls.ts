import { getDomain, parse } from 'tldts'

// The npm normalize-url cannot be set to these rules alone: it always decodes the path and merges
// double slashes. The WHATWG parser gives scheme, host and default port; the rest is a few lines.

const trackingName = /^(?:utm_.*|gclid|fbclid|srsltid)$/

const isTracking = (parameter: string) => trackingName.test(parameter.split('=', 1)[0] ?? '')

/** Drops parameters from the text of the query: URLSearchParams would re-encode the others. */
function withoutTracking(search: string): string {
  if (!/[?&](?:utm_|gclid|fbclid|srsltid)/.test(search)) return search
  const kept = search
    .slice(1)
    .split('&')
    .filter((parameter) => !isTracking(parameter))
  return kept.length === 0 ? '' : `?${kept.join('&')}`
}

/**
 * The form in which cited URLs are compared and stored: `https`, lower-case host, no default port,
 * no fragment, no `utm_*`, `gclid`, `fbclid`, `srsltid`, no trailing slash but the root's. User and
 * password go too: they name no other page, and credentials do not belong into stored facts. The
 * `?` of an empty query goes, which is what is left where only tracking stood.
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
 * The host of a URL, lower-case, without port and without the root's dot; an IPv6 address keeps its
 * brackets.
 * @throws {TypeError} when the text is not a URL
 */
export function hostOf(url: string): string {
  const { hostname } = new URL(url)
  return hostname.endsWith('.') ? hostname.slice(0, -1) : hostname
}

const hostOptions = {
  allowPrivateDomains: true,
  extractHostname: false,
  validateHostname: false,
} as const

/**
 * The registrable domain of a lower-case host by the Public Suffix List, private section included:
 * `en.wikipedia.org` gives `wikipedia.org`, `a.github.io` itself. The host where there is none: an
 * IP address, `localhost`, a bare public suffix. International names stay punycode.
 * @see https://publicsuffix.org/list/
 */
export function domainOf(host: string): string {
  return getDomain(host, hostOptions) ?? host
}

/**
 * The domain that a person means by `https://www.Sony.com/de`, `sony.com` or `Sony.com.`:
 * registrable, lower-case, punycode. A private suffix, such as `github.io`, is its owner's domain.
 * @returns null when it names none: one word, an IP address, a bare `co.uk`, another scheme
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
