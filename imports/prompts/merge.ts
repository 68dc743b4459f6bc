import { Fault } from '../../core/errors.ts'
import { mergeInCatalog, type RepeatedPrompt, repeated } from '../../resolvers/prompts/merge.ts'
import type { Actor } from '../../resolvers/shared/audit-trail.ts'
import { type LockOptions, type Project, withProject } from '../loads/lock.ts'
import { announceImport, evaluateSoon, type ImportStores } from '../loads/runner.ts'
import { changeWithAnswers } from './facts.ts'

/** Prompts that are merged together: the loads that they are in are written once for all of them. */
const mostTogether = 1000

/**
 * Merges the prompts of a project that ask the same question, with their answers. Readers see each step whole: when the
 * process is killed, a second call goes on with the prompts that still exist twice. Answers keep their ids.
 * @returns the prompts that were merged
 * @throws {Fault} `not_found`; `rate_limited` behind another import; 502 when another import took over the project, when
 *   a prompt was changed meanwhile, or the warehouse is away
 */
export async function mergePrompts(
  stores: ImportStores,
  actor: Actor,
  options: LockOptions & { readonly signal?: never },
): Promise<RepeatedPrompt[]> {
  return withProject(stores, options, async (project, lockLost) => {
    const merged: RepeatedPrompt[] = []
    for (;;) {
      const pairs = await repeated(stores.db, project.id, mostTogether)
      if (pairs.length === 0) break
      await mergeSome(stores, actor, project, pairs, lockLost)
      merged.push(...pairs)
    }
    if (merged.length > 0) {
      await announceImport(stores.db, project)
      await evaluateSoon(stores.db, project.id)
    }
    return merged
  })
}

async function mergeSome(
  stores: ImportStores,
  actor: Actor,
  project: Project,
  pairs: readonly RepeatedPrompt[],
  lockLost: AbortSignal,
): Promise<void> {
  const moved = new Map(pairs.map(({ id, kept }) => [id, kept]))
  const facts = { moved, removed: [] }
  await changeWithAnswers(stores, project.id, facts, lockLost, async (tx) => {
    if (await mergeInCatalog(tx, actor, project, pairs)) return
    const message = 'A prompt was changed meanwhile. Nothing was merged: run it again.'
    throw new Fault('internal_error', message, { status: 502, retryable: true })
  })
}
