import { platformNames } from '../../core/platforms.ts'
import type { Db } from '../../prisma/client.ts'

/** The name of a platform for people, by its id. */
export type PlatformNameOf = (id: string) => string

/**
 * The names of platforms in a project: of a known platform its own, of another the name that an import gave. The catalog
 * is asked only where a platform is not known.
 */
export async function platformNamesIn(
  db: Db,
  projectId: string,
  ids: Iterable<string>,
): Promise<PlatformNameOf> {
  const others = [...ids].filter((id) => !platformNames.has(id))
  const rows =
    others.length === 0
      ? []
      : await db.projectModel.findMany({
          where: { projectId, platform: { in: others }, platformName: { not: '' } },
          orderBy: { model: 'desc' },
        })
  const given = new Map(rows.map(({ platform, platformName }) => [platform, platformName]))
  return (id) => platformNames.get(id) ?? given.get(id) ?? id
}
