import type { Ad } from './ads.ts'
import type { Citation, GivenCitation, Retrieved } from './citations.ts'

type Fields = Record<string, unknown>

/** The parts of a line that tables store; ads in the line's order. */
export interface StoredParts {
  readonly citations: readonly Citation[]
  readonly retrieved: readonly Retrieved[]
  readonly ads: readonly Ad[]
}

const citationKeys: ReadonlySet<string> = new Set(['position', 'url', 'title', 'cited'])
const productKeys: ReadonlySet<string> = new Set(['rank', 'brand', 'name', 'price'])
const adKeys: ReadonlySet<string> = new Set(['position', 'advertiser', 'domain', 'url', 'title'])

const locationKeys: ReadonlySet<string> = new Set([
  'countryCode',
  'country',
  'city',
  'region',
  'latitude',
  'longitude',
])

/** A number that a double may have changed: it has many digits, or an exponent. */
const longNumber = /\d{16}|\de[+-]?\d/

const hasOtherKeys = (fields: Fields, known: ReadonlySet<string>) =>
  Object.entries(fields).some(([key, value]) => value !== null && !known.has(key))

const withoutTrailingSlash = (url: unknown) => String(url).replace(/\/$/, '')

const byUrlOf = (stored: readonly GivenCitation[]) =>
  new Map(stored.map((each) => [each.url, each]))

/** The citations that no table stores exactly: repeated or shortened ones, and those with other fields. */
function unmappedCitations(
  named: readonly Fields[],
  { citations, retrieved }: Pick<StoredParts, 'citations' | 'retrieved'>,
): Fields[] {
  const [cited, read] = [byUrlOf(citations), byUrlOf(retrieved)]
  return named.filter((fields, index) => {
    const byUrl = fields.cited === false ? read : cited
    const match = byUrl.get(withoutTrailingSlash(fields.url)) ?? byUrl.get(String(fields.url))
    if (!match || hasOtherKeys(fields, citationKeys)) return true
    return match.position !== (fields.position ?? index + 1) || match.title !== (fields.title ?? '')
  })
}

/** The products with other fields, and repeated products. */
function unmappedProducts(named: readonly Fields[]): Fields[] {
  const seen = new Set<string>()
  return named.filter((fields) => {
    const key = `${fields.brand ?? ''}\0${fields.name}`.toLowerCase()
    const isRepeated = seen.has(key)
    seen.add(key)
    return isRepeated || hasOtherKeys(fields, productKeys)
  })
}

/** The ads with other fields, and those whose address their table stores in another form, or not at all. */
function unmappedAds(named: readonly Fields[], stored: readonly Ad[]): Fields[] {
  return named.filter((fields, index) => {
    const { url = '', domain = '' } = stored[index] ?? {}
    const differs = (given: unknown, kept: string) =>
      typeof given === 'string' && kept !== given && kept !== withoutTrailingSlash(given)
    return (
      hasOtherKeys(fields, adKeys) || differs(fields.url, url) || differs(fields.domain, domain)
    )
  })
}

/** Methods of Node that TypeScript does not declare yet: the source text of a number, and raw JSON. */
type ExactJson = {
  parse(
    text: string,
    reviver: (key: string, value: unknown, context: { source?: string }) => unknown,
  ): unknown
  rawJSON(text: string): unknown
}

/** Parses JSON so that long numbers, such as ids, keep all digits. */
function parseExactly(line: string): Fields {
  // In the global type these would change `JSON.parse` everywhere.
  const json = JSON as unknown as ExactJson
  return json.parse(line, (_key, value, { source }) =>
    typeof value === 'number' && source !== undefined && String(value) !== source
      ? json.rawJSON(source)
      : value,
  ) as Fields
}

function unmapped(fields: Fields, known: ReadonlySet<string>, stored: StoredParts): Fields {
  const rest = Object.entries(fields).filter(([key, value]) => value !== null && !known.has(key))
  const citations = unmappedCitations((fields.citations ?? []) as Fields[], stored)
  if (citations.length > 0) rest.push(['citations', citations])
  const products = unmappedProducts((fields.products ?? []) as Fields[])
  if (products.length > 0) rest.push(['products', products])
  const ads = unmappedAds((fields.ads ?? []) as Fields[], stored.ads)
  if (ads.length > 0) rest.push(['ads', ads])
  const { location } = fields
  if (typeof location === 'object' && hasOtherKeys((location ?? {}) as Fields, locationKeys)) {
    rest.push(['location', location])
  }
  return Object.fromEntries(rest)
}

/**
 * The parts of a line that no table stores, as a JSON object. These are unknown fields, and entries of
 * `citations`, `products`, `ads` and `location` that their tables store in part. Empty without such parts.
 * @throws {RangeError} when a field is nested too deeply for `JSON.stringify`
 */
export function unmappedFields(
  line: string,
  fields: Fields,
  known: ReadonlySet<string>,
  stored: StoredParts,
): string {
  const text = JSON.stringify(unmapped(fields, known, stored))
  if (text === '{}') return ''
  return longNumber.test(text) ? JSON.stringify(unmapped(parseExactly(line), known, stored)) : text
}
