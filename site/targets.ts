import { LRUCache } from 'lru-cache'
import { normaliseUrl } from '../core/sites/urls.ts'

/** A page with the addresses that it names. */
export interface LinkingPage {
  /** The normalised URL. */
  readonly url: string
  /** Own addresses, absolute. */
  readonly links: readonly string[]
  readonly canonicals: readonly string[]
}

const mostOfPage = 200
const mostOfShape = 20
const longestAddress = 2000
const mostSegments = 12
const mostEqualSegments = 2
/** Links that many pages share, such as those of a menu, are parsed once. */
const knownLinks = 20_000

function isTrap(url: URL): boolean {
  const segments = url.pathname.split('/').filter((segment) => segment !== '')
  const counts = new Map<string, number>()
  for (const segment of segments) counts.set(segment, (counts.get(segment) ?? 0) + 1)
  return (
    url.href.length > longestAddress ||
    segments.length > mostSegments ||
    [...counts.values()].some((count) => count > mostEqualSegments)
  )
}

/** Folders that a host adds to a site: challenges and protected mail addresses of Cloudflare, scripts of Vercel, functions of Netlify. */
const hostFolders = /^\/(?:cdn-cgi|_vercel|\.netlify)\//

/** Whether the host of the site made the address, and not the site: it is no page, and answers programs otherwise. */
export function isOfHost(address: string): boolean {
  return hostFolders.test(URL.parse(address)?.pathname ?? '')
}

/** The shape of addresses that a program may list without end; null where it has neither a digit nor a query. */
function shapeOf(url: URL): string | null {
  if (!/\d/.test(url.pathname) && url.search === '') return null
  const names = [...new Set(url.searchParams.keys())].toSorted()
  return `${url.origin}${url.pathname.replace(/\d+/g, 'N')}?${names.join('&')}`
}

/** Chooses the link targets of an audit from pages that pass one by one. */
export interface TargetChoice {
  add(page: LinkingPage): void
  /** The chosen addresses, in order. */
  chosen(): string[]
}

/**
 * Chooses the addresses that an audit asks once: canonicals, then links, of own hosts, that are no audited pages. In the
 * order of addresses, at most 200 a page, 20 of a shape, and 4 a page and 200 in all. The rest is not asked.
 * @param audited the normalised URLs of all pages
 */
export function createTargetChoice(
  audited: ReadonlySet<string>,
  isOwn: (address: string) => boolean,
): TargetChoice {
  const most = 4 * audited.size + 200
  const known = new LRUCache<string, string>({ max: knownLinks })
  let canonicals = new Set<string>()
  let links = new Set<string>()

  /** The address to ask for a link, empty where none is asked. */
  function targetOf(address: string): string {
    const url = URL.parse(address)
    if (url === null || !isOwn(address) || isOfHost(address)) return ''
    url.hash = ''
    const normal = normaliseUrl(url.href)
    return normal === null || audited.has(normal) || isTrap(url) ? '' : url.href
  }
  function usable(addresses: readonly string[]): string[] {
    const found = new Set<string>()
    for (const address of addresses) {
      const target = known.get(address) ?? targetOf(address)
      known.set(address, target)
      if (target !== '') found.add(target)
    }
    return [...found].toSorted()
  }
  function best(): string[] {
    const chosen = new Set<string>()
    const shapes = new Map<string, number>()
    for (const address of [...[...canonicals].toSorted(), ...[...links].toSorted()]) {
      if (chosen.size >= most) break
      if (chosen.has(address)) continue
      const shape = shapeOf(new URL(address))
      const count = shape === null ? 0 : (shapes.get(shape) ?? 0)
      if (count >= mostOfShape) continue
      if (shape !== null) shapes.set(shape, count + 1)
      chosen.add(address)
    }
    return [...chosen]
  }
  /** What is not chosen now is not chosen among more addresses either. */
  function forgetOthers(): void {
    const kept = new Set(best())
    canonicals = new Set([...canonicals].filter((address) => kept.has(address)))
    links = new Set([...links].filter((address) => kept.has(address)))
  }

  return {
    add(page) {
      for (const address of usable(page.canonicals)) canonicals.add(address)
      for (const address of usable(page.links).slice(0, mostOfPage)) links.add(address)
      if (canonicals.size + links.size > 4 * most) forgetOthers()
    },
    chosen: () => best().toSorted(),
  }
}
