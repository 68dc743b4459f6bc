import { z } from 'zod'
import { notFound } from '../../core/errors.ts'
import type { Db } from '../../prisma/client.ts'
import type { Actor } from '../shared/audit-trail.ts'
import { changeProject, type ProjectChangeResult } from '../shared/change.ts'
import { check, domain } from '../shared/inputs.ts'
import { refuseCompetitorDomain } from './change.ts'

const ownDomainSchema = z.object({ domain })

/**
 * Adds a domain of the brand. The main domain needs no entry.
 * @throws {Fault} `invalid_argument`, also for a competitor's domain; `not_found`
 */
export function addOwnDomain(
  db: Db,
  actor: Actor,
  projectId: string,
  input: { domain: string },
): Promise<ProjectChangeResult> {
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
 * Removes a domain of the brand. Change the main domain with `updateProject`.
 * @throws {Fault} `invalid_argument`; `not_found` for the project or the domain
 */
export function removeOwnDomain(
  db: Db,
  actor: Actor,
  projectId: string,
  input: { domain: string },
): Promise<ProjectChangeResult> {
  const before = check(ownDomainSchema, input)
  return changeProject(db, actor, projectId, async (tx, project) => {
    const where = { projectId_domain: { projectId: project.id, ...before } }
    const existing = await tx.ownDomain.findUnique({ where })
    if (!existing) throw notFound(input.domain)
    const { id } = await tx.ownDomain.delete({ where: { id: existing.id } })
    return {
      subjectId: id,
      edits: [{ action: 'ownDomain.remove', subject: ['ownDomain', id], before }],
    }
  })
}
