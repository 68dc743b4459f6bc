import { LRUCache } from 'lru-cache'
import { cut, referrerOf } from './fields.ts'

/** The limits of a map. Entries and characters beyond them are cut. */
const mapBounds = { entries: 64, name: 128, text: 1024 } as const

type Texts = Readonly<Record<string, string>>

interface Rule {
  /** The stored name of an entry; empty to drop the entry. */
  nameOf(name: string): string
  /** The stored text of a value; undefined to drop the entry. */
  textOf(value: unknown, name: string): string | undefined
}

/** The stored entries of an object; undefined when there are none. */
function textsOf(given: unknown, rule: Rule): Texts | undefined {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return undefined
  if (needsNoChange(given, rule)) return given
  const texts: Record<string, string> = {}
  let count = 0
  for (const [key, value] of Object.entries(given)) {
    const name = rule.nameOf(key)
    const text = name === '' ? undefined : rule.textOf(value, name)
    if (text === undefined) continue
    texts[cut(name, mapBounds.name)] = cut(text, mapBounds.text)
    if (++count === mapBounds.entries) break
  }
  return count === 0 ? undefined : texts
}

/** Most maps need no change: this check is much cheaper than a copy. */
function needsNoChange(given: object, rule: Rule): given is Texts {
  const texts = given as Record<string, unknown>
  let count = 0
  for (const name in texts) {
    const text = texts[name]
    if (typeof text !== 'string' || text.length > mapBounds.text) return false
    if (name === '' || name.length > mapBounds.name || rule.nameOf(name) !== name) return false
    if (rule.textOf(text, name) !== text || ++count > mapBounds.entries) return false
  }
  return count > 0
}

/** Lists and objects as JSON; undefined for null and for values that nest too deep. */
function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  if (value === null) return undefined
  try {
    return JSON.stringify(value)
  } catch {
    return undefined
  }
}

const credential =
  /(?:^|[-_])auth|cookie|token|secret|passw|credential|session|jwt|assertion|oidc|[cx]srf|client-cert|key$|^signature(?:-input)?$/
const address = /ip(?:v[46])?$|addr(?:ess)?$|forwarded-for|(?:^|-)forwarded$/

function safeHeaderName(name: string): string {
  const lower = name.toLowerCase()
  return lower === '__proto__' || credential.test(lower) || address.test(lower) ? '' : lower
}

const headerNames = new LRUCache<string, string>({ max: 2000 })

const headerRule: Rule = {
  nameOf(name) {
    if (name.length > mapBounds.name) return safeHeaderName(name)
    const known = headerNames.get(name)
    if (known !== undefined) return known
    const safe = safeHeaderName(name)
    headerNames.set(name, safe)
    return safe
  },
  textOf(value, name) {
    // A repeated header is a list.
    const text = Array.isArray(value) ? value.map((one) => textOf(one)).join(', ') : textOf(value)
    return text !== undefined && name === 'referer' ? referrerOf(text) : text
  },
}

/** Headers by lower-case name, without credentials and client addresses. */
export const headersOf = (given: unknown): Texts | undefined => textsOf(given, headerRule)

/** Headers with the country of a request, set by CDNs and hosts. */
const countryHeaders = [
  'cf-ipcountry',
  'x-vercel-ip-country',
  'cloudfront-viewer-country',
  'x-appengine-country',
  'cdn-requestcountrycode',
  'x-country-code',
  'x-geo-country',
]

export function edgeCountryOf(headers: Texts | undefined): string | undefined {
  if (headers === undefined) return undefined
  const name = countryHeaders.find((header) => headers[header] !== undefined)
  return name === undefined ? undefined : headers[name]
}

const propertyRule: Rule = { nameOf: (name) => (name === '__proto__' ? '' : name), textOf }

export const customPropertiesOf = (given: unknown): Texts | undefined =>
  textsOf(given, propertyRule)

const parameterRule: Rule = {
  nameOf: (name) => (/^(?:utm_|__proto__$)/i.test(name) ? '' : name),
  textOf,
}

/** Query parameters without `utm_…`, which have their own columns. */
export const queryParametersOf = (given: unknown): Texts | undefined =>
  textsOf(given, parameterRule)
