import { brandFields, brandsOf } from '../../core/project-brands.ts'
import { type BrandMatcher, compileBrands } from '../../core/text/mentions.ts'
import type { Db } from '../../prisma/client.ts'

/**
 * What finds the project's own brand and its competitors in a text. The own brand's id is the project's.
 * @returns null when there is no such project
 */
export async function readBrands(db: Db, projectId: string): Promise<BrandMatcher | null> {
  const project = await db.project.findUnique({ where: { id: projectId }, select: brandFields })
  return project && compileBrands(brandsOf(project))
}
