import type { PromptUpdate } from '../../core/prompt-input.ts'
import type { Actor } from '../shared/audit-trail.ts'
import type { ProjectScope } from '../shared/scope.ts'
import { changePrompt } from './change.ts'
import type { PromptRow } from './prompts.ts'

/**
 * Changes what is given of a prompt, and adds 1 to its revision; nothing given changes nothing.
 * @throws {Fault} `not_found`, `INACTIVE_PITCH_PROMPT_MUTATION`, `stale_revision`
 */
export function updatePrompt(
  scope: ProjectScope,
  actor: Actor,
  promptId: string,
  { expectedRevision, ...data }: PromptUpdate,
): Promise<PromptRow> {
  const isEmpty = Object.values(data).every((value) => value === undefined)
  return changePrompt(scope, actor, { promptId, expectedRevision }, async () =>
    isEmpty ? null : { data, change: 'edited', action: 'prompt.update' },
  )
}
