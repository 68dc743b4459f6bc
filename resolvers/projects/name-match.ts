import { z } from 'zod'
import { notFound } from '../../core/errors.ts'
import { isExact, matchModes } from '../../core/text/match-modes.ts'
import { isUuid } from '../../core/uuid.ts'
import type { Db } from '../../prisma/client.ts'
import type { Actor, Edit, SubjectType } from '../shared/audit-trail.ts'
import { changeProject, type LockedProject, type ProjectChangeResult } from '../shared/change.ts'
import { check, label, phrases } from '../shared/inputs.ts'

const ruleSchema = z.object({
  competitorId: z.string().nullish(),
  alias: label.nullish(),
  match: z.enum(matchModes).nullish(),
  excludedPhrases: phrases.optional(),
})

export type NameRuleInput = z.input<typeof ruleSchema>

interface Rule {
  caseSensitive: boolean | null
  excludedPhrases: string[]
}

/** A name in the catalog, and how its rule is written. */
interface StoredName extends Rule {
  readonly id: string
  readonly text: string
  readonly type: SubjectType & ('project' | 'competitor' | 'brandAlias' | 'competitorAlias')
  readonly write: (rule: Rule) => Promise<unknown>
}

async function findName(
  tx: Db,
  project: LockedProject,
  { competitorId, alias }: z.output<typeof ruleSchema>,
): Promise<StoredName> {
  const projectId = project.id
  if (competitorId && !isUuid(competitorId)) throw notFound(competitorId)
  if (competitorId) {
    const where = { id: competitorId, projectId }
    const rival = await tx.competitor.findFirst({ where })
    if (!rival) throw notFound(competitorId)
    if (!alias) {
      const write = (data: Rule) => tx.competitor.update({ where: { id: rival.id }, data })
      return { ...rival, text: rival.name, type: 'competitor', write }
    }
    const key = { competitorId_text: { competitorId, text: alias } }
    const found = await tx.competitorAlias.findUnique({ where: key })
    if (!found) throw notFound(alias)
    const write = (data: Rule) => tx.competitorAlias.update({ where: key, data })
    return { ...found, type: 'competitorAlias', write }
  }
  if (!alias) {
    const write = (data: Rule) => tx.project.update({ where: { id: projectId }, data })
    return { ...project, text: project.name, type: 'project', write }
  }
  const key = { projectId_text: { projectId, text: alias } }
  const found = await tx.brandAlias.findUnique({ where: key })
  if (!found) throw notFound(alias)
  const write = (data: Rule) => tx.brandAlias.update({ where: key, data })
  return { ...found, type: 'brandAlias', write }
}

const isSame = (a: readonly string[], b: readonly string[]) =>
  a.length === b.length && a.every((text, at) => text === b[at])

function wantedRule(name: StoredName, input: z.output<typeof ruleSchema>): Rule {
  const { match, excludedPhrases } = input
  const chosen = match === null ? null : match === 'exact_case'
  return {
    caseSensitive: match === undefined ? name.caseSensitive : chosen,
    excludedPhrases: excludedPhrases ? [...new Set(excludedPhrases)] : name.excludedPhrases,
  }
}

/**
 * Sets how a name is matched: of the brand, of a competitor, or of one of their aliases. Absent fields stay; a `match`
 * of null lets the name decide. The phrases replace all phrases of the name.
 * @throws {Fault} `invalid_argument`; `not_found` for the project, the competitor or the alias
 */
export function setNameMatch(
  db: Db,
  actor: Actor,
  projectId: string,
  input: NameRuleInput,
): Promise<ProjectChangeResult> {
  const given = check(ruleSchema, input)
  return changeProject(db, actor, projectId, async (tx, project) => {
    const name = await findName(tx, project, given)
    const { id, text, type, write } = name
    const wanted = wantedRule(name, given)
    const kept = { caseSensitive: name.caseSensitive, excludedPhrases: name.excludedPhrases }
    const isKept =
      kept.caseSensitive === wanted.caseSensitive &&
      isSame(kept.excludedPhrases, wanted.excludedPhrases)
    if (isKept) return { subjectId: id, edits: [] }
    await write(wanted)
    const facts = (rule: Rule) => ({
      text,
      caseSensitive: isExact(text, rule.caseSensitive),
      excludedPhrases: rule.excludedPhrases,
    })
    const edit: Edit = {
      action: `${type}.update`,
      subject: [type, id],
      before: facts(kept),
      after: facts(wanted),
    }
    return { subjectId: id, edits: [edit] }
  })
}
