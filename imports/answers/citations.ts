import { contentType } from '../../core/sites/content-types.ts'
import { registryType } from '../../core/sites/source-types.ts'
import { domainOf, hostOf, normaliseUrl } from '../../core/sites/urls.ts'

/** A citation of a line. */
export interface GivenCitation {
  readonly position: number
  readonly url: string
  readonly title: string
}

/** A cited URL of one answer, with the values that follow from the URL and the title. */
export interface Citation extends GivenCitation {
  readonly host: string
  readonly domain: string
  readonly registryType: string
  readonly contentType: string
  /** Whether the answer cites no other URL of the domain, or of the content type, before. */
  readonly firstOfDomain: boolean
  readonly firstOfType: boolean
}

/** A URL that the assistant read for one answer, and that the answer does not cite. */
export interface Retrieved extends GivenCitation {
  readonly domain: string
}

/** Each URL once, normalised, at its lowest position. */
function oncePerUrl(named: readonly GivenCitation[]): GivenCitation[] {
  const byUrl = new Map<string, GivenCitation>()
  for (const citation of named.toSorted((a, b) => a.position - b.position)) {
    const url = normaliseUrl(citation.url)
    if (url === null) continue
    const known = byUrl.get(url)
    if (!known) byUrl.set(url, { ...citation, url })
    else if (known.title === '') byUrl.set(url, { ...known, title: citation.title })
  }
  return [...byUrl.values()]
}

/**
 * The citations that count: http and https URLs, normalised, each once, by position.
 * @see the contract's metrics, "A citation"
 */
export function countCitations(named: readonly GivenCitation[]): Citation[] {
  const domains = new Set<string>()
  const types = new Set<string>()
  return oncePerUrl(named).map(({ position, url, title }) => {
    const host = hostOf(url)
    const domain = domainOf(host)
    const type = contentType(url, title)
    const firstOfDomain = !domains.has(domain)
    const firstOfType = !types.has(type)
    domains.add(domain)
    types.add(type)
    return {
      position,
      url,
      title,
      host,
      domain,
      registryType: registryType(domain),
      contentType: type,
      firstOfDomain,
      firstOfType,
    }
  })
}

/** The URLs that were read and are not cited: http and https URLs, normalised, each once, by position. */
export function onlyRetrieved(
  named: readonly GivenCitation[],
  citations: readonly Citation[],
): Retrieved[] {
  const cited = new Set(citations.map(({ url }) => url))
  return oncePerUrl(named)
    .filter(({ url }) => !cited.has(url))
    .map(({ position, url, title }) => ({ position, url, title, domain: domainOf(hostOf(url)) }))
}
