import { isIP } from 'node:net'
import { invalid, notFound } from '../../core/errors.ts'
import { citedUrl, variantsOf } from '../../core/sites/cited-url.ts'
import { domainOf, hostOf, parseDomainInput } from '../../core/sites/urls.ts'
import { termsOf } from '../../core/text/search-terms.ts'
import type { Tone } from '../../core/text/sentiment.ts'
import type { FactParams } from './facts.sql.ts'
import { ownRatings } from './judged.ts'
import type { ProjectScope } from './scope.ts'

type Texts = readonly string[] | null | undefined

/** Which answers to keep, beside the filters that reports share. */
export interface NarrowingArgs {
  /** Whether the own brand is mentioned. */
  mentioned?: boolean | null | undefined
  promptIds?: Texts
  /** Tracked brands that answers mention. */
  brands?: { all?: Texts; any?: Texts; none?: Texts } | null | undefined
  /** How answers speak of a brand; the own one unless given. */
  sentiment?: { brandId?: string | null | undefined; is: readonly Tone[] } | null | undefined
  citedDomains?: Texts
  citedUrls?: Texts
  subQuery?: string | null | undefined
  /** Words that the text has, in any order; a phrase stands in double quotes. */
  search?: string | null | undefined
}

/** What a statement narrows by. */
export interface Narrowing {
  readonly own: boolean | null
  readonly brands: Readonly<Record<'all' | 'any' | 'none', boolean>>
  readonly tones: { readonly isOwn: boolean; readonly isJudged: boolean } | null
  readonly isIn: Readonly<Record<'prompts' | 'domains' | 'urls' | 'queries', boolean>>
  readonly terms: readonly string[]
  readonly params: FactParams
}

const mostTerms = 10

/**
 * The words and phrases of a search.
 * @throws {Fault} `invalid_argument`
 */
export function searchTerms(search: string | null | undefined, place = 'search'): string[] {
  if (search == null) return []
  const terms = termsOf(search)
  if (terms.length === 0) throw invalid(place, 'must have a word')
  if (terms.length > mostTerms) {
    throw invalid(place, `must have at most ${mostTerms} words and phrases`)
  }
  return terms
}

/** @throws {Fault} `not_found` for a brand that no project of these tracks */
function brandIds(scopes: readonly ProjectScope[], given: Texts): readonly string[] {
  const found = (given ?? []).map((id) => id.toLowerCase())
  const tracked = new Set(
    scopes.flatMap(({ project }) => [project, ...project.competitors].map(({ id }) => id)),
  )
  const missing = found.find((id) => !tracked.has(id))
  if (missing !== undefined) throw notFound(missing)
  return [...new Set(found)]
}

/** @throws {Fault} `invalid_argument` */
function citedDomain(text: string): string {
  const domain = parseDomainInput(text) ?? (isIP(text) > 0 ? text : null)
  if (domain === null) throw invalid('citedDomains', 'must be domains, such as `example.com`', text)
  return domain
}

/** @throws {Fault} `invalid_argument` */
function pages(given: Texts): string[] {
  return (given ?? []).flatMap((address) => {
    const url = citedUrl(address)
    if (url === null) throw invalid('citedUrls', 'must be http or https URLs', address)
    return variantsOf(url)
  })
}

/**
 * Reads what answers are narrowed by.
 * @throws {Fault} `invalid_argument` (a search without words, a text that is no URL), `not_found` (a brand of another
 *   project)
 */
export function narrowingOf(scopes: readonly ProjectScope[], args: NarrowingArgs): Narrowing {
  const { mentioned = null, sentiment, subQuery, brands } = args
  const [all, any, none] = [brands?.all, brands?.any, brands?.none].map((it) =>
    brandIds(scopes, it),
  ) as [readonly string[], readonly string[], readonly string[]]
  // `readFilters` has checked that they are of the project.
  const prompts = args.promptIds ?? []
  const domains = (args.citedDomains ?? []).map(citedDomain)
  const urls = pages(args.citedUrls)
  const terms = searchTerms(args.search)
  const ratings = ownRatings(scopes)
  const [toneBrand] = brandIds(scopes, sentiment?.brandId == null ? [] : [sentiment.brandId])
  return {
    own: mentioned,
    brands: { all: all.length > 0, any: any.length > 0, none: none.length > 0 },
    tones: sentiment ? { isOwn: toneBrand === undefined, isJudged: ratings.isJudged } : null,
    isIn: {
      prompts: prompts.length > 0,
      domains: domains.length > 0,
      urls: urls.length > 0,
      queries: subQuery != null,
    },
    terms,
    params: {
      ...(all.length > 0 && { allBrands: all }),
      ...(any.length > 0 && { anyBrands: any }),
      ...(none.length > 0 && { noBrands: none }),
      ...(prompts.length > 0 && { ofPrompts: prompts }),
      ...(sentiment && { tones: sentiment.is, ...ratings.params }),
      ...(toneBrand !== undefined && { toneBrand }),
      ...(domains.length > 0 && { citedDomains: domains }),
      ...(urls.length > 0 && {
        citedUrls: urls,
        domainsOfUrls: [...new Set(urls.map((url) => domainOf(hostOf(url))))],
      }),
      ...(subQuery != null && { subQuery }),
      ...Object.fromEntries(terms.map((term, i) => [`term${i}`, term])),
    },
  }
}
