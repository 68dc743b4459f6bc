import { notFound } from '../../core/errors.ts'
import type { RestorationInput } from '../../core/prompt-input.ts'
import type { Actor } from '../shared/audit-trail.ts'
import type { ProjectScope } from '../shared/scope.ts'
import { changePrompt } from './change.ts'
import { loadRevisions, type PromptRow, prompt } from './prompts.ts'

/**
 * What was done to a prompt, newest first.
 * @throws {Fault} `not_found`
 */
export async function promptRevisions(scope: ProjectScope, promptId: string) {
  const { id } = await prompt(scope, promptId)
  const [revisions = []] = await loadRevisions(scope.db, [id])
  return { promptId: id, revisions }
}

/**
 * Gives a prompt the wording that it had at a revision; the rest stays as it is.
 * @throws {Fault} `not_found`, also for the revision; `INACTIVE_PITCH_PROMPT_MUTATION`, `stale_revision`
 */
export function restorePromptWording(
  scope: ProjectScope,
  actor: Actor,
  promptId: string,
  { revision, expectedRevision }: RestorationInput,
): Promise<PromptRow> {
  return changePrompt(scope, actor, { promptId, expectedRevision }, async (tx, { id }) => {
    const where = { promptId_revision: { promptId: id, revision } }
    const wanted = await tx.promptRevision.findUnique({ where, select: { text: true } })
    if (!wanted) throw notFound()
    const data = { text: wanted.text }
    return { data, change: 'restored', action: 'prompt.restoreWording' }
  })
}
