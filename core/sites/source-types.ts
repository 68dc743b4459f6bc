import { sourceRegistry } from '../data/source-registry.ts'

export const sourceTypes = [
  'brand',
  'competitor',
  'editorial',
  'social',
  'forum',
  'review',
  'institutional',
  'third_party',
  'other',
] as const

/** Source type of a cited domain for one project. */
export type SourceType = (typeof sourceTypes)[number]

/** Source type without a project: `brand` and `competitor` depend on the project. */
export type RegistryType = Exclude<SourceType, 'brand' | 'competitor'>

const listed = new Map<string, RegistryType>()
for (const { type, domains } of sourceRegistry) {
  for (const domain of domains.trim().split(/\s+/)) listed.set(domain, type)
}

/** Endings that registries give only to governments, armies, universities and schools. */
const institutionalEndings = [
  /\.(?:gov|edu|mil|int)$/,
  /(?:^|\.)(?:gov|govt|gob|gouv|gub)\.[a-z]{2}$/,
  /\.(?:mil|edu|ac)\.[a-z]{2}$/,
  /\.(?:gc\.ca|gv\.at|lg\.jp|re\.kr|nic\.in|gov\.scot|gov\.wales)$/,
  /\.go\.(?:jp|kr|th|id|ke|tz|ug|cr)$/,
  /\.(?:nhs|police|parliament|mod|sch)\.uk$/,
  /\.(?:state|ci|co|k12|cc|lib)\.[a-z]{2}\.us$/,
  /(?:^|\.)(?:europa\.eu|bund\.de|admin\.ch|overheid\.nl|gouv\.qc\.ca)$/,
]

/** Hosts and paths of forums. */
const forumUrl =
  /^https:\/\/(?:forums?|community|communities|discuss|discourse|boards?)\.|\/(?:forums?|showthread|viewtopic)[/.]/

/** Pages of products, as shops write their addresses. */
const shopUrl =
  /\/(?:products?|dp|p|pd|ip|itm|items?|collections|product-category)\/|\/l\/[^/]*\d|[?&](?:variant|sku|pid)=|pcmcat\d/

/**
 * The source type of a cited page, by evidence: the registry, endings that only institutions get, then the shape of the
 * URL. The shape decides nothing about a domain of the registry.
 * @param domain its registrable domain, which belongs neither to the brand nor to a competitor
 */
export function sourceTypeOfPage(url: string, domain: string): RegistryType {
  const known = registryType(domain)
  if (known !== 'other') return known
  const lower = url.slice(0, longestRead).toLowerCase()
  if (forumUrl.test(lower)) return 'forum'
  return shopUrl.test(lower) ? 'third_party' : 'other'
}

const longestRead = 500

/**
 * The source type of a registrable domain that belongs neither to the brand nor to a competitor.
 * The registry decides first, then the rules for `.gov`, `.edu` and their national forms; else `other`.
 * Commercial entries of the registry are `third_party`.
 */
export function registryType(domain: string): RegistryType {
  const parent = domain.slice(domain.indexOf('.') + 1)
  const known = listed.get(domain) ?? listed.get(parent)
  if (known !== undefined) return known
  return institutionalEndings.some((ending) => ending.test(domain)) ? 'institutional' : 'other'
}
