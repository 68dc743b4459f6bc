import type { Db } from '../../prisma/client.ts'
import { type Actor, type Edit, recordEdits } from '../shared/audit-trail.ts'
import { lockedPrompts } from './prompts.sql.ts'
import type { PromptRow } from './prompts.ts'

/**
 * Deletes prompts from the catalog, in a transaction of the caller: with their topics, locations and wordings. A run asks
 * them no more. Schedules leave out what is gone.
 */
export async function removeInCatalog(
  tx: Db,
  actor: Actor,
  { id: projectId, workspaceId }: { readonly id: string; readonly workspaceId: string },
  ids: readonly string[],
): Promise<void> {
  const rows = await tx.$queryRawUnsafe<PromptRow[]>(lockedPrompts, projectId, ids)
  await tx.ask.updateMany({
    where: { promptId: { in: [...ids] }, state: 'waiting', reserved: null },
    data: { state: 'failed', reason: 'The prompt was deleted.', endedAt: new Date() },
  })
  await tx.prompt.deleteMany({ where: { projectId, id: { in: [...ids] } } })
  const edits = rows.map(
    ({ id, text }): Edit => ({
      action: 'prompt.delete',
      subject: ['prompt', id],
      before: { text },
    }),
  )
  await recordEdits(tx, actor, { workspaceId, projectId }, edits)
}
