import type { Brand } from './text/mentions.ts'

const alias = { select: { text: true, caseSensitive: true } } as const

/** The fields of a project that `brandsOf` needs, as a selection of the catalog's client. */
export const brandFields = {
  id: true,
  name: true,
  domain: true,
  aliases: alias,
  ownDomains: { select: { domain: true } },
  competitors: { select: { id: true, name: true, domain: true, aliases: alias } },
} as const

interface Named {
  readonly id: string
  readonly name: string
  readonly domain: string
  readonly aliases: readonly { readonly text: string; readonly caseSensitive: boolean }[]
}

const namesOf = ({ name, aliases }: Named) => [{ text: name, caseSensitive: false }, ...aliases]

/** The brands that a project tracks: its own, whose id is the project's, then its competitors. */
export function brandsOf(
  project: Named & {
    readonly ownDomains: readonly { readonly domain: string }[]
    readonly competitors: readonly Named[]
  },
): Brand[] {
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
