import { z } from 'zod'
import { readable } from '../../core/names.ts'
import { hostOf, normaliseUrl, parseDomainInput } from '../../core/sites/urls.ts'

export { check } from '../../core/check.ts'

/** A name or short text: one line, at most 200 characters. PostgreSQL rejects a NUL. */
export const label = z
  .string()
  .trim()
  .min(1, 'must not be empty')
  .max(200, 'must have at most 200 characters')
  .refine(
    (text) => text.isWellFormed() && !/\p{Cc}/u.test(text),
    'must not contain control characters',
  )
  .superRefine(readable)

/** Why somebody decided something: one line or more. PostgreSQL rejects a NUL. */
export const reason = z
  .string()
  .trim()
  .min(1, 'must not be empty')
  .max(500, 'must have at most 500 characters')
  .refine((text) => text.isWellFormed() && !text.includes('\0'), 'must be valid Unicode text')
  .superRefine(readable)

/** A registrable domain, read from a URL or a name in any case, with or without `www.`. */
export const domain = z.string().transform((text, context) => {
  const parsed = parseDomainInput(text)
  if (parsed !== null) return parsed
  context.addIssue('must be a domain, such as example.com')
  return z.NEVER
})

/** A lower-case host, read from a URL or a bare name. Unlike a domain it keeps `www.`. */
export const host = z.string().transform((text, context) => {
  const typed = text.trim()
  const url = normaliseUrl(typed.includes('://') ? typed : `https://${typed}`)
  if (url !== null && parseDomainInput(url) !== null) return hostOf(url)
  context.addIssue('must be a host, such as www.example.com')
  return z.NEVER
})

/** Phrases in which a name does not count. */
export const phrases = z.array(label).max(100, 'must have at most 100 entries')

/** An alias of a brand. Without `caseSensitive` its text decides. */
export const alias = z.object({ text: label, caseSensitive: z.boolean().nullable().default(null) })

export const email = z.string().trim().toLowerCase().pipe(z.email('must be an e-mail address'))

/** One alias per text; the last one wins. */
export function distinct<Alias extends { text: string }>(aliases: readonly Alias[]): Alias[] {
  return [...new Map(aliases.map((entry) => [entry.text, entry])).values()]
}
