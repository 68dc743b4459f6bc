import { createHash } from 'node:crypto'
import { z } from 'zod'
import { mostLogoBytes } from './reports/limits.ts'

const starts = (bytes: Buffer, text: string, at = 0) =>
  bytes.toString('latin1', at, at + text.length) === text

/**
 * The kind of an image by its first bytes; null for any other file. SVG is none of them: a browser that opens one runs its
 * scripts.
 */
function kindOf(bytes: Buffer): 'image/png' | 'image/jpeg' | 'image/webp' | null {
  if (starts(bytes, '\x89PNG\r\n\x1a\n')) return 'image/png'
  if (starts(bytes, '\xff\xd8\xff')) return 'image/jpeg'
  return starts(bytes, 'RIFF') && starts(bytes, 'WEBP', 8) ? 'image/webp' : null
}

export interface Logo {
  readonly contentType: string
  readonly image: Uint8Array<ArrayBuffer>
  /** Names the image in addresses. */
  readonly hash: string
}

const base64 = /^[A-Za-z0-9+/]+={0,2}$/

/** A logo as clients send it: a file in base64. */
export const logoInput = z.string().transform((text, context): Logo => {
  const bytes = base64.test(text) ? Buffer.from(text, 'base64') : null
  const contentType = bytes && kindOf(bytes)
  if (!bytes || !contentType) context.addIssue('must be a PNG, JPEG or WebP file in base64')
  else if (bytes.length > mostLogoBytes) {
    context.addIssue(`is larger than ${mostLogoBytes / 1000} kB`)
  } else {
    const hash = createHash('sha256').update(bytes).digest('base64url').slice(0, 22)
    return { contentType, image: new Uint8Array(bytes), hash }
  }
  return z.NEVER
})
