import { z } from 'zod'
import type { Db } from '../../prisma/client.ts'
import type { Actor } from '../shared/audit-trail.ts'
import { changeProject, type ProjectChangeResult } from '../shared/change.ts'
import { check, host } from '../shared/inputs.ts'
import { connectionAdded } from './added.ts'

const logSchema = z.object({ host: host.nullish() })

export interface LogSource extends z.input<typeof logSchema> {
  readonly kind: 'log' | 'cdn'
}

/**
 * Links a project to the access logs of a host. Each host and kind has one connection; `host` defaults to the
 * project's domain.
 * @throws {Fault} `invalid_argument`; `not_found`
 */
export function connectLogs(
  db: Db,
  actor: Actor,
  projectId: string,
  { kind, ...input }: LogSource,
): Promise<ProjectChangeResult & { readonly host: string; readonly isNew: boolean }> {
  const given = check(logSchema, input).host
  return changeProject(db, actor, projectId, async (tx, { id, domain }) => {
    const host = given ?? domain
    const known = await tx.connection.findFirst({ where: { projectId: id, kind, host } })
    if (known) return { subjectId: known.id, host, isNew: false, edits: [] }
    const made = await tx.connection.create({ data: { projectId: id, kind, host } })
    const edit = await connectionAdded(tx, id, made.id, { kind, host })
    return { subjectId: made.id, host, isNew: true, edits: [edit] }
  })
}
