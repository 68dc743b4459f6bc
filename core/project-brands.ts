import { isExact } from './text/match-modes.ts'
import type { Brand, BrandName } from './text/mentions.ts'

const rule = { caseSensitive: true, excludedPhrases: true } as const
const alias = { select: { id: true, text: true, ...rule } } as const

/** The fields of a project that `brandsOf` needs, as a selection of the catalog's client. */
export const brandFields = {
  id: true,
  name: true,
  domain: true,
  ...rule,
  aliases: alias,
  ownDomains: { select: { domain: true } },
  // Always in one order: PostgreSQL gives rows that were updated in another.
  competitors: {
    select: { id: true, name: true, domain: true, ...rule, aliases: alias },
    orderBy: { name: 'asc' },
  },
} as const

/** How a name is matched, as the catalog keeps it. */
export interface StoredRule {
  /** Null when nobody chose. */
  readonly caseSensitive: boolean | null
  readonly excludedPhrases: readonly string[]
}

/** A brand with its names, as the catalog keeps it. */
export interface StoredBrand extends StoredRule {
  readonly id: string
  readonly name: string
  readonly domain: string
  readonly aliases: readonly ({ readonly id: string; readonly text: string } & StoredRule)[]
}

export interface StoredBrands extends StoredBrand {
  readonly ownDomains: readonly { readonly domain: string }[]
  readonly competitors: readonly StoredBrand[]
}

function namesOf({ name, aliases, ...rule }: StoredBrand): BrandName[] {
  return [{ ...rule, text: name }, ...aliases].map(({ text, caseSensitive, excludedPhrases }) => ({
    text,
    caseSensitive: isExact(text, caseSensitive),
    byLanguage: caseSensitive === null,
    excludedPhrases,
  }))
}

/** The brands that a project tracks: its own, whose id is the project's, then its competitors. */
export function brandsOf(project: StoredBrands): Brand[] {
  const own = {
    id: project.id,
    isOwn: true,
    names: namesOf(project),
    domains: [project.domain, ...project.ownDomains.map(({ domain }) => domain)],
  }
  const competitors = project.competitors.map((competitor) => ({
    id: competitor.id,
    isOwn: false,
    names: namesOf(competitor),
    domains: [competitor.domain],
  }))
  return [own, ...competitors]
}
