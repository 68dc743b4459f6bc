import type { Db } from '../../prisma/client.ts'
import type { Actor } from '../shared/audit-trail.ts'
import { reservePrompts } from '../shared/quotas.ts'
import { trackingChanges, writeChange } from './change.ts'
import { lockedPrompts, oneWriter } from './prompts.sql.ts'
import type { PromptRow } from './prompts.ts'
import { removeInCatalog } from './remove.ts'
import {
  newPrompts,
  restoredPrompts,
  takenLocations,
  takenTopics,
  trackedAgain,
} from './undo.sql.ts'

interface NewPrompt {
  readonly id: string
  /** Whether somebody has changed it since its import. */
  readonly isChanged: boolean
}

/** The prompts that an import added and that are still there. */
export async function newPromptsOf(db: Db, importId: string): Promise<string[]> {
  const rows = await db.$queryRawUnsafe<NewPrompt[]>(newPrompts, importId)
  return rows.map(({ id }) => id)
}

/**
 * Undoes an import of prompts in the catalog. New prompts are deleted; those with answers, or changed since, are archived
 * instead, so that nothing is lost that others made. Changed prompts are as before the import, unless changed since. Topics
 * stay.
 * @param answered prompts with answers
 * @throws {Fault} `quota_exceeded` where more prompts would be tracked again than the plan allows
 */
export async function takeBackPrompts(
  tx: Db,
  actor: Actor,
  project: { readonly id: string; readonly workspaceId: string },
  { importId, answered }: { readonly importId: string; readonly answered: readonly string[] },
): Promise<void> {
  await tx.$executeRawUnsafe(oneWriter, project.id)
  const added = await tx.$queryRawUnsafe<NewPrompt[]>(newPrompts, importId)
  const stays = ({ id, isChanged }: NewPrompt) => isChanged || answered.includes(id)
  const gone = added.filter((prompt) => !stays(prompt)).map(({ id }) => id)
  const archived = added.filter(stays).map(({ id }) => id)
  await removeInCatalog(tx, actor, project, gone)
  const rows = await tx.$queryRawUnsafe<PromptRow[]>(lockedPrompts, project.id, archived)
  for (const row of rows.filter(({ isTracked }) => isTracked)) {
    await writeChange(tx, row, trackingChanges.archive)
  }
  const [growth] = await tx.$queryRawUnsafe<{ requested: number }[]>(trackedAgain, importId)
  if (growth && growth.requested > 0) await reservePlanned(tx, project, growth.requested)
  await tx.$executeRawUnsafe(takenTopics, importId)
  await tx.$executeRawUnsafe(takenLocations, importId)
  await tx.$executeRawUnsafe(restoredPrompts, importId)
}

async function reservePlanned(
  tx: Db,
  { workspaceId }: { readonly workspaceId: string },
  requested: number,
): Promise<void> {
  const { plan } = await tx.workspace.findUniqueOrThrow({ where: { id: workspaceId } })
  await reservePrompts(tx, { workspaceId, plan }, requested)
}
