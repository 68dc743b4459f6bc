import { cachedResults } from '../../core/load/cached-results.ts'
import { type CitedPage, citedPage, pageKey } from '../../core/sites/cited-url.ts'
import { type ContentType, contentType } from '../../core/sites/content-types.ts'
import { type RegistryType, sourceTypeOfPage } from '../../core/sites/source-types.ts'

// Answers cite the same pages again and again.
const keyOf = cachedResults(pageKey)
const pageOf = cachedResults(citedPage)
const typedPageOf = cachedResults((address: string, title: string): TypedPage | null => {
  const page = citedPage(address, title)
  if (page === null) return null
  const registryType = sourceTypeOfPage(page.url, page.domain)
  return { ...page, registryType, contentType: contentType(page.url, title) }
})

/** A citation of a line. */
export interface GivenCitation {
  readonly position: number
  readonly url: string
  readonly title: string
}

/** The page of an address, with the values that follow from its URL and its title. */
interface TypedPage extends CitedPage {
  readonly registryType: RegistryType
  readonly contentType: ContentType
}

/** A citation with the page that it means. */
type CitationOf<Page> = GivenCitation &
  Page & {
    /** The address as it came. */
    readonly given: string
  }

/** A cited URL of one answer. */
export interface Citation extends CitationOf<TypedPage> {
  /** Whether the answer cites no other URL of the domain, or of the content type, before. */
  readonly firstOfDomain: boolean
  readonly firstOfType: boolean
}

/** A URL that the assistant read for one answer, and that the answer does not cite. */
export type Retrieved = Omit<CitationOf<CitedPage>, 'host'>

/**
 * Each page once, at its lowest position.
 * @param read finds the page of an address with a title
 * @param titled gives a page without a title what it has with one
 */
function oncePerUrl<Page extends CitedPage>(
  named: readonly GivenCitation[],
  read: (address: string, title: string) => Page | null,
  titled: (page: Page) => Partial<Page> = () => ({}),
): CitationOf<Page>[] {
  const byUrl = new Map<string, CitationOf<Page>>()
  for (const citation of named.toSorted((a, b) => a.position - b.position)) {
    const page = read(citation.url, citation.title)
    if (page === null) continue
    const key = keyOf(page.url)
    const known = byUrl.get(key)
    if (!known) byUrl.set(key, { ...citation, ...page, given: citation.url })
    else if (known.title === '') {
      byUrl.set(key, { ...known, ...titled(page), title: citation.title })
    }
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
  const titled = ({ contentType }: TypedPage) => ({ contentType })
  return oncePerUrl(named, typedPageOf, titled).map((citation) => {
    const { domain, contentType } = citation
    const firstOfDomain = !domains.has(domain)
    const firstOfType = !types.has(contentType)
    domains.add(domain)
    types.add(contentType)
    return { ...citation, firstOfDomain, firstOfType }
  })
}

/** The URLs that were read and are not cited: http and https URLs, each page once, by position. */
export function onlyRetrieved(
  named: readonly GivenCitation[],
  citations: readonly Citation[],
): Retrieved[] {
  const cited = new Set(citations.map(({ url }) => keyOf(url)))
  return oncePerUrl(named, pageOf)
    .filter(({ url }) => !cited.has(keyOf(url)))
    .map(({ position, url, given, title, domain }) => ({ position, url, given, title, domain }))
}
