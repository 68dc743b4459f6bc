import { notFound } from '../../core/errors.ts'
import { isUuid } from '../../core/uuid.ts'
import { removeInCatalog } from '../../resolvers/prompts/remove.ts'
import type { Actor } from '../../resolvers/shared/audit-trail.ts'
import { type LockOptions, withProject } from '../loads/lock.ts'
import { announceImport, evaluateSoon, type ImportStores } from '../loads/runner.ts'
import { changeWithAnswers } from './facts.ts'

export interface PromptsRemoved {
  readonly prompts: number
  /** Their answers, which readers no longer see. */
  readonly answers: number
}

/**
 * Deletes prompts with their answers, all at the same time for readers. When it throws, nothing is deleted.
 * @throws {Fault} `not_found`, also for a prompt; `rate_limited` behind another import; 502 when another import took over
 *   the project, or the warehouse is away
 */
export function removePrompts(
  stores: ImportStores,
  actor: Actor,
  { promptIds, ...options }: LockOptions & { promptIds: readonly string[]; signal?: never },
): Promise<PromptsRemoved> {
  const { db } = stores
  const ids = [...new Set(promptIds.map((id) => id.toLowerCase()))]
  const unknown = ids.find((id) => !isUuid(id))
  if (unknown !== undefined) throw notFound(unknown)
  return withProject(stores, options, async (project, lockLost) => {
    const where = { projectId: project.id, id: { in: ids } }
    const known = await db.prompt.findMany({ where, select: { id: true } })
    const missing = ids.find((id) => known.every((prompt) => prompt.id !== id))
    if (missing !== undefined) throw notFound(missing)
    const facts = { moved: new Map(), removed: ids }
    const answers = await changeWithAnswers(stores, project.id, facts, lockLost, (tx) =>
      removeInCatalog(tx, actor, project, ids),
    )
    await announceImport(db, project)
    await evaluateSoon(db, project.id)
    return { prompts: ids.length, answers }
  })
}
