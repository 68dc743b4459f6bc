import { knownResults } from '../../core/load/known-results.ts'
import { type CitedPage, citedPage } from '../../core/sites/cited-url.ts'
import { contentType } from '../../core/sites/content-types.ts'
import { sourceTypeOfPage } from '../../core/sites/source-types.ts'

// Answers cite the same pages again and again.
const pageOf = knownResults(citedPage)
const contentTypeOf = knownResults((url: string, title: string) => contentType(url, title))
const registryTypeOf = knownResults(sourceTypeOfPage)

/** A citation of a line. */
export interface GivenCitation {
  readonly position: number
  readonly url: string
  readonly title: string
}

/** A citation with the page that it means. */
interface PageCitation extends GivenCitation, CitedPage {
  /** The address as it came. */
  readonly given: string
}

/** A cited URL of one answer, with the values that follow from the URL and the title. */
export interface Citation extends PageCitation {
  readonly registryType: string
  readonly contentType: string
  /** Whether the answer cites no other URL of the domain, or of the content type, before. */
  readonly firstOfDomain: boolean
  readonly firstOfType: boolean
}

/** A URL that the assistant read for one answer, and that the answer does not cite. */
export type Retrieved = Omit<PageCitation, 'host'>

/** Each page once, at its lowest position. */
function oncePerUrl(named: readonly GivenCitation[]): PageCitation[] {
  const byUrl = new Map<string, PageCitation>()
  for (const citation of named.toSorted((a, b) => a.position - b.position)) {
    const page = pageOf(citation.url, citation.title)
    if (page === null) continue
    const known = byUrl.get(page.url)
    if (!known) byUrl.set(page.url, { ...citation, ...page, given: citation.url })
    else if (known.title === '') byUrl.set(page.url, { ...known, title: citation.title })
  }
  return [...byUrl.values()]
}

/**
 * The citations that count: http and https URLs, each page once, by position.
 * @see the contract's metrics, "A citation"
 */
export function countCitations(named: readonly GivenCitation[]): Citation[] {
  const domains = new Set<string>()
  const types = new Set<string>()
  return oncePerUrl(named).map((citation) => {
    const { url, title, domain } = citation
    const type = contentTypeOf(url, title)
    const firstOfDomain = !domains.has(domain)
    const firstOfType = !types.has(type)
    domains.add(domain)
    types.add(type)
    const registryType = registryTypeOf(url, domain)
    return { ...citation, registryType, contentType: type, firstOfDomain, firstOfType }
  })
}

/** The URLs that were read and are not cited: http and https URLs, each page once, by position. */
export function onlyRetrieved(
  named: readonly GivenCitation[],
  citations: readonly Citation[],
): Retrieved[] {
  const cited = new Set(citations.map(({ url }) => url))
  return oncePerUrl(named)
    .filter(({ url }) => !cited.has(url))
    .map(({ position, url, given, title, domain }) => ({ position, url, given, title, domain }))
}
