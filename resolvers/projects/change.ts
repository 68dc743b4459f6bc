import { z } from 'zod'
import { invalid } from '../../core/errors.ts'
import { quoted } from '../../core/rule-text.ts'
import { isExact } from '../../core/text/match-modes.ts'
import type { Db } from '../../prisma/client.ts'
import { type Actor, difference, type Edit } from '../shared/audit-trail.ts'
import { changeProject, type LockedProject, type ProjectChangeResult } from '../shared/change.ts'
import { check, domain, label } from '../shared/inputs.ts'
import { keepUsed } from '../shared/quotas.ts'

const profileSchema = z.object({
  name: label.optional(),
  domain: domain.optional(),
  description: label.nullish(),
  industry: label.nullish(),
  keepOldName: z.boolean().default(false),
})

export type ProfileInput = z.input<typeof profileSchema>

/** @throws {Fault} `invalid_argument` for a competitor's domain: a domain belongs to one brand */
export async function refuseCompetitorDomain(tx: Db, projectId: string, domain: string) {
  const rival = await tx.competitor.findFirst({ where: { projectId, domain } })
  if (rival)
    throw invalid(
      'domain',
      `must not be the domain of the competitor ${quoted(rival.name)}`,
      domain,
    )
}

async function keepName(tx: Db, project: LockedProject): Promise<Edit[]> {
  const { caseSensitive, excludedPhrases } = project
  const alias = { projectId: project.id, text: project.name, caseSensitive, excludedPhrases }
  const [made] = await tx.brandAlias.createManyAndReturn({ data: alias, skipDuplicates: true })
  if (!made) return []
  const after = { text: made.text, caseSensitive: isExact(made.text, caseSensitive) }
  return [{ action: 'brandAlias.add', subject: ['brandAlias', made.id], after }]
}

/**
 * Changes the brand's profile of a project. Absent fields stay; null removes a description or industry.
 * `keepOldName` adds the previous name as an alias.
 * @throws {Fault} `invalid_argument`, `not_found`
 */
export function updateProject(
  db: Db,
  actor: Actor,
  projectId: string,
  input: ProfileInput,
): Promise<ProjectChangeResult> {
  const { keepOldName, ...wanted } = check(profileSchema, input)
  const given = Object.fromEntries(
    Object.entries(wanted).filter(([, value]) => value !== undefined),
  )
  return changeProject(db, actor, projectId, async (tx, project) => {
    const { name, domain, description, industry } = project
    const changes = difference({ name, domain, description, industry }, given)
    if (!changes) return { subjectId: project.id, edits: [] }
    if (typeof changes.after.domain === 'string') {
      await refuseCompetitorDomain(tx, project.id, changes.after.domain)
    }
    // A rule belongs to the name that it was chosen for.
    const rule = 'name' in changes.after ? { caseSensitive: null, excludedPhrases: [] } : {}
    await tx.project.update({ where: { id: project.id }, data: { ...changes.after, ...rule } })
    const kept = keepOldName && 'name' in changes.after ? await keepName(tx, project) : []
    const edit: Edit = { action: 'project.update', subject: ['project', project.id], ...changes }
    return { subjectId: project.id, edits: [edit, ...kept] }
  })
}

const changesOfState = {
  active: ['activate', { status: 'active', isActive: true }],
  paused: ['pause', { status: 'paused' }],
  archived: ['archive', { status: 'archived' }],
  inactive: ['deactivate', { isActive: false }],
} as const

/**
 * Activates, pauses, archives or deactivates a project. Only activating switches an inactive project on again.
 * @throws {Fault} `not_found`
 */
export function setProjectStatus(
  db: Db,
  actor: Actor,
  projectId: string,
  state: keyof typeof changesOfState,
): Promise<ProjectChangeResult> {
  const [verb, wanted] = changesOfState[state]
  return changeProject(db, actor, projectId, async (tx, { id, status, isActive }) => {
    const changes = difference<Record<string, string | boolean>>({ status, isActive }, wanted)
    if (!changes) return { subjectId: id, edits: [] }
    await tx.project.update({ where: { id }, data: wanted })
    const edit: Edit = { action: `project.${verb}`, subject: ['project', id], ...changes }
    return { subjectId: id, edits: [edit] }
  })
}

/**
 * Removes a project from the catalog, with its prompts and the keys bound to it. Its facts become unreadable;
 * `removeProject` in `imports/` removes them.
 * @throws {Fault} `not_found`
 */
export function deleteProject(
  db: Db,
  actor: Actor,
  projectId: string,
): Promise<ProjectChangeResult> {
  return changeProject(db, actor, projectId, async (tx, { id, name, domain, kind, status }) => {
    const keys = await tx.apiKey.findMany({ where: { projectId: id }, select: { id: true } })
    await keepUsed(tx, id, new Date())
    await tx.project.delete({ where: { id } })
    const before = { name, domain, kind, status, keyIds: keys.map((key) => key.id) }
    return {
      subjectId: id,
      edits: [{ action: 'project.delete', subject: ['project', id], before }],
    }
  })
}
