import { notFound } from '../core/errors.ts'
import { isExact } from '../core/text/match-modes.ts'
import { isUuid } from '../core/uuid.ts'
import type { Catalog } from '../prisma/client.ts'
import { projectIdOf } from './names.ts'

export const byName = [{ name: 'asc' as const }, { id: 'asc' as const }]
export const projectFacts = {
  id: true,
  workspaceId: true,
  name: true,
  domain: true,
  kind: true,
  status: true,
  isActive: true,
} as const

const withFlag = ({ text, caseSensitive }: { text: string; caseSensitive: boolean | null }) => ({
  text,
  caseSensitive: isExact(text, caseSensitive),
})

/** A project with its lists, by its id, name or domain. @throws {Fault} `not_found` */
export async function readProject(db: Catalog, given: string) {
  const id = await projectIdOf(db, given)
  const byText = { select: { text: true, caseSensitive: true }, orderBy: { text: 'asc' } } as const
  const found = isUuid(id)
    ? await db.project.findUnique({
        where: { id },
        select: {
          ...projectFacts,
          description: true,
          industry: true,
          aliases: byText,
          ownDomains: { select: { domain: true }, orderBy: { domain: 'asc' } },
          competitors: {
            select: { id: true, name: true, domain: true, aliases: byText },
            orderBy: byName,
          },
          topics: { select: { id: true, name: true }, orderBy: byName },
          locations: {
            select: { id: true, city: true, region: true, countryCode: true },
            orderBy: [{ countryCode: 'asc' }, { city: 'asc' }, { id: 'asc' }],
          },
        },
      })
    : null
  if (!found) throw notFound()
  return {
    ...found,
    aliases: found.aliases.map(withFlag),
    ownDomains: found.ownDomains.map(({ domain }) => domain),
    competitors: found.competitors.map((each) => ({
      ...each,
      aliases: each.aliases.map(withFlag),
    })),
  }
}

export type ProjectDetails = Awaited<ReturnType<typeof readProject>>
