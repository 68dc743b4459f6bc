import { z } from 'zod'
import { invalid, notFound } from '../../core/errors.ts'
import { isExact } from '../../core/text/match-modes.ts'
import { brandForm } from '../../core/text/seen-brands.ts'
import { isUuid } from '../../core/uuid.ts'
import type { Db } from '../../prisma/client.ts'
import { type Aliases, type AliasInput, dropAlias, putAlias } from '../shared/aliases.ts'
import { type Actor, difference, type Edit } from '../shared/audit-trail.ts'
import { changeProject, type LockedProject, type ProjectChangeResult } from '../shared/change.ts'
import { alias, check, distinct, domain, label } from '../shared/inputs.ts'

const competitorSchema = z.object({
  name: label,
  domain,
  aliases: z.array(alias).max(100, 'are more than 100').default([]),
})
const renamedSchema = z.object({ name: label.optional(), domain: domain.optional() })

export type CompetitorInput = z.input<typeof competitorSchema>

async function requireCompetitor(tx: Db, projectId: string, id: string) {
  const found = isUuid(id) ? await tx.competitor.findFirst({ where: { id, projectId } }) : null
  if (!found) throw notFound()
  return found
}

async function refuseOwnDomain(tx: Db, project: LockedProject, domain: string): Promise<void> {
  const where = { projectId: project.id, domain }
  if (project.domain === domain || (await tx.ownDomain.count({ where })) > 0) {
    throw invalid('domain', "must not be the project's own domain", domain)
  }
}

/**
 * Tracks a competitor. A competitor with the same name and domain is left unchanged.
 * @throws {Fault} `invalid_argument`, also for a domain of the project's own or a name tracked with another
 *   domain; `not_found`
 */
export function addCompetitor(
  db: Db,
  actor: Actor,
  projectId: string,
  input: CompetitorInput,
): Promise<ProjectChangeResult> {
  const { name, domain, aliases } = check(competitorSchema, input)
  return changeProject(db, actor, projectId, async (tx, project) => {
    const where = { projectId_name: { projectId: project.id, name } }
    const existing = await tx.competitor.findUnique({ where })
    if (existing?.domain === domain) return { subjectId: existing.id, edits: [] }
    if (existing) {
      throw invalid('name', `is tracked already, with the domain ${existing.domain}`, name)
    }
    await refuseOwnDomain(tx, project, domain)
    const { id } = await tx.competitor.create({
      data: { projectId: project.id, name, domain, aliases: { create: distinct(aliases) } },
    })
    const after = { name, domain, aliases: distinct(aliases).map(withFlag) }
    return {
      subjectId: id,
      edits: [{ action: 'competitor.add', subject: ['competitor', id], after }],
    }
  })
}

/**
 * Changes a competitor's name, domain, or both.
 * @throws {Fault} `invalid_argument`, also for another competitor's name; `not_found`
 */
export function updateCompetitor(
  db: Db,
  actor: Actor,
  projectId: string,
  competitorId: string,
  input: z.input<typeof renamedSchema>,
): Promise<ProjectChangeResult> {
  const wanted = check(renamedSchema, input)
  const given = Object.fromEntries(
    Object.entries(wanted).filter(([, value]) => value !== undefined),
  )
  return changeProject(db, actor, projectId, async (tx, project) => {
    const { id, name, domain } = await requireCompetitor(tx, project.id, competitorId)
    const changes = difference({ name, domain }, given)
    if (!changes) return { subjectId: id, edits: [] }
    const { name: newName, domain: newDomain } = changes.after
    if (typeof newDomain === 'string') await refuseOwnDomain(tx, project, newDomain)
    if (typeof newName === 'string') {
      const where = { projectId: project.id, name: newName }
      if ((await tx.competitor.count({ where })) > 0) {
        throw invalid('name', 'is the name of another competitor', newName)
      }
    }
    // A rule belongs to the name that it was chosen for.
    const rule = 'name' in changes.after ? { caseSensitive: null, excludedPhrases: [] } : {}
    await tx.competitor.update({ where: { id }, data: { ...changes.after, ...rule } })
    const edit: Edit = { action: 'competitor.update', subject: ['competitor', id], ...changes }
    return { subjectId: id, edits: [edit] }
  })
}

/**
 * Stops tracking a competitor.
 * @throws {Fault} `not_found`
 */
export function removeCompetitor(
  db: Db,
  actor: Actor,
  projectId: string,
  competitorId: string,
): Promise<ProjectChangeResult> {
  return changeProject(db, actor, projectId, async (tx, project) => {
    const { id, name, domain } = await requireCompetitor(tx, project.id, competitorId)
    const aliases = await tx.competitorAlias.findMany({
      where: { competitorId: id },
      select: { text: true, caseSensitive: true },
      orderBy: { text: 'asc' },
    })
    await tx.competitor.delete({ where: { id } })
    const before = { name, domain, aliases: aliases.map(withFlag) }
    return {
      subjectId: id,
      edits: [{ action: 'competitor.remove', subject: ['competitor', id], before }],
    }
  })
}

const seenBrand = z.object({
  name: label.refine((text) => brandForm(text) !== '', 'must have a letter or a digit'),
})

/**
 * Leaves a brand of answers out of the suggested competitors, in all spellings of its name.
 * @throws {Fault} `invalid_argument` for the name; `not_found`
 */
export function dismissSuggestedCompetitor(
  db: Db,
  actor: Actor,
  projectId: string,
  input: z.input<typeof seenBrand>,
): Promise<ProjectChangeResult> {
  const { name } = check(seenBrand, input)
  return changeProject(db, actor, projectId, async (tx, { id }) => {
    const form = brandForm(name)
    const { count } = await tx.dismissedBrand.createMany({
      data: { projectId: id, form, name },
      skipDuplicates: true,
    })
    const edit: Edit = {
      action: 'competitor.dismiss',
      subject: ['project', id],
      after: { name },
    }
    return { subjectId: id, edits: count === 0 ? [] : [edit] }
  })
}

/**
 * Suggests a dismissed brand again.
 * @throws {Fault} as `dismissSuggestedCompetitor` does
 */
export function restoreSuggestedCompetitor(
  db: Db,
  actor: Actor,
  projectId: string,
  input: z.input<typeof seenBrand>,
): Promise<ProjectChangeResult> {
  const { name } = check(seenBrand, input)
  return changeProject(db, actor, projectId, async (tx, { id }) => {
    const where = { projectId: id, form: brandForm(name) }
    const { count } = await tx.dismissedBrand.deleteMany({ where })
    const edit: Edit = {
      action: 'competitor.reopen',
      subject: ['project', id],
      before: { name },
    }
    return { subjectId: id, edits: count === 0 ? [] : [edit] }
  })
}

const withFlag = ({ text, caseSensitive }: { text: string; caseSensitive: boolean | null }) => ({
  text,
  caseSensitive: isExact(text, caseSensitive),
})

function aliasesOf(tx: Db, competitorId: string): Aliases {
  return {
    type: 'competitorAlias',
    of: { competitorId },
    find: (text) =>
      tx.competitorAlias.findUnique({ where: { competitorId_text: { competitorId, text } } }),
    create: (wanted) => tx.competitorAlias.create({ data: { competitorId, ...wanted } }),
    update: (id, data) => tx.competitorAlias.update({ where: { id }, data }),
    remove: (id) => tx.competitorAlias.delete({ where: { id } }),
  }
}

/**
 * Adds an alias of a competitor, or sets `caseSensitive` of an existing alias.
 * @throws {Fault} `invalid_argument`, `not_found`
 */
export function addCompetitorAlias(
  db: Db,
  actor: Actor,
  projectId: string,
  competitorId: string,
  input: AliasInput,
): Promise<ProjectChangeResult> {
  const wanted = check(alias, input)
  return changeProject(db, actor, projectId, async (tx, project) => {
    const { id } = await requireCompetitor(tx, project.id, competitorId)
    return putAlias(aliasesOf(tx, id), wanted)
  })
}

/**
 * Removes an alias of a competitor.
 * @throws {Fault} `invalid_argument`; `not_found` for the project, the competitor or the alias
 */
export function removeCompetitorAlias(
  db: Db,
  actor: Actor,
  projectId: string,
  competitorId: string,
  input: { text: string },
): Promise<ProjectChangeResult> {
  const { text } = check(alias.pick({ text: true }), input)
  return changeProject(db, actor, projectId, async (tx, project) => {
    const { id } = await requireCompetitor(tx, project.id, competitorId)
    return dropAlias(aliasesOf(tx, id), text)
  })
}
