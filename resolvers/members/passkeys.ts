import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server'
import { z } from 'zod'
import type { Begun, Principal } from '../../core/access.ts'
import { Fault, invalid, notFound } from '../../core/errors.ts'
import type { Db } from '../../prisma/client.ts'
import { makeCode, redeemCode } from '../keys/page-codes.ts'
import { signInMember } from './sessions.ts'

/** The origin of the page that asks: a passkey is of its host. */
export interface PasskeyPlace {
  readonly origin: string
}

const hostOf = ({ origin }: PasskeyPlace) => new URL(origin).hostname

/** Loaded with the first passkey: most services never see one. */
const webauthn = () => import('@simplewebauthn/server')

/** What the library reads is checked by the library. */
const responseSchema = z.looseObject({ id: z.string().max(2000), response: z.looseObject({}) })

function responseOf<Response>(input: unknown): Response {
  const { data } = responseSchema.safeParse(input)
  if (!data) throw invalid('passkey', 'must be the answer of an authenticator')
  return data as Response
}

const refused = () => new Fault('unauthorized', 'This passkey is not known here.')

/** What a browser needs to ask for one of its passkeys. Its challenge is a code, which works once. */
export async function passkeyOptions(
  db: Db,
  place: PasskeyPlace,
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const { generateAuthenticationOptions } = await webauthn()
  const challenge = await makeCode(db, { isPasskey: true })
  return generateAuthenticationOptions({
    rpID: hostOf(place),
    challenge: new Uint8Array(Buffer.from(challenge, 'base64url')),
    userVerification: 'preferred',
  })
}

/**
 * Signs in by a passkey.
 * @throws {Fault} `invalid_argument`, `unauthorized`; `forbidden` for a member of no workspace
 */
export async function signInByPasskey(
  db: Db,
  place: PasskeyPlace,
  input: unknown,
  browser: string | undefined,
): Promise<Begun> {
  const response = responseOf<AuthenticationResponseJSON>(input)
  const known = await db.passkey.findUnique({ where: { id: response.id } })
  if (!known) throw refused()
  const { verifyAuthenticationResponse } = await webauthn()
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response,
    expectedChallenge: async (challenge) => 'isPasskey' in (await redeemCode(db, challenge)),
    expectedOrigin: place.origin,
    expectedRPID: hostOf(place),
    requireUserVerification: false,
    credential: {
      id: known.id,
      publicKey: new Uint8Array(known.publicKey),
      counter: Number(known.counter),
      transports: known.transports,
    },
  }).catch(() => {
    throw refused()
  })
  if (!verified) throw refused()
  await db.passkey.update({
    where: { id: known.id },
    data: { counter: authenticationInfo.newCounter, lastUsedAt: new Date() },
  })
  return signInMember(db, known.userId, browser)
}

/** What a browser needs to make a passkey for a user, who may be one to be. */
export async function newPasskeyOptions(
  db: Db,
  place: PasskeyPlace,
  { userId, email }: { readonly userId: string; readonly email: string },
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  const { generateRegistrationOptions } = await webauthn()
  const challenge = await makeCode(db, { passkeyOf: userId })
  const known = await db.passkey.findMany({ where: { userId } })
  return generateRegistrationOptions({
    rpName: 'Sightline',
    rpID: hostOf(place),
    userName: email,
    userID: new Uint8Array(Buffer.from(userId)),
    challenge: new Uint8Array(Buffer.from(challenge, 'base64url')),
    excludeCredentials: known.map(({ id, transports }) => ({ id, transports })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'preferred' },
  })
}

/** A passkey that was made for a user. */
export interface MadePasskey {
  readonly userId: string
  readonly id: string
  readonly publicKey: Uint8Array<ArrayBuffer>
  readonly counter: number
  readonly transports: string[]
}

/**
 * Reads what a browser has made after `newPasskeyOptions`.
 * @throws {Fault} `invalid_argument`
 */
export async function readNewPasskey(
  db: Db,
  place: PasskeyPlace,
  input: unknown,
): Promise<MadePasskey> {
  const response = responseOf<RegistrationResponseJSON>(input)
  const { verifyRegistrationResponse } = await webauthn()
  let userId = ''
  const { verified, registrationInfo } = await verifyRegistrationResponse({
    response,
    expectedChallenge: async (challenge) => {
      const subject = await redeemCode(db, challenge)
      if ('passkeyOf' in subject) userId = subject.passkeyOf
      return userId !== ''
    },
    expectedOrigin: place.origin,
    expectedRPID: hostOf(place),
    requireUserVerification: false,
  }).catch(() => {
    throw invalid('passkey', 'was not made by this page, or more than ten minutes ago')
  })
  if (!verified) throw invalid('passkey', 'could not be verified')
  const { id, publicKey, counter, transports = [] } = registrationInfo.credential
  return { userId, id, publicKey, counter, transports: [...transports] }
}

/** What the browser of a person needs to make one more passkey. */
export async function ownPasskeyOptions(db: Db, place: PasskeyPlace, userId: string) {
  const { email } = await db.user.findUniqueOrThrow({ where: { id: userId } })
  return newPasskeyOptions(db, place, { userId, email })
}

/** @throws {Fault} `invalid_argument`, also for a passkey that was made for another person */
export async function addPasskey(
  db: Db,
  place: PasskeyPlace,
  userId: string,
  input: unknown,
): Promise<void> {
  const made = await readNewPasskey(db, place, input)
  if (made.userId !== userId) throw invalid('passkey', 'was made for another person')
  await db.passkey.create({ data: made })
}

/** The passkeys of a user, newest first. */
export function passkeysOf(db: Db, userId: string) {
  return db.passkey.findMany({
    where: { userId },
    select: { id: true, createdAt: true, lastUsedAt: true },
    orderBy: [{ createdAt: 'desc' }, { id: 'asc' }],
  })
}

/** Removes a passkey of the person of a session. @throws {Fault} `not_found` */
export async function removePasskey(
  db: Db,
  { userId, session }: Principal,
  id: string,
): Promise<void> {
  if (!session?.isPerson) throw notFound()
  const { count } = await db.passkey.deleteMany({ where: { userId, id } })
  if (count === 0) throw notFound()
}
