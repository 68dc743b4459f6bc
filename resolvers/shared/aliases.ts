import type { z } from 'zod'
import { notFound } from '../../core/errors.ts'
import { isExact } from '../../core/text/match-modes.ts'
import type { Edit, SubjectType } from './audit-trail.ts'
import type { SubjectEdits } from './change.ts'
import type { alias } from './inputs.ts'

export type AliasInput = z.input<typeof alias>

interface AliasRow {
  readonly id: string
  readonly text: string
  readonly caseSensitive: boolean | null
}

/** The table of aliases: of the project's brand, or of a competitor. */
export interface Aliases {
  readonly type: SubjectType & ('brandAlias' | 'competitorAlias')
  find(text: string): Promise<AliasRow | null>
  create(wanted: { text: string; caseSensitive: boolean | null }): Promise<{ id: string }>
  update(id: string, data: { caseSensitive: boolean | null }): Promise<unknown>
  remove(id: string): Promise<unknown>
  /** More facts for the audit trail. */
  readonly of?: { readonly competitorId: string }
}

/** Adds an alias, or sets `caseSensitive` of an existing alias. */
export async function putAlias(
  aliases: Aliases,
  wanted: z.output<typeof alias>,
): Promise<SubjectEdits> {
  const { text, caseSensitive } = wanted
  const { type, of } = aliases
  const facts = (chosen: boolean | null) => ({ text, caseSensitive: isExact(text, chosen), ...of })
  const existing = await aliases.find(text)
  if (!existing) {
    const { id } = await aliases.create(wanted)
    const after = facts(caseSensitive)
    return { subjectId: id, edits: [{ action: `${type}.add`, subject: [type, id], after }] }
  }
  const { id } = existing
  if (existing.caseSensitive === caseSensitive) return { subjectId: id, edits: [] }
  await aliases.update(id, { caseSensitive })
  const states = { before: facts(existing.caseSensitive), after: facts(caseSensitive) }
  const edit: Edit = { action: `${type}.update`, subject: [type, id], ...states }
  return { subjectId: id, edits: [edit] }
}

/** Removes an alias by its text. */
export async function dropAlias(aliases: Aliases, text: string): Promise<SubjectEdits> {
  const existing = await aliases.find(text)
  if (!existing) throw notFound(text)
  const { id, caseSensitive } = existing
  const { type, of } = aliases
  await aliases.remove(id)
  const before = { text, caseSensitive: isExact(text, caseSensitive), ...of }
  return { subjectId: id, edits: [{ action: `${type}.remove`, subject: [type, id], before }] }
}
