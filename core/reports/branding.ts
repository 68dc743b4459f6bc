import { z } from 'zod'
import { readable } from '../names.ts'

/** A mark that readers of a shared report see in place of ours. */
export const mostLogoBytes = 50_000
const mostLogoPixels = 4000

/** The colour of headings and charts where nobody has chosen another. */
export const defaultAccent = '#4263eb'

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

/** The size in the header of a PNG file; null for another file. */
function pngSize(bytes: Buffer): { width: number; height: number } | null {
  const isPng = bytes.length > 24 && bytes.subarray(0, 8).equals(signature)
  if (!isPng || bytes.toString('latin1', 12, 16) !== 'IHDR') return null
  return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }
}

const logo = z.string().transform((text, context) => {
  const bytes = Buffer.from(text, 'base64')
  const size = pngSize(bytes)
  if (size === null) context.addIssue('is not a PNG file in base64')
  else if (bytes.length > mostLogoBytes) {
    context.addIssue(`is larger than ${mostLogoBytes} bytes`)
  } else if (Math.max(size.width, size.height) > mostLogoPixels || size.width * size.height === 0) {
    context.addIssue(`must be 1 to ${mostLogoPixels} pixels wide and high`)
  } else return new Uint8Array(bytes)
  return z.NEVER
})

/** Name, accent colour and logo of whoever sends the reports. */
export const brandingInput = z.object({
  name: z
    .string()
    .trim()
    .min(1, 'must not be empty')
    .max(100, 'is longer than 100 characters')
    .refine(
      (text) => text.isWellFormed() && !/\p{Cc}/u.test(text),
      'must not contain control characters',
    )
    .superRefine(readable),
  accent: z
    .string()
    .toLowerCase()
    .regex(/^#[0-9a-f]{6}$/, 'must be a colour such as `#4263eb`'),
  logo: logo.nullish().transform((bytes) => bytes ?? null),
})

export type BrandingInput = z.input<typeof brandingInput>
