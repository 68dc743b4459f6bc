import { z } from 'zod'
import { notFound } from '../core/errors.ts'
import type { Db } from '../prisma/client.ts'
import { refuseCompetitorDomain } from './shaping.ts'
import { changeProject, type Made, type Outcome } from './shaping-change.ts'
import type { Actor, Edit, SubjectType } from './shared/audit-trail.ts'
import { alias, check, domain } from './shared/inputs.ts'

const ownDomainSchema = z.object({ domain })

export type AliasInput = z.input<typeof alias>

interface AliasRow {
  readonly id: string
  readonly text: string
  readonly caseSensitive: boolean
}

/** Where aliases are kept: the project's own, or a competitor's. */
export interface Aliases {
  readonly type: SubjectType & ('brandAlias' | 'competitorAlias')
  find(text: string): Promise<AliasRow | null>
  create(wanted: { text: string; caseSensitive: boolean }): Promise<{ id: string }>
  update(id: string, data: { caseSensitive: boolean }): Promise<unknown>
  remove(id: string): Promise<unknown>
  /** What the trail tells of an alias beside itself. */
  readonly of?: { readonly competitorId: string }
}

/** Adds an alias, or changes whether the case of one that is there counts. */
export async function putAlias(aliases: Aliases, wanted: z.output<typeof alias>): Promise<Made> {
  const { text, caseSensitive } = wanted
  const { type, of } = aliases
  const facts = (flag: boolean) => ({ text, caseSensitive: flag, ...of })
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
export async function dropAlias(aliases: Aliases, text: string): Promise<Made> {
  const existing = await aliases.find(text)
  if (!existing) throw notFound()
  const { id, caseSensitive } = existing
  const { type, of } = aliases
  await aliases.remove(id)
  const before = { text: existing.text, caseSensitive, ...of }
  return { subjectId: id, edits: [{ action: `${type}.remove`, subject: [type, id], before }] }
}

function brandAliases(tx: Db, projectId: string): Aliases {
  return {
    type: 'brandAlias',
    find: (text) => tx.brandAlias.findUnique({ where: { projectId_text: { projectId, text } } }),
    create: (wanted) => tx.brandAlias.create({ data: { projectId, ...wanted } }),
    update: (id, data) => tx.brandAlias.update({ where: { id }, data }),
    remove: (id) => tx.brandAlias.delete({ where: { id } }),
  }
}

/**
 * Adds another name of the brand; one that is there already takes the given `caseSensitive`.
 * @throws {Fault} `invalid_argument`, `not_found`
 */
export function addBrandAlias(
  db: Db,
  actor: Actor,
  projectId: string,
  input: AliasInput,
): Promise<Outcome> {
  const wanted = check(alias, input)
  return changeProject(db, actor, projectId, (tx, { id }) => putAlias(brandAliases(tx, id), wanted))
}

/**
 * Removes another name of the brand.
 * @throws {Fault} `invalid_argument`; `not_found` for the project or the alias
 */
export function removeBrandAlias(
  db: Db,
  actor: Actor,
  projectId: string,
  input: { text: string },
): Promise<Outcome> {
  const { text } = check(alias.pick({ text: true }), input)
  return changeProject(db, actor, projectId, (tx, { id }) => dropAlias(brandAliases(tx, id), text))
}

/**
 * Adds a domain of the brand's own. Its main domain is own already.
 * @throws {Fault} `invalid_argument`, also for a competitor's domain; `not_found`
 */
export function addOwnDomain(
  db: Db,
  actor: Actor,
  projectId: string,
  input: { domain: string },
): Promise<Outcome> {
  const { domain: wanted } = check(ownDomainSchema, input)
  return changeProject(db, actor, projectId, async (tx, project) => {
    const data = { projectId: project.id, domain: wanted }
    if (wanted === project.domain) return { subjectId: project.id, edits: [] }
    const existing = await tx.ownDomain.findUnique({ where: { projectId_domain: data } })
    if (existing) return { subjectId: existing.id, edits: [] }
    await refuseCompetitorDomain(tx, project.id, wanted)
    const { id } = await tx.ownDomain.create({ data })
    const after = { domain: wanted }
    return {
      subjectId: id,
      edits: [{ action: 'ownDomain.add', subject: ['ownDomain', id], after }],
    }
  })
}

/**
 * Removes a domain of the brand's own; the main one is changed with `updateProject` instead.
 * @throws {Fault} `invalid_argument`; `not_found` for the project or the domain
 */
export function removeOwnDomain(
  db: Db,
  actor: Actor,
  projectId: string,
  input: { domain: string },
): Promise<Outcome> {
  const before = check(ownDomainSchema, input)
  return changeProject(db, actor, projectId, async (tx, project) => {
    const where = { projectId_domain: { projectId: project.id, ...before } }
    const existing = await tx.ownDomain.findUnique({ where })
    if (!existing) throw notFound()
    const { id } = await tx.ownDomain.delete({ where: { id: existing.id } })
    return {
      subjectId: id,
      edits: [{ action: 'ownDomain.remove', subject: ['ownDomain', id], before }],
    }
  })
}
