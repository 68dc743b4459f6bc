import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { CheckId } from '../../../core/checks/checks.ts'
import { type Case, cases, site } from './cases.ts'
import { untrusted } from './certificate.ts'
import { pageOf, type Reply, redirectTo } from './page.ts'

/**
 * A site on loopback with every fault of the catalogue, and the list of its faults.
 * `http://shop.test` has the pages; further hosts have faults that exclude each other on one host.
 */

/** The planted state of robots.txt and the sitemap of `http://shop.test`. */
export type SitemapState = 'unnamed' | 'named' | 'broken' | 'none'

export interface AuditSite {
  /** For `ALLOW_PRIVATE_HOSTS`. */
  readonly privateHosts: string
  /** Mended pages and hosts, by the path or the origin. `all` mends everything. */
  readonly mended: Set<string>
  sitemap: SitemapState
  /** Requests since the start: method, address and user agent. */
  readonly requests: { readonly method: string; readonly address: string; readonly agent: string }[]
  close(): Promise<void>
}

const hosts = {
  closed: 'http://closed.shop.test',
  loose: 'http://loose.shop.test',
  signals: 'http://signals.shop.test',
  named: 'http://named.shop.test',
  secure: 'https://secure.shop.test',
} as const

/** All addresses to audit, in order. */
export const auditedAddresses: readonly string[] = [
  `${site}/`,
  `${site}/all`,
  ...cases.map(({ path }) => site + path),
  ...Object.values(hosts).map((origin) => `${origin}/`),
]

const isMended = ({ mended }: AuditSite, name: string) => mended.has('all') || mended.has(name)

/** Addresses that the sitemap of a site lists: all that are not left out on purpose. */
export function sitemapAddresses(state: AuditSite): string[] {
  if (state.sitemap === 'none') return []
  const left = cases.filter(({ notInSitemap, path }) => notInSitemap && !isMended(state, path))
  const out = new Set(left.map(({ path }) => site + path))
  return auditedAddresses.filter((address) => !out.has(address))
}

const text = (body: string, status = 200): Reply => ({
  status,
  headers: { 'Content-Type': 'text/plain; charset=utf-8' },
  body,
})
const missing = text('Not found', 404)

function robotsOf(state: AuditSite): string {
  const rules = (path: string, agent: string) =>
    isMended(state, path) ? '' : `User-agent: ${agent}\nDisallow: ${path}\n`
  const line = state.sitemap === 'named' ? `Sitemap: ${site}/sitemap.xml\n` : ''
  const broken = state.sitemap === 'broken' ? `Sitemap: ${site}/lost.xml\n` : ''
  return [
    rules('/private/all', '*') || 'User-agent: *\nAllow: /\n',
    rules('/private/bots', 'PerplexityBot'),
    rules('/private/cited', 'PerplexityBot'),
    line ||
      broken ||
      (isMended(state, site) && state.sitemap !== 'none' ? `Sitemap: ${site}/sitemap.xml\n` : ''),
  ].join('')
}

function sitemapOf(state: AuditSite): string {
  const modified = isMended(state, site) ? '<lastmod>2026-06-01</lastmod>' : ''
  const urls = sitemapAddresses(state).map((url) => `<url><loc>${url}</loc>${modified}</url>`)
  return `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${urls.join('')}</urlset>`
}

/** A page that links to all pages but the orphan. */
function listOf(state: AuditSite): Reply {
  const linked = cases.filter(({ isOrphan, path }) => !isOrphan || isMended(state, path))
  const links = linked.map(({ path }) => `<a href="${path}">${path.replace(/\W/g, '')}</a>`)
  return pageOf(`${site}/all`, { more: `<p>${links.join(' ')}</p>` })
}

function shopReply(state: AuditSite, path: string): Reply {
  const found = cases.find((one) => one.path === path)
  if (found !== undefined) return isMended(state, path) ? found.mended : found.planted
  switch (path) {
    case '/':
      return pageOf(`${site}/`, { more: '<a href="/all">All</a>' })
    case '/all':
      return listOf(state)
    case '/landing':
      return pageOf(`${site}/landing`)
    case '/moved':
      return redirectTo('/landing')
    case '/robots.txt':
      return text(robotsOf(state))
    case '/llms.txt':
      return text('# Acme\n\n- [All](/all): all pages\n')
    case '/sitemap.xml':
      return state.sitemap === 'none'
        ? missing
        : { headers: { 'Content-Type': 'application/xml' }, body: sitemapOf(state) }
    default:
      return missing
  }
}

const soundFiles: Record<string, Reply> = {
  '/robots.txt': text('User-agent: *\nAllow: /\n'),
  '/llms.txt': text('# Acme\n'),
}

const plantedFiles: Record<string, Record<string, Reply>> = {
  [hosts.closed]: { '/robots.txt': text('Busy', 503) },
  [hosts.loose]: {
    '/robots.txt': text('Disallow: /x\nUser-agent: *\nAllow: /\n'),
    '/llms.txt': text('Acme\n'),
    missing: pageOf(`${hosts.loose}/gone`, { title: 'Acme shop' }),
  },
  // A crawler that a group names ignores the group of all.
  [hosts.named]: {
    '/robots.txt': text('User-agent: *\nAllow: /\nUser-agent: SightlineBot\nDisallow: /\n'),
  },
  [hosts.signals]: {
    '/robots.txt': text(
      'User-agent: *\nAllow: /\nContent-Signal: search=yes, ai-input=no\n' +
        'User-agent: OAI-SearchBot\nUser-agent: GPTBot\nDisallow: /\n' +
        'User-agent: ClaudeBot\nCrawl-delay: 20\n',
    ),
    '/llms.txt': missing,
  },
}

function hostReply(state: AuditSite, origin: string, path: string): Reply {
  const files = isMended(state, origin) ? {} : (plantedFiles[origin] ?? {})
  const known = files[path] ?? soundFiles[path]
  if (known !== undefined) return known
  return path === '/' ? pageOf(`${origin}/`) : (files.missing ?? missing)
}

/** Faults of the page at an address. */
export function truthOf(state: AuditSite, address: string, withFacts: boolean): readonly CheckId[] {
  const { origin, pathname } = new URL(address)
  if (origin === hosts.secure) return ['certificate-invalid']
  if (origin !== site || pathname === '/') return []
  if (pathname === '/all') {
    const broken = [
      'unreachable',
      'server-error',
      'page-not-found',
      'redirect-loop',
      'cited-page-missing',
    ]
    const leading = [
      'redirect-chain',
      'redirected-page',
      'cited-page-redirects',
      'redirect-off-site',
    ]
    const open = (names: string[]) =>
      cases.some(({ path, faults }) => names.includes(faults[0] ?? '') && !isMended(state, path))
    return [
      ...(open(broken) ? (['broken-internal-links'] as const) : []),
      ...(open(leading) ? (['links-to-redirects'] as const) : []),
    ]
  }
  const found = cases.find(({ path }) => path === pathname)
  if (found === undefined || isMended(state, pathname)) return []
  return withFacts ? found.faults : (found.plain ?? found.faults)
}

/** Faults of the site at an origin. */
export function siteTruthOf(state: AuditSite, origin: string, withFacts: boolean): CheckId[] {
  const open = !isMended(state, origin)
  if (origin === hosts.closed) return open ? ['robots-unreachable'] : []
  if (origin === hosts.loose) {
    return open ? ['robots-invalid', 'missing-pages-answer-200', 'llms-txt-invalid'] : []
  }
  if (origin === hosts.signals) {
    const faults: CheckId[] = ['ai-search-bots-blocked', 'ai-training-bots-blocked']
    return open
      ? [...faults, 'content-signal-blocks-ai', 'crawl-delay-high', 'llms-txt-missing']
      : []
  }
  if (origin === hosts.named) return open ? ['audit-blocked'] : []
  if (origin !== site) return []
  const sitemap: Record<SitemapState, CheckId[]> = {
    unnamed: open ? ['sitemap-not-in-robots', 'sitemap-lastmod-missing'] : [],
    named: open ? ['sitemap-lastmod-missing'] : [],
    broken: ['sitemap-invalid', ...(open ? (['sitemap-lastmod-missing'] as const) : [])],
    none: ['sitemap-missing'],
  }
  const factual: CheckId[] = [
    'cited-urls-missing',
    'crawlers-hit-missing-pages',
    'crawlers-get-errors',
    'platform-crawler-absent',
  ]
  return ['https-missing', ...sitemap[state.sitemap], ...(withFacts && open ? factual : [])]
}

/** The case at an address, for its facts. */
export const caseAt = (address: string): Case | undefined =>
  cases.find(({ path }) => site + path === address)

async function send(reply: Reply, response: ServerResponse) {
  if (reply.delayMs !== undefined) await new Promise((end) => setTimeout(end, reply.delayMs))
  response.writeHead(reply.status ?? 200, reply.headers).end(reply.body ?? '')
}

/** Starts the site. Every host answers at one port, and `secure.shop.test` at another. */
export async function startAuditSite(): Promise<AuditSite> {
  const requests: { method: string; address: string; agent: string }[] = []
  const answer = (scheme: string) => (request: IncomingMessage, response: ServerResponse) => {
    const origin = `${scheme}://${request.headers.host}`
    const { pathname } = new URL(request.url ?? '/', origin)
    const agent = request.headers['user-agent'] ?? ''
    requests.push({ method: request.method ?? '', address: `${origin}${request.url}`, agent })
    const reply = origin === site ? shopReply(state, pathname) : hostReply(state, origin, pathname)
    if (reply.isSilent) response.destroy()
    else void send(reply, response)
  }
  const server = createServer(answer('http')).listen(0, '127.0.0.1')
  const tls = createTlsServer(untrusted, answer('https')).listen(0, '127.0.0.1')
  await Promise.all([once(server, 'listening'), once(tls, 'listening')])
  const port = (server.address() as AddressInfo).port
  const tlsPort = (tls.address() as AddressInfo).port
  const names = [site, hosts.closed, hosts.loose, hosts.signals, hosts.named].map(
    (one) => new URL(one).host,
  )
  const state: AuditSite = {
    privateHosts: [
      ...names.map((name) => `${name}:80=127.0.0.1:${port}`),
      `secure.shop.test:443=127.0.0.1:${tlsPort}`,
    ].join(','),
    mended: new Set(),
    sitemap: 'unnamed',
    requests,
    async close() {
      for (const one of [server, tls]) {
        one.closeAllConnections()
        one.close()
        await once(one, 'close')
      }
    },
  }
  return state
}
