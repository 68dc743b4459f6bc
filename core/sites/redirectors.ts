/**
 * Addresses that lead to another page. The page is read out of the address: nobody is asked.
 * @see the contract, "The same page, the same site"
 */

interface Redirector {
  readonly host: RegExp
  readonly path: RegExp
  /** The address of the page; null where it does not stand in this address. */
  readonly target: (url: URL, path: RegExpExecArray) => string | null
}

const google = /^(?:www\.)?google\.(?:[a-z]{2,3}|com?\.[a-z]{2})$/

/** The first of some parameters that is there. */
const parameter =
  (...names: readonly string[]) =>
  ({ searchParams }: URL) =>
    names.map((name) => searchParams.get(name)).find((value) => value !== null) ?? null

/** Bing writes `a1` and the address in base64. */
function fromBing({ searchParams }: URL): string | null {
  const coded = searchParams.get('u')
  if (!coded?.startsWith('a1')) return null
  try {
    const text = atob(coded.slice(2).replaceAll('-', '+').replaceAll('_', '/'))
    return new TextDecoder().decode(Uint8Array.from(text, (char) => char.charCodeAt(0)))
  } catch {
    return null
  }
}

/** AMP caches write host and path; `s/` means https. */
const fromAmp = ({ search }: URL, [, address = '']: RegExpExecArray) =>
  `https://${address}${search}`

/** Archives and readers write the address of the page behind their own. */
const behind = ({ search, hash }: URL, [, address = '']: RegExpExecArray) =>
  (/^https?:/.test(address) ? address.replace(/^(https?):\/+/, '$1://') : `https://${address}`) +
  search +
  hash

/** Translate writes `.` of the host as `-`, and `-` as `--`. */
function fromTranslate({ hostname, pathname, search }: URL): string {
  const host = hostname.replace(/\.translate\.goog$/, '')
  const own = host.replaceAll('--', '\n').replaceAll('-', '.').replaceAll('\n', '-')
  return `https://${own}${pathname}${search.replace(/([?&])_x_tr_\w+=[^&]*/g, '$1').replace(/[?&]+$/, '')}`
}

/** Nobody but its owner can open such an address, or it is a list of results: it names no page. */
const none = () => null

const redirectors: readonly Redirector[] = [
  { host: /^(?:www\.)?chatgpt\.com$/, path: /^\/backend-api\//, target: none },
  { host: /^images\.openai\.com$/, path: /^\//, target: none },
  { host: google, path: /^\/(?:search|viewer\/place)(?:\/|$)/, target: none },
  { host: google, path: /^\/goto$/, target: parameter('url') },
  { host: /^web\.archive\.org$/, path: /^\/web\/\d+[a-z_*]*\/(.+)/, target: behind },
  { host: /^r\.jina\.ai$/, path: /^\/(.+)/, target: behind },
  { host: /\.translate\.goog$/, path: /^\//, target: fromTranslate },
  { host: /^translate\.google\.[a-z.]+$/, path: /^\/translate$/, target: parameter('u') },
  { host: google, path: /^\/url$/, target: parameter('q', 'url') },
  { host: google, path: /^\/amp\/(?:s\/)?(.+)/, target: fromAmp },
  { host: /\.cdn\.ampproject\.org$/, path: /^\/[a-z]{1,3}\/(?:s\/)?(.+)/, target: fromAmp },
  { host: /^(?:www\.)?bing\.com$/, path: /^\/ck\/a$/, target: fromBing },
  { host: /^lm?\.facebook\.com$/, path: /^\/l\.php$/, target: parameter('u') },
  { host: /^out\.reddit\.com$/, path: /^\//, target: parameter('url') },
  { host: /^(?:www\.)?duckduckgo\.com$/, path: /^\/l\/?$/, target: parameter('uddg') },
  { host: /^t\.umblr\.com$/, path: /^\/redirect$/, target: parameter('z') },
  { host: /^href\.li$/, path: /^\/$/, target: ({ search }) => search.slice(1) || null },
  {
    // Its target is known to Google alone.
    host: /^vertexaisearch\.cloud\.google\.com$/,
    path: /^\/grounding-api-redirect\//,
    target: none,
  },
]

const mostRedirects = 5

/**
 * The URL that an address leads to, through at most five redirectors. An address that is no redirector's leads to
 * itself.
 * @returns null when the address of the page cannot be read
 */
export function leadsTo(address: URL): URL | null {
  let url = address
  for (let step = 0; step <= mostRedirects; step++) {
    const { hostname, pathname } = url
    const found = redirectors.find(({ host, path }) => host.test(hostname) && path.test(pathname))
    if (found === undefined) return url
    const path = found.path.exec(pathname)
    const target = path && found.target(url, path)
    const next = target ? URL.parse(target) : null
    if (next === null || !/^https?:$/.test(next.protocol)) return null
    url = next
  }
  return null
}
