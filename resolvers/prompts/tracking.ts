import type { TrackingInput } from '../../core/prompt-input.ts'
import type { Actor } from '../shared/audit-trail.ts'
import { reservePrompts } from '../shared/quotas.ts'
import type { ProjectScope } from '../shared/scope.ts'
import { changePrompt } from './change.ts'
import type { PromptRow } from './prompts.ts'

const changes = {
  archive: { data: { isTracked: false }, change: 'archived', action: 'prompt.archive' },
  restore: { data: { isTracked: true }, change: 'unarchived', action: 'prompt.restore' },
} as const

/**
 * Archives a prompt, or tracks it again; its answers stay counted. One that is so already stays as it is.
 * @throws {Fault} `not_found`, `INACTIVE_PITCH_PROMPT_MUTATION`, `stale_revision`, `quota_exceeded`
 */
export function setPromptTracking(
  scope: ProjectScope,
  actor: Actor,
  promptId: string,
  { action, expectedRevision }: TrackingInput,
): Promise<PromptRow> {
  const change = changes[action]
  return changePrompt(scope, actor, { promptId, expectedRevision }, async (tx, prompt) => {
    const { isTracked } = change.data
    if (prompt.isTracked === isTracked) return null
    if (isTracked && !prompt.isImported) await reservePrompts(tx, scope.project, 1)
    return change
  })
}
