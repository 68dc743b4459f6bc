import type { Db } from '../../prisma/client.ts'
import { commandLine } from '../shared/audit-trail.ts'
import { inTransaction } from '../shared/transaction.ts'
import { createWorkspace, type WorkspaceInput } from '../workspaces.ts'
import { addMember } from './members.ts'

/** The address of the user who owns the machine. No mail reaches it, so no provider of sign-ins verifies it. */
export const localOwner = 'owner@sightline.local'

/** Two commands or services on an empty catalog make one local owner. */
const lockOwn = (tx: Db) =>
  tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended('own workspace', 0))`

/**
 * Makes a workspace of the local owner where there is none beside the demonstration's, and lets its keys reach the
 * demonstration too. Two services on one catalog make one workspace.
 * @param demo the workspace of the demonstration, as far as it is known
 */
export async function ensureOwnWorkspace(db: Db, demo: string | undefined): Promise<void> {
  await inTransaction(db, async (tx) => {
    await lockOwn(tx)
    const demoId = demo ?? null
    const others = await tx.workspace.count({
      where: demoId === null ? {} : { id: { not: demoId } },
    })
    if (others > 0) return
    await createWorkspace(tx, { name: 'My workspace', ownerEmail: localOwner })
    const isThere = demoId !== null && (await tx.workspace.count({ where: { id: demoId } })) > 0
    if (isThere) await addMember(tx, commandLine, demoId, { email: localOwner, role: 'owner' })
  })
}

/** Whether the local owner has a workspace, so that new ones may belong to the same person. */
export async function hasLocalOwner(db: Db): Promise<boolean> {
  return (await db.membership.count({ where: { user: { email: localOwner } } })) > 0
}

/**
 * Makes a workspace that the local owner finds in the dashboard, whether the service was started before or not. The first
 * workspace of a catalog brings the local owner; a catalog of others stays without. The workspace has an owner of its own
 * as well, whose keys reach no other workspace.
 */
export async function createLocalWorkspace(
  db: Db,
  input: Omit<WorkspaceInput, 'ownerEmail'>,
): Promise<{ id: string }> {
  return inTransaction(db, async (tx) => {
    await lockOwn(tx)
    const isFirst = (await tx.workspace.count()) === 0
    const { id } = await createWorkspace(tx, input)
    if (!isFirst && !(await hasLocalOwner(tx))) return { id }
    const { createdAt } = await tx.membership.findFirstOrThrow({ where: { workspaceId: id } })
    const { subjectId } = await addMember(tx, commandLine, id, { email: localOwner, role: 'owner' })
    // A key without a user acts for the owner who came first, and may not reach what else is the local owner's.
    await tx.membership.update({
      where: { workspaceId_userId: { workspaceId: id, userId: subjectId } },
      data: { createdAt: new Date(createdAt.getTime() + 1) },
    })
    return { id }
  })
}

/**
 * The user who owns the machine.
 * @returns null where the local owner is a member of no workspace
 */
export async function findLocalOwner(db: Db): Promise<string | null> {
  const where = { email: localOwner, memberships: { some: {} } }
  return (await db.user.findFirst({ where, select: { id: true } }))?.id ?? null
}
