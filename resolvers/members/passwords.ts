import { z } from 'zod'
import type { Begun, Principal } from '../../core/access.ts'
import { Fault, invalid } from '../../core/errors.ts'
import { hashPassword, isPassword, leastPassword, mostPassword } from '../../core/password.ts'
import type { Db } from '../../prisma/client.ts'
import { check, email } from '../shared/inputs.ts'
import { inTransaction } from '../shared/transaction.ts'
import type { Guesses } from './guesses.ts'
import { passkeysOf } from './passkeys.ts'
import { endSessions, signInMember } from './sessions.ts'

export const newPassword = z
  .string()
  .min(leastPassword, `must have at least ${leastPassword} characters`)
  .max(mostPassword, `must have at most ${mostPassword} characters`)
  .refine((text) => text.isWellFormed(), 'must be valid Unicode text')

const signInSchema = z.object({ email, password: z.string().max(mostPassword) })
const changeSchema = z.object({
  current: z.string().max(mostPassword).default(''),
  password: newPassword,
})

/** Where a request comes from. */
export interface Origin {
  readonly address: string
  readonly browser: string | undefined
}

const wrong = () => new Fault('unauthorized', 'The e-mail address or the password is wrong.')

/**
 * Signs in by e-mail address and password. An unknown address, and one without a password, take as long as a wrong password,
 * and get the same answer.
 * @throws {Fault} `invalid_argument`, `rate_limited`, `unauthorized`; `forbidden` for a member of no workspace
 */
export async function signInByPassword(
  db: Db,
  guesses: Guesses,
  input: unknown,
  { address, browser }: Origin,
): Promise<Begun> {
  const given = check(signInSchema, input)
  const guess = { account: given.email, address }
  await guesses.take(guess)
  const user = await db.user.findUnique({
    where: { email: given.email },
    select: { id: true, password: { select: { hash: true } } },
  })
  const isRight = await isPassword(given.password, user?.password?.hash)
  if (!user?.password || !isRight) throw wrong()
  await guesses.wasRight(guess)
  return signInMember(db, user.id, browser)
}

/**
 * Gives the person of a session a password, or another one. All other browsers of the person are signed out.
 * @throws {Fault} `invalid_argument`, `rate_limited`; `forbidden` for a session by an API key
 */
export async function changePassword(
  db: Db,
  guesses: Guesses,
  principal: Principal,
  input: unknown,
  address: string,
): Promise<void> {
  const userId = personOf(principal)
  const { current, password } = check(changeSchema, input)
  const user = await db.user.findUniqueOrThrow({
    where: { id: userId },
    select: { email: true, password: { select: { hash: true } } },
  })
  if (user.password) {
    const guess = { account: user.email, address }
    await guesses.take(guess)
    if (!(await isPassword(current, user.password.hash))) {
      throw invalid('current', 'is not your present password')
    }
    await guesses.wasRight(guess)
  }
  const hash = await hashPassword(password)
  await inTransaction(db, async (tx) => {
    await tx.password.upsert({ where: { userId }, create: { userId, hash }, update: { hash } })
    await endSessions(tx, userId, principal.session?.id)
  })
}

/**
 * The user of a person's session.
 * @throws {Fault} `forbidden` for who has signed in by an API key
 */
export function personOf({ userId, session }: Principal): string {
  if (session?.isPerson) return userId
  throw new Fault('forbidden', 'Only a person who signed in may do this, and no API key.')
}

/** Takes the password of a user away, and signs out all browsers of the user. */
export function removePassword(db: Db, userId: string): Promise<void> {
  return inTransaction(db, async (tx) => {
    await tx.password.deleteMany({ where: { userId } })
    await endSessions(tx, userId)
  })
}

/** How the person of a session signs in; null for who has signed in by an API key. */
export async function accountOf(db: Db, { userId, session }: Principal) {
  if (!session?.isPerson) return null
  const [user, passkeys] = await Promise.all([
    db.user.findUniqueOrThrow({
      where: { id: userId },
      select: { email: true, password: { select: { userId: true } } },
    }),
    passkeysOf(db, userId),
  ])
  return { email: user.email, hasPassword: user.password !== null, passkeys }
}
