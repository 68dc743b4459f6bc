import type { Db } from '../../prisma/client.ts'
import { type Actor, type Edit, recordEdits } from '../shared/audit-trail.ts'
import {
  addedMerges,
  closedRevisions,
  mergedAsks,
  mergedLocations,
  mergedPrompts,
  mergedSchedules,
  mergedTopics,
  mergedWordings,
  movedMerges,
  repeatedPrompts,
} from './merge.sql.ts'
import { lockedPrompts, oneWriter } from './prompts.sql.ts'

/** A prompt that asks the question of another one, which is kept. */
export interface RepeatedPrompt {
  readonly id: string
  readonly text: string
  readonly kept: string
  readonly keptText: string
  readonly key: string
}

/** The prompts of a project whose question another one asks too, at most `limit`. */
export function repeated(db: Db, projectId: string, limit: number): Promise<RepeatedPrompt[]> {
  return db.$queryRawUnsafe<RepeatedPrompt[]>(repeatedPrompts, projectId, limit)
}

interface OfWorkspace {
  readonly id: string
  readonly workspaceId: string
}

/**
 * Merges prompts in the catalog, in a transaction of the caller. The prompt that is kept gets the topics, locations,
 * schedules and former wordings of the others, which go.
 * @returns false when one of them has changed meanwhile: nothing is written
 */
export async function mergeInCatalog(
  tx: Db,
  actor: Actor,
  { id: projectId, workspaceId }: OfWorkspace,
  pairs: readonly RepeatedPrompt[],
): Promise<boolean> {
  const [from, to] = [pairs.map(({ id }) => id), pairs.map(({ kept }) => kept)]
  await tx.$executeRawUnsafe(oneWriter, projectId)
  await tx.$queryRawUnsafe(lockedPrompts, projectId, [...new Set([...from, ...to])])
  const now = await repeated(tx, projectId, pairs.length)
  const isSame = pairs.every(({ id, kept }, at) => now[at]?.id === id && now[at]?.kept === kept)
  if (!isSame) return false
  await tx.$executeRawUnsafe(mergedTopics, from, to)
  await tx.$executeRawUnsafe(mergedLocations, from, to)
  await tx.$executeRawUnsafe(mergedPrompts, from, to)
  await tx.$executeRawUnsafe(mergedWordings, from, to)
  await tx.$executeRawUnsafe(closedRevisions, from, to, new Date().toISOString())
  await tx.$executeRawUnsafe(mergedSchedules, from, to, projectId)
  await tx.$executeRawUnsafe(mergedAsks, from, to)
  await tx.$executeRawUnsafe(movedMerges, from, to)
  await tx.$executeRawUnsafe(addedMerges, from, to)
  await tx.prompt.deleteMany({ where: { projectId, id: { in: from } } })
  const edits = pairs.map(
    ({ id, text, kept }): Edit => ({
      action: 'prompt.merge',
      subject: ['prompt', kept],
      before: { id, text },
    }),
  )
  await recordEdits(tx, actor, { workspaceId, projectId }, edits)
  return true
}
