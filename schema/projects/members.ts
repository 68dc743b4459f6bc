import { crawledName } from '../../core/bots/platform-names.ts'
import type { PlatformSummary } from '../../resolvers/projects/projects.ts'
import { type Context, loaders } from '../kit/context.ts'
import { brandLoaders } from './tracked-brands.ts'

/**
 * One object by its id, out of the list that a project has of its kind; undefined where the list has no such object. All
 * lists of a kind take one statement.
 */
const byId =
  <Row extends { readonly id: string }>(
    listOf: (context: Context, projectId: string) => Promise<readonly Row[]>,
  ) =>
  async (context: Context, projectId: string, id: string | null): Promise<Row | undefined> =>
    (await listOf(context, projectId)).find((row) => row.id === id)

export const topicOf = byId((context, projectId) => loaders(context).topics.load(projectId))
export const platformById = byId((context, projectId) => loaders(context).platforms.load(projectId))
/** An AI platform by its id: every text that names one is a platform. */
export async function platformOf(
  context: Context,
  projectId: string,
  id: string,
): Promise<PlatformSummary> {
  const found = await platformById(context, projectId, id)
  return (
    found ?? {
      id,
      projectId,
      displayName: crawledName(id),
      aliases: [],
      models: [],
      hasAnswers: false,
    }
  )
}

export const locationOf = byId((context, projectId) => loaders(context).locations.load(projectId))
export const competitorOf = byId((context, projectId) =>
  brandLoaders(context).competitors.load(projectId),
)
