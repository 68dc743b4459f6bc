import {
  type Begun,
  hashApiKey,
  type KeyKind,
  makeSessionToken,
  type Principal,
  type SignedIn,
  sessionMs,
} from '../../core/access.ts'
import { Fault, notFound } from '../../core/errors.ts'
import { plans } from '../../core/plans.ts'
import { isUuid } from '../../core/uuid.ts'
import type { Db } from '../../prisma/client.ts'
import { createSessionKey, revokeKey } from '../keys/keys.ts'
import { email } from '../shared/inputs.ts'
import { inTransaction } from '../shared/transaction.ts'
import { acceptInvitation } from './invitations.ts'

/** How old a token may grow before a visit replaces it. */
const tokenMs = 24 * 60 * 60 * 1000

const longestBrowser = 300

/** What a session knows of its browser: the `User-Agent`. */
type Browser = string | undefined

/** Begins the session of a browser that acts with a key. */
export async function beginSession(db: Db, apiKeyId: string, browser: Browser): Promise<Begun> {
  const { token, hash } = makeSessionToken()
  const expiresAt = new Date(Date.now() + sessionMs)
  await db.session.create({
    data: { apiKeyId, hash, expiresAt, browser: browser?.slice(0, longestBrowser) ?? null },
  })
  return { token, expiresAt }
}

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
 * Begins a session of a user.
 * @returns null for a member of no workspace
 */
export async function signInUser(
  db: Db,
  userId: string,
  browser?: string | undefined,
): Promise<Begun | null> {
  const memberships = await db.membership.findMany({
    where: { userId },
    include: { workspace: true },
    orderBy: { createdAt: 'asc' },
  })
  // Where the person can make projects and keys, if there is such a workspace.
  const home =
    memberships.find(({ role, workspace }) => role !== 'viewer' && plans[workspace.plan].apiKeys) ??
    memberships.find(({ role }) => role !== 'viewer') ??
    memberships[0]
  if (!home) return null
  return inTransaction(db, async (tx) => {
    await tx.session.deleteMany({ where: { apiKey: { userId }, expiresAt: { lte: new Date() } } })
    const { workspaceId } = home
    return beginSession(tx, await createSessionKey(tx, { workspaceId, userId }), browser)
  })
}

/**
 * Begins a session of a member.
 * @throws {Fault} `forbidden` for a member of no workspace
 */
export async function signInMember(
  db: Db,
  userId: string,
  browser: string | undefined,
): Promise<Begun> {
  const begun = await signInUser(db, userId, browser)
  if (begun) return begun
  throw new Fault('forbidden', 'You are a member of no workspace. Ask an owner for an invitation.')
}

/**
 * Signs in the owner of an e-mail address.
 * @param wantedEmail an address that a provider of sign-ins has verified
 * @param invitationId an invitation that the person accepts by this sign-in
 * @returns the open invitations of a person who is a member of no workspace
 */
export async function signIn(
  db: Db,
  wantedEmail: string,
  invitationId?: string,
  browser?: string | undefined,
): Promise<SignedIn> {
  const address = email.parse(wantedEmail)
  const known = await db.user.findUnique({ where: { email: address } })
  if (known) await takeOver(db, known.id)
  if (invitationId !== undefined) await join(db, address, invitationId)
  const user = await db.user.findUnique({ where: { email: address } })
  const begun = user && (await signInUser(db, user.id, browser))
  return begun ?? { invitations: await openInvitations(db, address) }
}

/**
 * Replaces a token that is older than a day, and lets the session last from now on.
 * @returns null where another request has replaced it, or where it is young
 */
export async function renewSession(
  db: Db,
  token: string,
  { id, rotatedAt }: { readonly id: string; readonly rotatedAt: Date },
): Promise<Begun | null> {
  const now = new Date()
  if (now.getTime() - rotatedAt.getTime() < tokenMs) return null
  const previousHash = hashApiKey(token)
  const next = makeSessionToken()
  const expiresAt = new Date(now.getTime() + sessionMs)
  const { count } = await db.session.updateMany({
    where: { id, hash: previousHash },
    data: { hash: next.hash, previousHash, rotatedAt: now, expiresAt },
  })
  return count === 0 ? null : { token: next.token, expiresAt }
}

const withKey = { apiKey: { select: { id: true, userId: true, kind: true } } } as const

interface SessionOfKey {
  readonly id: string
  readonly apiKey: { readonly id: string; readonly userId: string; readonly kind: KeyKind }
}

/** Ends a session, and the key that was made for it. */
async function end(db: Db, { id, apiKey }: SessionOfKey): Promise<void> {
  const { id: keyId, userId, kind } = apiKey
  await inTransaction(db, async (tx) => {
    await tx.session.deleteMany({ where: { id } })
    if (kind === 'browser') await revokeKey(tx, keyId, { userId, keyId })
  })
}

/** Signs out the browsers of a user, but for one session. */
export async function endSessions(db: Db, userId: string, but?: string): Promise<void> {
  const open = await db.session.findMany({
    where: { apiKey: { userId, kind: 'browser' }, ...(but !== undefined && { id: { not: but } }) },
    select: { id: true, ...withKey },
  })
  for (const session of open) await end(db, session)
}

/**
 * A provider, or a mail that arrived, has verified the address of a user who came by the link of an invitation. Whoever had the link may be another
 * person: what was made before signs nobody in any more.
 */
export async function takeOver(db: Db, userId: string): Promise<void> {
  await inTransaction(db, async (tx) => {
    const { count } = await tx.user.updateMany({
      where: { id: userId, isVerified: false },
      data: { isVerified: true },
    })
    if (count === 0) return
    await tx.password.deleteMany({ where: { userId } })
    await tx.passkey.deleteMany({ where: { userId } })
    await tx.session.deleteMany({ where: { apiKey: { userId } } })
    await tx.apiKey.updateMany({
      where: { userId, revokedAt: null },
      data: { revokedAt: new Date() },
    })
  })
}

/** Ends the session of a token. An unknown token changes nothing. */
export async function signOut(db: Db, token: string): Promise<void> {
  const hash = hashApiKey(token)
  const found = await db.session.findFirst({
    where: { OR: [{ hash }, { previousHash: hash }] },
    select: { id: true, ...withKey },
  })
  if (found) await end(db, found)
}

/** A person has the sessions of all own keys; who pasted a key sees those of the key. */
const ownOf = ({ userId, keyId, session }: Principal) =>
  session?.isPerson ? { apiKey: { userId } } : { apiKeyId: keyId }

const isOpen = () => ({ expiresAt: { gt: new Date() }, apiKey: { revokedAt: null } })

/** Open sessions of who asks, newest first. */
export async function ownSessions(db: Db, principal: Principal) {
  return db.session.findMany({
    where: { AND: [ownOf(principal), isOpen()] },
    include: { apiKey: { select: { kind: true, name: true, lastUsedAt: true } } },
    orderBy: [{ createdAt: 'desc' }, { id: 'asc' }],
  })
}

/**
 * Ends one of the sessions of who asks.
 * @throws {Fault} `not_found`
 */
export async function endOwnSession(db: Db, principal: Principal, id: string): Promise<string> {
  const where = { AND: [{ id }, ownOf(principal), isOpen()] }
  const select = { id: true, ...withKey }
  const found = isUuid(id) ? await db.session.findFirst({ where, select }) : null
  if (!found) throw notFound()
  await end(db, found)
  return found.id
}
