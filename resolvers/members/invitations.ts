import { z } from 'zod'
import type { Role } from '../../core/access.ts'
import { invalid, notFound } from '../../core/errors.ts'
import { isUuid } from '../../core/uuid.ts'
import type { Db } from '../../prisma/client.ts'
import { type Actor, type Edit, recordEdits } from '../shared/audit-trail.ts'
import { groupByWorkspace } from '../shared/by-project.ts'
import { changeWorkspace, type WorkspaceChangeResult } from '../shared/change.ts'
import { check, email } from '../shared/inputs.ts'
import { sendJob } from '../shared/jobs.ts'
import { role } from './members.ts'

const invitationSchema = z.object({ email, role: role.default('viewer') })

export type InvitationInput = z.input<typeof invitationSchema>

/** How long an invitation can be accepted. */
const lifetimeMs = 7 * 24 * 60 * 60 * 1000

/** An open invitation as the workspace sees it: what its admin wrote, and nothing of the person. */
export interface Invitation {
  readonly id: string
  readonly workspaceId: string
  readonly email: string
  readonly role: Role
  readonly createdAt: Date
  readonly expiresAt: Date
  /** When the mail server took it; null where it did not, or sends no mail. */
  readonly mailedAt: Date | null
  /** Why the mail server did not take it. */
  readonly mailProblem: string | null
}

/** An open invitation as the invited person sees it. */
export interface ReceivedInvitation extends Invitation {
  readonly workspace: { readonly id: string; readonly name: string }
}

/** An answer to an invitation, or the end of a membership. */
export interface MembershipChange extends WorkspaceChangeResult {
  readonly workspaceId: string
}

const newestFirst = [{ createdAt: 'desc' }, { id: 'asc' }] as const
const isOpen = () => ({ expiresAt: { gt: new Date() } })

/** Open invitations of each workspace, newest first. */
export async function loadInvitations(
  db: Db,
  workspaceIds: readonly string[],
): Promise<Invitation[][]> {
  const rows = await db.invitation.findMany({
    where: { workspaceId: { in: [...workspaceIds] }, ...isOpen() },
    orderBy: [...newestFirst],
  })
  return groupByWorkspace(workspaceIds, rows)
}

/** Open invitations of a user, by the user's address, newest first. */
export async function receivedInvitations(db: Db, userId: string): Promise<ReceivedInvitation[]> {
  const user = await db.user.findUnique({ where: { id: userId } })
  // Whose address nobody verified has no claim to what is sent there.
  if (!user?.isVerified) return []
  return db.invitation.findMany({
    where: { email: user.email, ...isOpen() },
    include: { workspace: { select: { id: true, name: true } } },
    orderBy: [...newestFirst],
  })
}

const factsOf = ({ email, role }: Pick<Invitation, 'email' | 'role'>) => ({ email, role })

/**
 * Invites the owner of an address to a workspace for seven days. Whether the address has a user stays unknown to the
 * workspace, and the keys of the user reach nothing new before the user accepts. An open invitation, or a membership, with the same
 * role is left unchanged.
 * @param isMailed whether the service has a mail server
 * @throws {Fault} `invalid_argument`, also for a member or an invitation with another role; `not_found` for the workspace
 */
export function inviteMember(
  db: Db,
  actor: Actor,
  workspaceId: string,
  input: InvitationInput,
  isMailed = false,
): Promise<WorkspaceChangeResult> {
  const wanted = check(invitationSchema, input)
  return changeWorkspace(db, actor, workspaceId, async (tx) => {
    const refuseOther = (noun: string, known: Role) => {
      if (known === wanted.role) return
      throw invalid('email', `belongs to ${noun} already, with the role ${known}`, wanted.email)
    }
    const where = { workspaceId, user: { email: wanted.email } }
    const member = await tx.membership.findFirst({ where })
    if (member) {
      refuseOther('a member', member.role)
      return { subjectId: member.userId, edits: [] }
    }
    const unique = { workspaceId, email: wanted.email }
    const open = await tx.invitation.findFirst({ where: { ...unique, ...isOpen() } })
    if (open) {
      refuseOther('an invitation', open.role)
      return { subjectId: open.id, edits: [] }
    }
    await tx.invitation.deleteMany({ where: unique })
    const expiresAt = new Date(Date.now() + lifetimeMs)
    const { id } = await tx.invitation.create({ data: { workspaceId, ...wanted, expiresAt } })
    if (isMailed) await sendJob(tx, 'mail', { id, kind: 'invitation' })
    const after = { ...factsOf(wanted), expiresAt: expiresAt.toISOString() }
    const edit: Edit = { action: 'invitation.create', subject: ['invitation', id], after }
    return { subjectId: id, edits: [edit] }
  })
}

/**
 * Takes an open invitation back.
 * @throws {Fault} `not_found`
 */
export function revokeInvitation(
  db: Db,
  actor: Actor,
  workspaceId: string,
  id: string,
): Promise<WorkspaceChangeResult> {
  return changeWorkspace(db, actor, workspaceId, async (tx) => {
    const where = { id, workspaceId, ...isOpen() }
    const found = isUuid(id) ? await tx.invitation.findFirst({ where }) : null
    if (!found) throw notFound()
    await tx.invitation.delete({ where: { id: found.id } })
    const before = factsOf(found)
    const subject = ['invitation', found.id] as const
    return { subjectId: found.id, edits: [{ action: 'invitation.revoke', subject, before }] }
  })
}

/**
 * The open invitation that an actor may answer: one to the address of its user, which is verified, or whose link the user has.
 * The command line may answer each.
 */
async function requireReceived(
  db: Db,
  actor: Actor,
  id: string,
  hasLink: boolean,
): Promise<Invitation> {
  const where = { id, ...isOpen() }
  const found = isUuid(id) ? await db.invitation.findFirst({ where }) : null
  if (!found) throw notFound()
  if (actor.userId === null) return found
  const user = await db.user.findUnique({ where: { id: actor.userId } })
  if (user?.email !== found.email || !(hasLink || user.isVerified)) throw notFound()
  return found
}

/** Runs an answer under the lock of the workspace: an admin may revoke the invitation meanwhile. */
async function answer(
  db: Db,
  actor: Actor,
  { id, hasLink }: { readonly id: string; readonly hasLink: boolean },
  work: (tx: Db, invitation: Invitation) => Promise<readonly Edit[]>,
): Promise<MembershipChange> {
  const { workspaceId } = await requireReceived(db, actor, id, hasLink)
  const result = await changeWorkspace(db, actor, workspaceId, async (tx) => {
    const invitation = await requireReceived(tx, actor, id, hasLink)
    await tx.invitation.delete({ where: { id: invitation.id } })
    return { subjectId: invitation.id, edits: await work(tx, invitation) }
  })
  return { ...result, workspaceId }
}

/**
 * Makes the invited user a member, of an address that is verified unless the user has the link. The command line may accept for the user, and creates an unknown user.
 * @throws {Fault} `not_found`, also for an expired invitation and for one to another address
 */
export function acceptInvitation(
  db: Db,
  actor: Actor,
  id: string,
  hasLink = false,
): Promise<MembershipChange> {
  return answer(
    db,
    actor,
    { id, hasLink },
    async (tx, { id: subjectId, workspaceId, ...invitation }) => {
      const { email, role } = invitation
      const user = await tx.user.upsert({
        where: { email },
        create: { email, name: email },
        update: {},
      })
      const before = factsOf(invitation)
      const accepted: Edit = {
        action: 'invitation.accept',
        subject: ['invitation', subjectId],
        before,
      }
      const where = { workspaceId, userId: user.id }
      // The operator may have added the member since.
      if ((await tx.membership.count({ where })) > 0) return [accepted]
      await tx.membership.create({ data: { ...where, role } })
      const after = before
      return [accepted, { action: 'member.add', subject: ['member', user.id], after }]
    },
  )
}

/**
 * Refuses an invitation. The audit trail of the workspace names neither the user nor the key: who declines stays unknown
 * there.
 * @throws {Fault} `not_found`, also for an expired invitation and for one to another address
 */
export function declineInvitation(db: Db, actor: Actor, id: string): Promise<MembershipChange> {
  return answer(db, actor, { id, hasLink: false }, async (tx, invitation) => {
    const { id: subjectId, workspaceId } = invitation
    const before = factsOf(invitation)
    const subject = ['invitation', subjectId] as const
    await recordEdits(tx, { userId: null, keyId: null }, { workspaceId }, [
      { action: 'invitation.decline', subject, before },
    ])
    return []
  })
}
