import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import type { Begun, Principal, Role } from '../../core/access.ts'
import { Fault, notFound } from '../../core/errors.ts'
import { hashPassword } from '../../core/password.ts'
import { openTokenOf, signToken } from '../../core/tokens.ts'
import { isUuid } from '../../core/uuid.ts'
import type { Db } from '../../prisma/client.ts'
import { check } from '../shared/inputs.ts'
import { inTransaction, isUniqueClash } from '../shared/transaction.ts'
import { acceptInvitation, type ReceivedInvitation } from './invitations.ts'
import { newPasskeyOptions, type PasskeyPlace, readNewPasskey } from './passkeys.ts'
import { newPassword } from './passwords.ts'
import { signInUser } from './sessions.ts'

/** How this service makes links. */
export interface LinkParts {
  readonly baseUrl: string
  /** The first signs new links; all are accepted. */
  readonly signingSecrets: readonly [string, ...string[]]
}

const purpose = 'invitation'
const payload = z.object({ i: z.string().refine(isUuid) })

/** The page of an invitation. The part after `#` reaches neither logs nor other sites. */
export function invitationLink(
  id: string,
  { baseUrl, signingSecrets: [secret] }: LinkParts,
): string {
  return `${baseUrl}/join#${signToken(secret, purpose, { i: id })}`
}

/**
 * The open invitation of a link.
 * @throws {Fault} `not_found` for one that was used, withdrawn, has expired, or never was
 */
async function invitationOf(
  db: Db,
  { signingSecrets }: LinkParts,
  token: string,
): Promise<ReceivedInvitation> {
  const { data } = payload.safeParse(openTokenOf(signingSecrets, purpose, token))
  const found =
    data &&
    (await db.invitation.findFirst({
      where: { id: data.i, expiresAt: { gt: new Date() } },
      include: { workspace: { select: { id: true, name: true } } },
    }))
  if (found) return found
  throw new Fault(
    'not_found',
    'This invitation was used or withdrawn, or is older than seven days. Ask for a new one.',
  )
}

/** What the page of an invitation shows. */
export interface ShownInvitation {
  readonly id: string
  readonly email: string
  readonly role: Role
  readonly workspace: string
  /**
   * Who may accept: `new` chooses how to sign in, `known` signs in first, `mine` accepts by a click, and `other` is signed in
   * with another address.
   */
  readonly state: 'new' | 'known' | 'mine' | 'other'
}

/** An account is taken once it can be signed in to, or belongs anywhere: a link must not give it to another person. */
async function isTaken(db: Db, email: string): Promise<boolean> {
  const taken = [
    { memberships: { some: {} } },
    { password: { isNot: null } },
    { passkeys: { some: {} } },
  ]
  return (await db.user.count({ where: { email, OR: taken } })) > 0
}

async function stateOf(
  db: Db,
  email: string,
  visitor: Principal | undefined,
): Promise<ShownInvitation['state']> {
  if (visitor?.session?.isPerson) {
    const user = await db.user.findUnique({ where: { id: visitor.userId } })
    return user?.email === email ? 'mine' : 'other'
  }
  return (await isTaken(db, email)) ? 'known' : 'new'
}

/** @throws {Fault} `not_found` */
export async function showInvitation(
  db: Db,
  parts: LinkParts,
  token: string,
  visitor: Principal | undefined,
): Promise<ShownInvitation> {
  const { id, email, role, workspace } = await invitationOf(db, parts, token)
  return { id, email, role, workspace: workspace.name, state: await stateOf(db, email, visitor) }
}

/**
 * What a browser needs to make a passkey for the invited person.
 * @throws {Fault} `not_found`; `forbidden` for an account that is there
 */
export async function invitedPasskeyOptions(
  db: Db,
  parts: LinkParts,
  token: string,
  place: PasskeyPlace,
) {
  const { email } = await invitationOf(db, parts, token)
  await refuseTaken(db, email)
  const user = await db.user.findUnique({ where: { email }, select: { id: true } })
  return newPasskeyOptions(db, place, { userId: user?.id ?? randomUUID(), email })
}

async function refuseTaken(db: Db, email: string): Promise<void> {
  if (!(await isTaken(db, email))) return
  throw new Fault('forbidden', `${email} has an account here. Sign in, and open the link again.`)
}

const acceptSchema = z.object({
  password: newPassword.optional(),
  passkey: z.looseObject({}).optional(),
})

/**
 * Accepts an invitation by its link: for the person of a session, or for a new user with a password or a passkey, whom it signs
 * in.
 * @returns null for who has a session already
 * @throws {Fault} `not_found`, `invalid_argument`; `forbidden` for another person, and for an account that is there
 */
export async function acceptByLink(
  db: Db,
  parts: LinkParts,
  token: string,
  input: unknown,
  {
    visitor,
    place,
    browser,
  }: {
    readonly visitor: Principal | undefined
    readonly place: PasskeyPlace
    readonly browser: string | undefined
  },
): Promise<Begun | null> {
  const { id, email } = await invitationOf(db, parts, token)
  const state = await stateOf(db, email, visitor)
  if (state === 'other') {
    throw new Fault('forbidden', `The invitation is for ${email}. Sign out first.`)
  }
  if (visitor && state === 'mine') {
    await acceptInvitation(db, { userId: visitor.userId, keyId: visitor.keyId }, id, true)
    return null
  }
  const wanted = check(acceptSchema, input)
  await refuseTaken(db, email)
  const { passkey, hash } = await credentialOf(db, wanted, place)
  try {
    return await inTransaction(db, async (tx) => {
      // Of two requests with one link, the later waits here for the earlier, and finds the invitation gone.
      const locked = await tx.invitation.updateMany({ where: { id }, data: { email } })
      if (locked.count === 0) throw notFound()
      const proven = {
        isVerified: false,
        ...(passkey && { passkeys: { create: rowOf(passkey) } }),
        ...(hash !== undefined && { password: { create: { hash } } }),
      }
      // A former member is known by the address still.
      const { id: userId } = await tx.user.upsert({
        where: { email },
        create: { ...(passkey && { id: passkey.userId }), email, name: email, ...proven },
        update: proven,
      })
      // The passkey would sign in somebody else.
      if (passkey && passkey.userId !== userId) throw notFound()
      await acceptInvitation(tx, { userId, keyId: null }, id, true)
      return signInUser(tx, userId, browser)
    })
  } catch (error) {
    // Another request has made the account meanwhile.
    if (isUniqueClash(error)) throw notFound()
    throw error
  }
}

const rowOf = ({ userId: _, ...row }: Awaited<ReturnType<typeof readNewPasskey>>) => row

async function credentialOf(
  db: Db,
  { password, passkey }: z.output<typeof acceptSchema>,
  place: PasskeyPlace,
) {
  if (passkey !== undefined) return { passkey: await readNewPasskey(db, place, passkey) }
  if (password !== undefined) return { hash: await hashPassword(password) }
  throw new Fault('invalid_argument', 'Choose a password or a passkey.')
}
