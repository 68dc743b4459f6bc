import { z } from 'zod'
import { run } from '../../warehouse/run.ts'
import type { Actor, Edit } from '../shared/audit-trail.ts'
import { changeProject } from '../shared/change.ts'
import { check } from '../shared/inputs.ts'
import type { ProjectScope } from '../shared/scope.ts'
import { foldedText } from './suggestions.sql.ts'
import { suggestionId } from './suggestions.ts'

/** The result of a change to a suggested prompt. */
export interface SuggestionChange {
  /** False when the suggestion had this state already. */
  readonly changed: boolean
}

const suggestionText = z.object({
  text: z
    .string()
    .trim()
    .min(1, 'must not be empty')
    .max(2000, 'must have at most 2000 characters')
    .refine((text) => text.isWellFormed() && !text.includes('\0'), 'must be valid Unicode text'),
})

async function identified({ warehouse, project }: ProjectScope, input: string) {
  const { text } = check(suggestionText, { text: input })
  const [row] = await run<{ compared: string }>(warehouse, {
    id: 'suggestions.fold',
    sql: foldedText,
    params: { text },
  })
  return { id: suggestionId(project.id, row?.compared ?? text), text }
}

const editOf = (verb: 'dismiss' | 'reopen', id: string, text: string): Edit => ({
  action: `suggestion.${verb}`,
  subject: ['suggestion', id],
  ...(verb === 'dismiss' ? { after: { text } } : { before: { text } }),
})

/**
 * Leaves a text out of the suggested prompts, in all its spellings.
 * @throws {Fault} `not_found` for the project; `invalid_argument` for the text
 */
export async function dismissSuggestion(
  scope: ProjectScope,
  actor: Actor,
  input: string,
): Promise<SuggestionChange> {
  const { id, text } = await identified(scope, input)
  return changeProject(scope.db, actor, scope.project.id, async (tx, { id: projectId }) => {
    if (await tx.dismissedSuggestion.findUnique({ where: { id } })) {
      return { subjectId: id, edits: [] }
    }
    await tx.dismissedSuggestion.create({ data: { id, projectId, text } })
    return { subjectId: id, edits: [editOf('dismiss', id, text)] }
  })
}

/**
 * Suggests a dismissed text again.
 * @throws {Fault} as `dismissSuggestion` does
 */
export async function restoreSuggestion(
  scope: ProjectScope,
  actor: Actor,
  input: string,
): Promise<SuggestionChange> {
  const { id, text } = await identified(scope, input)
  return changeProject(scope.db, actor, scope.project.id, async (tx) => {
    const { count } = await tx.dismissedSuggestion.deleteMany({ where: { id } })
    return { subjectId: id, edits: count === 0 ? [] : [editOf('reopen', id, text)] }
  })
}
