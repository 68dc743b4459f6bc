import { Fault } from '../../core/errors.ts'
import type { Db } from '../../prisma/client.ts'
import type { Actor } from './audit-trail.ts'

/** @throws {Fault} `forbidden` unless the actor is an owner of the workspace, or the command line */
export async function requireOwner(tx: Db, actor: Actor, workspaceId: string): Promise<void> {
  if (actor.userId === null) return
  const where = { workspaceId, userId: actor.userId, role: 'owner' } as const
  if ((await tx.membership.count({ where })) > 0) return
  throw new Fault('forbidden', 'Only a key that acts for an owner of the workspace may do this.')
}
