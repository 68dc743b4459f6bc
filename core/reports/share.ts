import { createHash } from 'node:crypto'
import { z } from 'zod'
import { openTokenOf, signToken } from '../tokens.ts'

/** What a link shows: a report, while its share version is this one. */
export interface Shared {
  readonly reportId: string
  readonly version: number
}

const purpose = 'share'
const sharePayload = z.object({ r: z.string(), v: z.number() })

/** The address of a shared report. */
export function shareUrl(baseUrl: string, secret: string, { reportId, version }: Shared): string {
  return `${baseUrl}/share/${signToken(secret, purpose, { r: reportId, v: version })}`
}

/**
 * What a link's token shows; undefined for a token that none of the secrets signed.
 * @param secrets the first signs new links; all are accepted
 */
export function openShare(secrets: readonly string[], token: string): Shared | undefined {
  const { data } = sharePayload.safeParse(openTokenOf(secrets, purpose, token))
  return data && { reportId: data.r, version: data.v }
}

/** A report that a preview shows, and the second of Unix time until which it does. */
export interface Previewed {
  readonly reportId: string
  readonly until: number
}

const previewPurpose = 'preview'
const previewPayload = z.object({ r: z.string(), u: z.number() })

/** The address of a preview, which needs no sign-in for as long as it lasts. */
export function previewUrl(
  baseUrl: string,
  secret: string,
  { reportId, until }: Previewed,
): string {
  return `${baseUrl}/preview/${signToken(secret, previewPurpose, { r: reportId, u: until })}`
}

/** What the token of a preview shows; undefined for a token that none of the secrets signed. */
export function openPreview(secrets: readonly string[], token: string): Previewed | undefined {
  const { data } = previewPayload.safeParse(openTokenOf(secrets, previewPurpose, token))
  return data && { reportId: data.r, until: data.u }
}

/** What the browser of a reader keeps who gave the password of a link. Another password makes it void. */
export function unlockToken(secret: string, token: string, storedPassword: string): string {
  const of = createHash('sha256').update(`${token} ${storedPassword}`).digest('base64url')
  return signToken(secret, 'unlock', of)
}
