import { z } from 'zod'
import { type Principal, type Role, roles } from '../../core/access.ts'
import { invalid, notFound } from '../../core/errors.ts'
import { isUuid } from '../../core/uuid.ts'
import type { Db } from '../../prisma/client.ts'
import type { Actor, Edit } from '../shared/audit-trail.ts'
import { groupByWorkspace } from '../shared/by-project.ts'
import { changeWorkspace, type WorkspaceChangeResult } from '../shared/change.ts'
import { check, email } from '../shared/inputs.ts'

export const role = z.enum(roles)

const memberSchema = z.object({ email, role: role.default('viewer') })
const roleSchema = z.object({ role })

export type MemberInput = z.input<typeof memberSchema>

/** The role of a key's user in the key's workspace; null for who is no member, and for a key that an owner has blocked. */
export async function roleOfKey(
  db: Db,
  { workspaceId, userId, keyId }: Pick<Principal, 'workspaceId' | 'userId' | 'keyId'>,
): Promise<Role | null> {
  const workspace = { keyBlocks: { none: { apiKeyId: keyId } } }
  const where = { workspaceId, userId, workspace }
  return (await db.membership.findFirst({ where, select: { role: true } }))?.role ?? null
}

/** Members of each workspace, oldest membership first. */
export async function loadMembers(db: Db, workspaceIds: readonly string[]) {
  const rows = await db.membership.findMany({
    where: { workspaceId: { in: [...workspaceIds] } },
    include: { user: true },
    orderBy: [{ createdAt: 'asc' }, { userId: 'asc' }],
  })
  return groupByWorkspace(workspaceIds, rows)
}

/** Needs the workspace's lock: two owners could remove each other at once. */
async function refuseLastOwner(tx: Db, workspaceId: string, field: string): Promise<void> {
  if ((await tx.membership.count({ where: { workspaceId, role: 'owner' } })) > 1) return
  throw invalid(field, 'names the last owner: make another member an owner first')
}

async function requireMember(tx: Db, workspaceId: string, userId: string) {
  const where = { workspaceId_userId: { workspaceId, userId } }
  const found = isUuid(userId)
    ? await tx.membership.findUnique({ where, include: { user: true } })
    : null
  if (!found) throw notFound()
  return { where, role: found.role, userId: found.userId, email: found.user.email }
}

/**
 * Whoever had the link of an invitation chose a password or a passkey for the address, perhaps not its owner. A membership
 * would let that person in.
 */
async function refuseUnproven(tx: Db, userId: string): Promise<void> {
  const signsIn = { OR: [{ password: { isNot: null } }, { passkeys: { some: {} } }] }
  if ((await tx.user.count({ where: { id: userId, isVerified: false, ...signsIn } })) === 0) return
  throw invalid(
    'email',
    'has an account that was made by the link of an invitation, which does not prove the address: invite it by `sightline invitation create`, so that its person accepts',
  )
}

/**
 * Adds the user with this e-mail as a member, and creates an unknown user. A member with the same role is left
 * unchanged. For the operator alone, who owns the machine: others invite by `inviteMember`, and the user accepts.
 * @throws {Fault} `invalid_argument`, also for a member with another role and for an account that a link made; `not_found` for
 *   the workspace
 */
export function addMember(
  db: Db,
  actor: Actor,
  workspaceId: string,
  input: MemberInput,
): Promise<WorkspaceChangeResult> {
  const after = check(memberSchema, input)
  return changeWorkspace(db, actor, workspaceId, async (tx) => {
    const user = await tx.user.upsert({
      where: { email: after.email },
      create: { email: after.email, name: after.email },
      update: {},
    })
    const where = { workspaceId_userId: { workspaceId, userId: user.id } }
    const existing = await tx.membership.findUnique({ where })
    if (existing && existing.role !== after.role) {
      throw invalid(
        'email',
        `belongs to a member already, with the role ${existing.role}`,
        after.email,
      )
    }
    if (existing) return { subjectId: user.id, edits: [] }
    await refuseUnproven(tx, user.id)
    await tx.membership.create({ data: { workspaceId, userId: user.id, role: after.role } })
    const edit: Edit = { action: 'member.add', subject: ['member', user.id], after }
    return { subjectId: user.id, edits: [edit] }
  })
}

/**
 * Changes a member's role.
 * @throws {Fault} `invalid_argument`, also for the last owner; `not_found`
 */
export function changeMemberRole(
  db: Db,
  actor: Actor,
  workspaceId: string,
  userId: string,
  input: { role: Role },
): Promise<WorkspaceChangeResult> {
  const after = check(roleSchema, input)
  return changeWorkspace(db, actor, workspaceId, async (tx) => {
    const { where, ...member } = await requireMember(tx, workspaceId, userId)
    const subjectId = member.userId
    if (member.role === after.role) return { subjectId, edits: [] }
    if (member.role === 'owner') await refuseLastOwner(tx, workspaceId, 'role')
    await tx.membership.update({ where, data: after })
    const before = { role: member.role }
    const edit: Edit = { action: 'member.update', subject: ['member', subjectId], before, after }
    return { subjectId, edits: [edit] }
  })
}

/**
 * Ends a membership, and revokes the user's keys of the workspace.
 * @throws {Fault} `invalid_argument` for the last owner; `not_found`
 */
export function removeMember(
  db: Db,
  actor: Actor,
  workspaceId: string,
  userId: string,
): Promise<WorkspaceChangeResult> {
  const ending = { userId, action: 'member.remove', field: 'userId' }
  return changeWorkspace(db, actor, workspaceId, (tx) => endMembership(tx, workspaceId, ending))
}

/**
 * Ends the membership of the actor's own user, and revokes the user's keys of the workspace.
 * @throws {Fault} `invalid_argument` for the last owner; `not_found` for who is no member
 */
export async function leaveWorkspace(
  db: Db,
  actor: Actor,
  workspaceId: string,
): Promise<WorkspaceChangeResult & { readonly workspaceId: string }> {
  const ending = { userId: actor.userId ?? '', action: 'member.leave', field: 'workspaceId' }
  const result = await changeWorkspace(db, actor, workspaceId, (tx) =>
    endMembership(tx, workspaceId, ending),
  )
  return { ...result, workspaceId }
}

interface Ending {
  readonly userId: string
  readonly action: string
  /** The argument that the last owner is refused by. */
  readonly field: string
}

async function endMembership(tx: Db, workspaceId: string, { userId, action, field }: Ending) {
  const { where, email, role, userId: subjectId } = await requireMember(tx, workspaceId, userId)
  if (role === 'owner') {
    await refuseLastOwner(tx, workspaceId, field)
  }
  await tx.membership.delete({ where })
  // Without a membership the keys reach nothing; a new membership would revive them.
  const revoked = await tx.apiKey.updateManyAndReturn({
    where: { workspaceId, userId: subjectId, revokedAt: null },
    data: { revokedAt: new Date() },
    select: { id: true },
  })
  // Mails of the workspace go to its members, and to those who confirmed their address.
  const disabledReason = 'This person is no longer a member of the workspace.'
  const silenced = await tx.channel.updateManyAndReturn({
    where: { workspaceId, kind: 'email', display: email, state: { in: ['on', 'paused'] } },
    data: { state: 'disabled', disabledReason },
    select: { id: true, name: true },
  })
  const before = { email, role }
  const edits: Edit[] = [
    { action, subject: ['member', subjectId], before },
    ...silenced.map(
      ({ id, name }): Edit => ({
        action: 'channel.disable',
        subject: ['channel', id],
        after: { name, state: 'disabled', reason: disabledReason },
      }),
    ),
    ...revoked.map(({ id }): Edit => ({ action: 'key.revoke', subject: ['key', id] })),
  ]
  return { subjectId, edits }
}
