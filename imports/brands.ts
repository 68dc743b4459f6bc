import { type BrandMatcher, compileBrands } from '../core/mentions.ts'
import type { Db } from '../prisma/client.ts'

const alias = { select: { text: true, caseSensitive: true } } as const

const namesOf = (
  name: string,
  aliases: readonly { readonly text: string; readonly caseSensitive: boolean }[],
) => [{ text: name, caseSensitive: false }, ...aliases]

/**
 * What finds the project's own brand and its competitors in a text. The own brand's id is the project's.
 * @returns null when there is no such project
 */
export async function readBrands(db: Db, projectId: string): Promise<BrandMatcher | null> {
  const project = await db.project.findUnique({
    where: { id: projectId },
    select: {
      name: true,
      domain: true,
      aliases: alias,
      ownDomains: { select: { domain: true } },
      competitors: { select: { id: true, name: true, domain: true, aliases: alias } },
    },
  })
  if (!project) return null
  const own = {
    id: projectId,
    isOwn: true,
    names: namesOf(project.name, project.aliases),
    domains: [project.domain, ...project.ownDomains.map(({ domain }) => domain)],
  }
  const competitors = project.competitors.map(({ id, name, domain, aliases }) => ({
    id,
    isOwn: false,
    names: namesOf(name, aliases),
    domains: [domain],
  }))
  return compileBrands([own, ...competitors])
}
