import type { Ad } from './ads.ts'
import type { Citation } from './citations.ts'

type Fields = Record<string, unknown>

/** What the tables hold of a line; ads in the line's order, one for each that it names. */
export interface Held {
  readonly citations: readonly Citation[]
  readonly ads: readonly Ad[]
}

const citationKeys: ReadonlySet<string> = new Set(['position', 'url', 'title'])
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

/** What a double may have changed: many digits, or an exponent. */
const longNumber = /\d{16}|\de[+-]?\d/

const hasOtherKeys = (fields: Fields, known: ReadonlySet<string>) =>
  Object.entries(fields).some(([key, value]) => value !== null && !known.has(key))

const withoutTrailingSlash = (url: unknown) => String(url).replace(/\/$/, '')

/** The entries that the table of citations does not hold as they came: not counted, shortened, or with more to say. */
function citationsBeside(named: readonly Fields[], counted: readonly Citation[]): Fields[] {
  const byUrl = new Map(counted.map((citation) => [citation.url, citation]))
  return named.filter((fields, index) => {
    const held = byUrl.get(withoutTrailingSlash(fields.url)) ?? byUrl.get(String(fields.url))
    if (!held || hasOtherKeys(fields, citationKeys)) return true
    return held.position !== (fields.position ?? index + 1) || held.title !== (fields.title ?? '')
  })
}

/** Those with more to say, and those that were named before. */
function productsBeside(named: readonly Fields[]): Fields[] {
  const met = new Set<string>()
  return named.filter((fields) => {
    const key = `${fields.brand ?? ''}\0${fields.name}`.toLowerCase()
    const isRepeated = met.has(key)
    met.add(key)
    return isRepeated || hasOtherKeys(fields, productKeys)
  })
}

/** Those with more to say, and those whose address the table of ads holds in another form, or not at all. */
function adsBeside(named: readonly Fields[], held: readonly Ad[]): Fields[] {
  return named.filter((fields, index) => {
    const { url = '', domain = '' } = held[index] ?? {}
    const differs = (told: unknown, kept: string) =>
      typeof told === 'string' && kept !== told && kept !== withoutTrailingSlash(told)
    return (
      hasOtherKeys(fields, adKeys) || differs(fields.url, url) || differs(fields.domain, domain)
    )
  })
}

/** TypeScript does not know yet what Node has: the source text of a number, and JSON that is copied as it is. */
type ExactJson = {
  parse(
    text: string,
    reviver: (key: string, value: unknown, context: { source?: string }) => unknown,
  ): unknown
  rawJSON(text: string): unknown
}

/** Long numbers, such as ids, keep their digits; as doubles they would lose some. */
function parseExactly(line: string): Fields {
  const json = JSON as unknown as ExactJson
  return json.parse(line, (_key, value, { source }) =>
    typeof value === 'number' && source !== undefined && String(value) !== source
      ? json.rawJSON(source)
      : value,
  ) as Fields
}

function asides(fields: Fields, known: ReadonlySet<string>, held: Held): Fields {
  const rest = Object.entries(fields).filter(([key, value]) => value !== null && !known.has(key))
  const citations = citationsBeside((fields.citations ?? []) as Fields[], held.citations)
  if (citations.length > 0) rest.push(['citations', citations])
  const products = productsBeside((fields.products ?? []) as Fields[])
  if (products.length > 0) rest.push(['products', products])
  const ads = adsBeside((fields.ads ?? []) as Fields[], held.ads)
  if (ads.length > 0) rest.push(['ads', ads])
  const { location } = fields
  if (typeof location === 'object' && hasOtherKeys((location ?? {}) as Fields, locationKeys)) {
    rest.push(['location', location])
  }
  return Object.fromEntries(rest)
}

/**
 * What a line says beyond the columns, as a JSON object, else the empty string: unknown fields, and under
 * `citations`, `products`, `ads` and `location` what their tables do not hold in full.
 * @throws {RangeError} when a field is nested too deeply to be written
 */
export function extraOf(
  line: string,
  fields: Fields,
  known: ReadonlySet<string>,
  held: Held,
): string {
  const text = JSON.stringify(asides(fields, known, held))
  if (text === '{}') return ''
  return longNumber.test(text) ? JSON.stringify(asides(parseExactly(line), known, held)) : text
}
