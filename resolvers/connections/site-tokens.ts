import { z } from 'zod'
import { makeSiteToken } from '../../core/tokens.ts'
import type { Db } from '../../prisma/client.ts'
import type { Actor, Edit } from '../shared/audit-trail.ts'
import { changeProject, type ProjectChangeResult } from '../shared/change.ts'
import { check, host } from '../shared/inputs.ts'
import { connectionAdded } from './added.ts'

const siteSchema = z.object({ host: host.nullish() })

export type SiteInput = z.input<typeof siteSchema>

export interface SiteToken extends ProjectChangeResult {
  readonly siteToken: string
}

/**
 * Returns the token that a site's servers send with their events, and links the project to the tracker. Each host has
 * one connection. A first connection without a host takes the next host.
 * @throws {Fault} `invalid_argument`; `not_found`
 */
export function createSiteToken(
  db: Db,
  actor: Actor,
  projectId: string,
  input: SiteInput,
  signingSecret: string,
): Promise<SiteToken> {
  const { host = null } = check(siteSchema, input)
  return changeProject(db, actor, projectId, async (tx, { id, workspaceId }) => {
    const siteToken = makeSiteToken(signingSecret, { projectId: id, workspaceId })
    return { siteToken, ...(await connect(tx, id, host)) }
  })
}

async function connect(tx: Db, projectId: string, host: string | null) {
  const kind = 'tracker'
  const orderBy = { createdAt: 'asc' } as const
  const known = await tx.connection.findMany({ where: { projectId, kind }, orderBy })
  const same = known.find((each) => host === null || each.host === host)
  if (same) return { subjectId: same.id, edits: [] }
  const unnamed = known.find((each) => each.host === null)
  if (unnamed) {
    const { id } = await tx.connection.update({ where: { id: unnamed.id }, data: { host } })
    const states = { before: { host: null }, after: { host } }
    const edit: Edit = { action: 'connection.update', subject: ['connection', id], ...states }
    return { subjectId: id, edits: [edit] }
  }
  const { id } = await tx.connection.create({ data: { projectId, kind, host } })
  const edit = await connectionAdded(tx, projectId, id, { kind, host })
  return { subjectId: id, edits: [edit] }
}
