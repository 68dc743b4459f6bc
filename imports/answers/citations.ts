import { contentType } from '../../core/sites/content-types.ts'
import { registryType } from '../../core/sites/source-types.ts'
import { domainOf, hostOf, normaliseUrl } from '../../core/sites/urls.ts'

/** A citation as the line names it. */
export interface NamedCitation {
  readonly position: number
  readonly url: string
  readonly title: string
}

/** A cited URL of one answer, with what is known of it from itself. */
export interface Citation extends NamedCitation {
  readonly host: string
  readonly domain: string
  readonly registryType: string
  readonly contentType: string
  /** The first of its domain, of its content type, within the answer. */
  readonly firstOfDomain: boolean
  readonly firstOfType: boolean
}

/** One entry a URL, the one of the lowest position; the first of equals. */
function oncePerUrl(named: readonly NamedCitation[]): NamedCitation[] {
  const byUrl = new Map<string, NamedCitation>()
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
export function countCitations(named: readonly NamedCitation[]): Citation[] {
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
