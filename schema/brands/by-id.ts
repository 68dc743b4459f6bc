import { type BrandReference, ownBrandOf } from '../../resolvers/brands/brands.ts'
import { scopeOf } from '../kit/authorize.ts'
import type { Context } from '../kit/context.ts'
import { competitorOf } from '../projects/members.ts'

/** A tracked brand by its id; null when it is no longer tracked. */
export async function brandOf(
  context: Context,
  projectId: string,
  brandId: string,
): Promise<BrandReference | null> {
  const { project } = await scopeOf(context, projectId)
  if (brandId === project.id) return ownBrandOf(project)
  return (await competitorOf(context, projectId, brandId)) ?? null
}
