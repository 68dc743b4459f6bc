import { hasGrant, type Principal, roleHasGrant } from '../../core/access.ts'
import { Fault, notFound } from '../../core/errors.ts'
import type { Db } from '../../prisma/client.ts'
import { makeCode, redeemCode } from '../keys/page-codes.ts'
import type { Actor } from '../shared/audit-trail.ts'
import { roleOfKey } from './members.ts'

/** A sign-in with Google under way. */
export interface GoogleAttempt {
  readonly workspaceId: string
  /** The project whose settings open at the end. */
  readonly projectId: string | null
  readonly verifier: string
}

/**
 * Stores a sign-in that a person begins: encrypted, and for ten minutes.
 * @returns the `state`, which Google sends back
 */
export function beginGoogleSignIn(db: Db, actor: Actor, attempt: GoogleAttempt): Promise<string> {
  const { userId } = actor
  if (userId === null) throw new Fault('forbidden', 'Only a person can sign in with Google.')
  return makeCode(db, { googleFor: { ...attempt, userId } })
}

/**
 * The sign-in that a `state` belongs to. It works once, and only in the browser of the person who began it.
 * @throws {Fault} `not_found` for a sign-in that is over; `forbidden` for another person, and for one who may no longer
 */
export async function endGoogleSignIn(
  db: Db,
  principal: Principal,
  state: string,
): Promise<GoogleAttempt> {
  const subject = await redeemCode(db, state)
  if (!('googleFor' in subject)) throw notFound()
  const { userId, ...attempt } = subject.googleFor
  if (userId !== principal.userId) {
    throw new Fault('forbidden', 'Another person began this sign-in.')
  }
  const { workspaceId } = attempt
  const reaches =
    principal.projectId === null &&
    (principal.session?.isPerson || principal.workspaceId === workspaceId)
  const role = reaches ? await roleOfKey(db, { ...principal, workspaceId }) : null
  if (!role || !roleHasGrant(role, 'admin') || !hasGrant(principal, 'admin')) {
    throw new Fault('forbidden', 'Only owners and editors of the workspace may do this.')
  }
  return attempt
}
