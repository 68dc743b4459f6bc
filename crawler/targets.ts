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

/** The shape of addresses that a program may list without end; null where it has neither a digit nor a query. */
function shapeOf(url: URL): string | null {
  if (!/\d/.test(url.pathname) && url.search === '') return null
  const names = [...new Set(url.searchParams.keys())].toSorted()
  return `${url.origin}${url.pathname.replace(/\d+/g, 'N')}?${names.join('&')}`
}

/**
 * The addresses that an audit asks once: canonicals, then links, of own hosts, that are no audited pages. In the order of
 * addresses, at most 200 a page, 20 of a shape, and 4 a page and 200 in all. The rest is not asked.
 */
export function chooseTargets(
  pages: readonly LinkingPage[],
  isOwn: (address: string) => boolean,
): string[] {
  const audited = new Set(pages.map(({ url }) => url))
  const usable = (addresses: readonly string[]) => {
    const found = new Set<string>()
    for (const address of addresses) {
      const url = URL.parse(address)
      if (url === null || !isOwn(address)) continue
      url.hash = ''
      const normal = normaliseUrl(url.href)
      if (normal !== null && !audited.has(normal) && !isTrap(url)) found.add(url.href)
    }
    return [...found].toSorted()
  }
  const canonicals = usable(pages.flatMap((page) => page.canonicals))
  const links = new Set(pages.flatMap((page) => usable(page.links).slice(0, mostOfPage)))
  const chosen = new Set<string>()
  const shapes = new Map<string, number>()
  const most = 4 * pages.length + 200
  for (const address of [...canonicals, ...[...links].toSorted()]) {
    if (chosen.size >= most) break
    if (chosen.has(address)) continue
    const shape = shapeOf(new URL(address))
    const count = shape === null ? 0 : (shapes.get(shape) ?? 0)
    if (count >= mostOfShape) continue
    if (shape !== null) shapes.set(shape, count + 1)
    chosen.add(address)
  }
  return [...chosen].toSorted()
}
