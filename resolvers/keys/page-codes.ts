import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'
import { notFound } from '../../core/errors.ts'
import type { Db } from '../../prisma/client.ts'

/** How long a code waits for its page. */
const usualMs = 10 * 60 * 1000

const codeBytes = 24
const ivBytes = 12
const tagBytes = 16

const digest = (purpose: string, code: string) =>
  createHash('sha256').update(`${purpose}\0${code}`).digest()

/** Whom a page signs in: a user, or who has a key. */
export type PageSubject = { readonly userId: string } | { readonly key: string }

/** What a code is for: a page, a sign-in by a passkey, a new passkey of a user, or a sign-in with Google. */
type CodeSubject =
  | PageSubject
  | { readonly isPasskey: true }
  | { readonly passkeyOf: string }
  | { readonly googleFor: GoogleSubject }

/** Who signs in with Google, and for which workspace. */
interface GoogleSubject {
  readonly userId: string
  readonly workspaceId: string
  readonly projectId: string | null
  readonly verifier: string
}

/** The catalog keeps no key that it could read: only the code opens the key. */
function seal(code: string, text: string): Buffer {
  const iv = randomBytes(ivBytes)
  const cipher = createCipheriv('aes-256-gcm', digest('seal', code), iv)
  return Buffer.concat([iv, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()])
}

function unseal(code: string, sealed: Uint8Array): string {
  const bytes = Buffer.from(sealed)
  const decipher = createDecipheriv('aes-256-gcm', digest('seal', code), bytes.subarray(0, ivBytes))
  decipher.setAuthTag(bytes.subarray(-tagBytes))
  const text = decipher.update(bytes.subarray(ivBytes, -tagBytes))
  return Buffer.concat([text, decipher.final()]).toString('utf8')
}

/** A code that `redeemPageCode` exchanges once. */
export function makePageCode(db: Db, subject: PageSubject, lifetimeMs = usualMs): Promise<string> {
  return makeCode(db, subject, lifetimeMs)
}

/** A code that `redeemCode` exchanges once, by default within ten minutes: 192 random bits, base64url. */
export async function makeCode(
  db: Db,
  subject: CodeSubject,
  lifetimeMs = usualMs,
): Promise<string> {
  const code = randomBytes(codeBytes).toString('base64url')
  const now = Date.now()
  await db.pageCode.deleteMany({ where: { expiresAt: { lte: new Date(now) } } })
  const expiresAt = new Date(now + lifetimeMs)
  const hash = digest('hash', code).toString('hex')
  const sealed = new Uint8Array(seal(code, JSON.stringify(subject)))
  await db.pageCode.create({ data: { hash, sealed, expiresAt } })
  return code
}

/**
 * Whom a code signs in. The code ends with it.
 * @throws {Fault} `not_found` for an unknown, used or expired code
 */
export async function redeemPageCode(db: Db, code: string): Promise<PageSubject> {
  const subject = await redeemCode(db, code)
  if ('userId' in subject || 'key' in subject) return subject
  throw notFound()
}

/**
 * What a code is for. The code ends with it.
 * @throws {Fault} `not_found` for an unknown, used or expired code
 */
export async function redeemCode(db: Db, code: string): Promise<CodeSubject> {
  const hash = digest('hash', code).toString('hex')
  // Deleting is the exchange: of two requests at once one finds the row.
  const rows = await db.$queryRaw<{ sealed: Uint8Array; expiresAt: Date }[]>`
    DELETE FROM "PageCode" WHERE hash = ${hash} RETURNING sealed, "expiresAt"`
  const [row] = rows
  if (!row || row.expiresAt <= new Date()) throw notFound()
  return JSON.parse(unseal(code, row.sealed))
}
