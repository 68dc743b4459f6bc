import { hash } from 'node:crypto'
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import { z } from 'zod'
import type { Begun } from '../../core/access.ts'
import { Fault } from '../../core/errors.ts'
import { invitationMail, resetMail } from '../../core/mail/people.ts'
import type { MailContent } from '../../core/mail/template.ts'
import { hashPassword } from '../../core/password.ts'
import { openTokenOf, signToken } from '../../core/tokens.ts'
import { isUuid } from '../../core/uuid.ts'
import type { Db } from '../../prisma/client.ts'
import { check, email } from '../shared/inputs.ts'
import { sendJob } from '../shared/jobs.ts'
import { inTransaction } from '../shared/transaction.ts'
import { invitationLink, type LinkParts } from './invitation-links.ts'
import { newPassword } from './passwords.ts'
import { endSessions, signInMember, takeOver } from './sessions.ts'

/** A mail to a person, ready to send. */
export interface PersonMail {
  readonly to: string
  readonly content: MailContent
}

/** The mail of an open invitation that was not mailed; null for any other. */
export async function mailOfInvitation(
  db: Db,
  parts: LinkParts,
  id: string,
): Promise<PersonMail | null> {
  const found = await db.invitation.findFirst({
    where: { id, expiresAt: { gt: new Date() }, mailedAt: null },
    include: { workspace: { select: { name: true } } },
  })
  if (!found) return null
  const { email: to, role, expiresAt, workspace } = found
  const link = invitationLink(id, parts)
  return { to, content: invitationMail({ workspace: workspace.name, role, link, expiresAt }) }
}

/** Notes that the mail server took the mail of an invitation, or why it did not. */
export async function noteInvitationMail(db: Db, id: string, problem: string | null) {
  const data =
    problem === null ? { mailedAt: new Date(), mailProblem: null } : { mailProblem: problem }
  // It may have been accepted or withdrawn meanwhile.
  await db.invitation.updateMany({ where: { id }, data })
}

const purpose = 'password reset'
const lifetimeMinutes = 60
const payload = z.object({ u: z.string().refine(isUuid), v: z.string(), e: z.number() })

/** A link ends with the password that it replaces. */
async function stateOf(db: Db, userId: string): Promise<string> {
  const password = await db.password.findUnique({ where: { userId }, select: { updatedAt: true } })
  return password?.updatedAt.toISOString() ?? 'none'
}

/** The mail to a member who asked for a new password; null for an address that is no member's. */
export async function mailOfReset(
  db: Db,
  { baseUrl, signingSecrets: [secret] }: LinkParts,
  address: string,
): Promise<PersonMail | null> {
  const where = { email: address, memberships: { some: {} } }
  const user = await db.user.findFirst({ where, select: { id: true } })
  if (!user) return null
  const e = Date.now() + lifetimeMinutes * 60_000
  const token = signToken(secret, purpose, { u: user.id, v: await stateOf(db, user.id), e })
  return { to: address, content: resetMail(`${baseUrl}/reset#${token}`, lifetimeMinutes) }
}

const hourSeconds = 60 * 60

/** Limits mails to one address, and those that one client asks for. */
export function limitResets() {
  const ofAddress = new RateLimiterMemory({ points: 3, duration: hourSeconds })
  const ofClient = new RateLimiterMemory({ points: 20, duration: hourSeconds })
  return async (address: string, client: string): Promise<void> => {
    try {
      await ofClient.consume(client)
      await ofAddress.consume(address)
    } catch (refusal) {
      if (!(refusal instanceof RateLimiterRes)) throw refusal
      const seconds = Math.max(1, Math.ceil(refusal.msBeforeNext / 1000))
      throw new Fault('rate_limited', 'Too many mails were asked for. Try again in an hour.', {
        headers: { 'Retry-After': String(seconds) },
      })
    }
  }
}

const askSchema = z.object({ email })

/**
 * Has a link mailed by which a person chooses a new password. An address that is no member's takes as long, and gets the same
 * answer.
 * @throws {Fault} `invalid_argument`, `rate_limited`
 */
export async function askForReset(
  db: Db,
  limit: ReturnType<typeof limitResets>,
  input: unknown,
  client: string,
): Promise<void> {
  const { email: address } = check(askSchema, input)
  await limit(address, client)
  // The id of a job is in the log, where no address belongs.
  await sendJob(db, 'mail', { id: hash('sha256', address), kind: 'reset', address })
}

const resetSchema = z.object({ token: z.string(), password: newPassword })

/**
 * Gives the person of a mailed link a new password, signs out all browsers of the person, and signs in this one.
 * @throws {Fault} `invalid_argument`; `not_found` for a link that was used, or is too old
 */
export async function resetPassword(
  db: Db,
  { signingSecrets }: LinkParts,
  input: unknown,
  browser: string | undefined,
): Promise<Begun> {
  const { token, password } = check(resetSchema, input)
  const { data } = payload.safeParse(openTokenOf(signingSecrets, purpose, token))
  const over = () =>
    new Fault('not_found', 'This link was used, or is older than an hour. Ask for a new one.')
  if (!data || data.e < Date.now()) throw over()
  const { u: userId, v } = data
  const passwordHash = await hashPassword(password)
  await inTransaction(db, async (tx) => {
    // Of two requests with one link, the later waits here for the earlier.
    await tx.$queryRaw`SELECT 1 FROM "User" WHERE id = ${userId}::uuid FOR NO KEY UPDATE`
    if ((await stateOf(tx, userId)) !== v) throw over()
    await takeOver(tx, userId)
    await tx.password.upsert({
      where: { userId },
      create: { userId, hash: passwordHash },
      update: { hash: passwordHash },
    })
    await endSessions(tx, userId)
  })
  return signInMember(db, userId, browser)
}
