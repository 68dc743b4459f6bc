// The package's own entry loads its 80 languages: this one loads none.
import countries from 'i18n-iso-countries/index.js'
import english from 'i18n-iso-countries/langs/en.json' with { type: 'json' }
import { cachedResults } from './load/cached-results.ts'

/** A place that prompts are asked from. Coordinates are degrees, both or neither. */
export interface ParsedLocation {
  /** City, region and country in one spelling, by which imports find the place again. */
  readonly label: string
  readonly countryCode: string
  readonly city: string | null
  readonly region: string | null
  readonly latitude: number | null
  readonly longitude: number | null
}

/** Usual names that the ISO list does not have. England and its sisters are no countries to ISO. */
const otherNames: Record<string, string> = {
  GB:
    'Britain,England,Scotland,Wales,Northern Ireland,' +
    'United Kingdom of Great Britain and Northern Ireland',
  US: 'America,United States of America (USA)',
  NL: 'Holland',
  KR: 'Korea,Korea South,Republic of South Korea,S Korea',
  KP: 'Korea North,N Korea,DPRK,Democratic People’s Republic of Korea',
  CN: 'Mainland China,PRC',
  TW: 'Republic of China,Chinese Taipei',
  HK: 'Hong Kong SAR,Hongkong,Hong Kong SAR China',
  MO: 'Macau,Macau SAR,Macao SAR',
  CG: 'Congo,Congo Brazzaville,Congo Republic',
  CD: 'DRC,DR Congo,Congo Kinshasa,Congo Democratic Republic of the,Zaire',
  CV: 'Cabo Verde',
  CZ: 'Czech',
  SZ: 'Swaziland',
  MK: 'Macedonia,FYROM',
  MM: 'Burma',
  TL: 'East Timor',
  LA: 'Laos',
  FM: 'Micronesia',
  MD: 'Moldova,Republic of Moldova',
  VA: 'Vatican,Vatican City,Holy See',
  VN: 'Viet Nam',
  SY: 'Syrian Arab Republic',
  BN: 'Brunei Darussalam',
  IR: 'Iran Islamic Republic of',
  PS: 'Palestinian Territories,Palestinian Territory',
  BO: 'Bolivia Plurinational State of',
  VE: 'Venezuela Bolivarian Republic of',
  TZ: 'Tanzania United Republic of',
  FK: 'Falkland Islands,Falklands',
  VG: 'British Virgin Islands',
  VI: 'US Virgin Islands,United States Virgin Islands',
  MF: 'Saint Martin',
  SX: 'Sint Maarten',
  AE: 'Emirates',
  SA: 'KSA',
  RU: 'Russia Federation',
}

/** "Bonaire, Sint Eustatius and Saba" has two. */
const mostParts = 3

/** Case, accents, signs, `&` for `and`, `St.` for `Saint`, a leading `the` make no difference. */
function folded(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/[\p{M}.'’]/gu, '')
    .toLowerCase()
    .replace(/&/g, ' and ')
    .replace(/[^\p{L}\p{Nd}]+/gu, ' ')
    .trim()
    .replace(/^the /, '')
    .replace(/\bst\b/g, 'saint')
}

countries.registerLocale(english)

const codes = new Map<string, string>()
for (const [alpha2, names] of Object.entries(countries.getNames('en', { select: 'all' }))) {
  for (const name of names) codes.set(folded(name), alpha2)
}
for (const [alpha2, names] of Object.entries(otherNames)) {
  for (const name of names.split(',')) codes.set(folded(name), alpha2)
}
for (const [alpha2, alpha3] of Object.entries(countries.getAlpha2Codes())) {
  codes.set(folded(alpha2), alpha2).set(folded(alpha3), alpha2)
}
for (const [numeric, alpha3] of Object.entries(countries.getNumericCodes())) {
  const alpha2 = codes.get(folded(alpha3))
  if (alpha2 !== undefined) codes.set(numeric, alpha2)
}

/**
 * The ISO 3166-1 alpha-2 code of a country. The text is a code of two or three letters or three digits, an
 * English name, or a common name such as `UK`. Case does not matter.
 * @returns null for any other text
 */
export const countryCode = cachedResults((text: string) => codes.get(folded(text)) ?? null)

/**
 * The countries of a list that commas divide, where a comma may also be part of a name: "Korea, Republic of" is one of
 * them. The longest name counts.
 */
export function countriesIn(parts: readonly string[]): string[] {
  const found: string[] = []
  for (let from = 0; from < parts.length; ) {
    let to = Math.min(parts.length, from + mostParts)
    while (to > from + 1 && countryCode(parts.slice(from, to).join(', ')) === null) to--
    found.push(parts.slice(from, to).join(', '))
    from = to
  }
  return found
}

/** The alpha-3 code, in lower case, of the same texts; null for any other. */
export function countryCode3(text: string): string | null {
  return countries.alpha2ToAlpha3(countryCode(text) ?? '')?.toLowerCase() ?? null
}

/** The number that ISO 3166-1 gives a country, of the same texts; null for any other, and for Kosovo. */
export function countryNumber(text: string): number | null {
  const number = countries.alpha2ToNumeric(countryCode(text) ?? '')
  // From 900 on, the numbers are not of ISO.
  return number === undefined || Number(number) >= 900 ? null : Number(number)
}

function textOf(value: unknown): string | null {
  const text = typeof value === 'string' ? value.trim().replace(/\s+/g, ' ') : ''
  return text === '' ? null : text
}

function locationOf(
  country: string,
  city: string | null,
  region: string | null,
  coordinates: readonly [unknown, unknown] = [null, null],
): ParsedLocation {
  const key = (text: string | null) =>
    (text ?? '')
      .normalize('NFKC')
      .toLowerCase()
      .replace(/[\s,]+/g, ' ')
      .trim()
  const [latitude, longitude] = coordinates.map((degrees, at) =>
    typeof degrees === 'number' && Math.abs(degrees) <= (at === 0 ? 90 : 180) ? degrees : null,
  )
  const located = latitude != null && longitude != null
  return {
    label: `${key(city)}, ${key(region)}, ${country.toLowerCase()}`,
    countryCode: country,
    city,
    region,
    latitude: located ? latitude : null,
    longitude: located ? longitude : null,
  }
}

/** "Wilmington, DE" and "Atlanta, Georgia" of a line that names another country end in a region. */
const mayBeRegion = /^(?:[a-z]{2}|georgia)$/i

function fromText(text: string, stated: string | null): ParsedLocation | null {
  const parts = text.split(',').flatMap((part) => textOf(part) ?? [])
  // The longest ending first, for names with a comma: "Seoul, Korea, Republic of".
  const at = parts.findIndex((_, from) => countryCode(parts.slice(from).join(' ')) !== null)
  const named = at < 0 ? null : countryCode(parts.slice(at).join(' '))
  const isRegion =
    stated !== null && named !== stated && at > 0 && mayBeRegion.test(parts[at] ?? '')
  const country = isRegion ? stated : (named ?? stated)
  if (country === null || parts.length === 0) return null
  const [city = null, ...regions] = isRegion || at < 0 ? parts : parts.slice(0, at)
  return locationOf(country, city, regions.length === 0 ? null : regions.join(', '))
}

const placeOf = cachedResults((text: string, stated: string) => fromText(text, stated || null))

/**
 * Reads an import's `location`: text such as "Berlin, Germany", "Austin, Texas, US" or "DE", or an
 * object `{countryCode|country, city?, region?, latitude?, longitude?}`. `country` is that of the
 * line, for places without one; it also decides whether an ending such as "CA" is a region.
 * @returns null without a location, or when its country is unknown
 */
export function parseLocation(value: unknown, country?: string | null): ParsedLocation | null {
  const fallback = typeof country === 'string' ? countryCode(country) : null
  if (typeof value === 'string') return placeOf(value, fallback ?? '')
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null
  const given: Record<string, unknown> = { ...value }
  const code = countryCode(textOf(given.countryCode) ?? textOf(given.country) ?? '') ?? fallback
  if (code === null) return null
  const coordinates = [given.latitude, given.longitude] as const
  return locationOf(code, textOf(given.city), textOf(given.region), coordinates)
}
