import type { Principal } from '../../core/access.ts'
import { Fault } from '../../core/errors.ts'
import { GoogleRefusal } from '../../imports/analytics/google.ts'
import { redeemGoogleCode } from '../../imports/analytics/google-sign-in.ts'
import type { Db } from '../../prisma/client.ts'
import {
  googleReturnPath,
  openGoogleClient,
  saveGoogleAccount,
} from '../../resolvers/connections/google.ts'
import { endGoogleSignIn } from '../../resolvers/members/google-sign-in.ts'

interface Services {
  readonly db: Db
  readonly signingSecrets: readonly [string, ...string[]]
  readonly baseUrl: string
  readonly googleUrl?: string | undefined
}

/**
 * Ends a sign-in with Google: exchanges its code for lasting access, and stores that, encrypted.
 * @returns the page to open
 * @throws {Fault} `not_found` for a sign-in that is over; `forbidden` for another person, and where Google or the person refused
 */
export async function finishGoogleSignIn(
  { db, signingSecrets, baseUrl, googleUrl }: Services,
  {
    principal,
    returned,
    state,
  }: { readonly principal: Principal; readonly returned: URL; readonly state: string },
): Promise<string> {
  const { workspaceId, projectId, verifier } = await endGoogleSignIn(db, principal, state)
  const client = await openGoogleClient(db, workspaceId, signingSecrets)
  // A proxy may have changed the host of the request: the address counts that Google was given.
  const address = new URL(googleReturnPath + returned.search, baseUrl)
  const account = await redeemGoogleCode(
    client,
    address,
    { state, verifier },
    { baseUrl: googleUrl },
  ).catch((error: unknown) => {
    if (!(error instanceof GoogleRefusal)) throw error
    throw new Fault('forbidden', error.message, { cause: error })
  })
  const { userId, keyId } = principal
  await saveGoogleAccount(db, { userId, keyId }, workspaceId, account, signingSecrets[0])
  return projectId === null ? '/' : `/projects/${projectId}/settings/connections`
}
