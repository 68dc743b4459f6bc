import { domainOf, hostOf, normaliseUrl } from '../../core/sites/urls.ts'
import type { ExternalKind, ExternalReference } from './document.ts'
import { attribute, type Element, hasWord, nameOf } from './dom.ts'
import type { Resolve } from './head.ts'

const mostReferences = 500
const longestAddress = 2000

function kindOf(element: Element): ExternalKind | null {
  const name = nameOf(element)
  if (name === 'a' || name === 'area') return 'link'
  if (name !== 'link') return null
  if (hasWord(element, 'rel', 'canonical')) return 'canonical'
  if (hasWord(element, 'rel', 'amphtml')) return 'alternate'
  const isOfPage = attribute(element, 'hreflang') !== null || attribute(element, 'media') !== null
  return isOfPage && hasWord(element, 'rel', 'alternate') ? 'alternate' : null
}

/**
 * Links and canonicals of a page that lead to other sites, and its alternates (hreflang, AMP, media) at other origins,
 * such as those of another country. Each once for each kind.
 */
export function externalReferences(
  elements: readonly Element[],
  resolve: Resolve,
  {
    address: page,
    ownDomains,
  }: { readonly address: string; readonly ownDomains: readonly string[] },
): ExternalReference[] {
  const own = new Set(ownDomains)
  const origin = URL.parse(page)?.origin
  const found = new Map<string, ExternalReference>()
  for (const element of elements) {
    const kind = kindOf(element)
    const address =
      kind === null ? undefined : resolve(attribute(element, 'href'))?.replace(/#.*$/s, '')
    if (kind === null || address === undefined || address.length > longestAddress) continue
    if (normaliseUrl(address) === null) continue
    const isElsewhere =
      kind === 'alternate'
        ? URL.parse(address)?.origin !== origin
        : !own.has(domainOf(hostOf(address)))
    if (isElsewhere) found.set(`${kind} ${address}`, { address, kind })
    if (found.size === mostReferences) break
  }
  return [...found.values()]
}
