import {
  hashApiKey,
  type KeyScope,
  type Role,
  type SignedIn,
  sessionMs,
} from '../../core/access.ts'
import { plans } from '../../core/plans.ts'
import type { Db } from '../../prisma/client.ts'
import { createSession, revokeKey } from '../keys/keys.ts'
import { isUuid } from '../shared/ids.ts'
import { email } from '../shared/inputs.ts'
import { acceptInvitation } from './invitations.ts'

/** The name of the key of a sign-in. */
export const browserKey = 'Browser'

/** Who is a member everywhere has no use for `admin`. Elsewhere the role in each workspace bounds the key. */
const scopesOf = (roles: readonly Role[]): KeyScope[] =>
  roles.every((role) => role === 'member') ? ['read', 'write'] : ['read', 'write', 'admin']

async function openInvitations(db: Db, address: string) {
  const rows = await db.invitation.findMany({
    where: { email: address, expiresAt: { gt: new Date() } },
    select: { id: true, role: true, workspace: { select: { name: true } } },
    orderBy: { createdAt: 'asc' },
  })
  return rows.map(({ id, role, workspace }) => ({ id, role, workspace: workspace.name }))
}

/** Accepts an invitation to the address, for a user who may be new. Another invitation changes nothing. */
async function join(db: Db, address: string, id: string): Promise<void> {
  const open = await openInvitations(db, address)
  if (!isUuid(id) || !open.some((invitation) => invitation.id === id)) return
  const create = { email: address, name: address }
  const user = await db.user.upsert({ where: { email: address }, create, update: {} })
  await acceptInvitation(db, { userId: user.id, keyId: null }, id)
}

/**
 * Signs in the owner of an e-mail address: makes a key for the browser that ends after twelve hours.
 * @param wantedEmail an address that a provider of sign-ins has verified
 * @param invitationId an invitation that the person accepts by this sign-in
 * @returns the open invitations of a person who is a member of no workspace
 */
export async function signIn(
  db: Db,
  wantedEmail: string,
  invitationId?: string,
): Promise<SignedIn> {
  const address = email.parse(wantedEmail)
  if (invitationId !== undefined) await join(db, address, invitationId)
  const user = await db.user.findUnique({
    where: { email: address },
    include: {
      memberships: { include: { workspace: true }, orderBy: { createdAt: 'asc' } },
    },
  })
  const memberships = user?.memberships ?? []
  const [first] = memberships
  if (!user || !first) return { invitations: await openInvitations(db, address) }
  // Where the person can make projects and keys, if there is such a workspace.
  const home =
    memberships.find(({ role, workspace }) => role !== 'member' && plans[workspace.plan].apiKeys) ??
    memberships.find(({ role }) => role !== 'member') ??
    first
  const expiresAt = new Date(Date.now() + sessionMs)
  const { key } = await createSession(db, {
    workspaceId: home.workspaceId,
    userId: user.id,
    expiresAt,
    name: browserKey,
    scopes: scopesOf(memberships.map(({ role }) => role)),
  })
  return { key, expiresAt }
}

/** Ends a sign-in: its key is revoked. An unknown key changes nothing. */
async function signOut(db: Db, key: string): Promise<void> {
  const found = await db.apiKey.findUnique({ where: { hash: hashApiKey(key) } })
  if (found) await revokeKey(db, found.id, { userId: found.userId, keyId: found.id })
}

/** The sign-ins of people by the provider of their organisation. */
export const sessionsOf = (db: Db) => ({
  signIn: (address: string, invitation: string) => signIn(db, address, invitation),
  signOut: (key: string) => signOut(db, key),
})
