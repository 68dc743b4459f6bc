import { z } from 'zod'
import { Fault } from '../../core/errors.ts'
import { parseDomainInput } from '../../core/urls.ts'

/** A name or a short text: one line, 200 characters at most. PostgreSQL cannot hold a NUL. */
export const label = z
  .string()
  .trim()
  .min(1, 'must not be empty')
  .max(200, 'is longer than 200 characters')
  .refine((text) => text.isWellFormed() && !/\p{Cc}/u.test(text), 'holds control characters')

/** A registrable domain, made of whatever a person types: an address with path, `www.`, capitals. */
export const domain = z.string().transform((text, context) => {
  const parsed = parseDomainInput(text)
  if (parsed !== null) return parsed
  context.addIssue(`"${text}" is not a domain, such as example.com`)
  return z.NEVER
})

/** Another name of a brand. */
export const alias = z.object({ text: label, caseSensitive: z.boolean().default(false) })

export const email = z.string().trim().toLowerCase().pipe(z.email('is not an e-mail address'))

/** One alias a text; the last of two wins. */
export function distinct<Alias extends { text: string }>(aliases: readonly Alias[]): Alias[] {
  return [...new Map(aliases.map((entry) => [entry.text, entry])).values()]
}

/**
 * What the schema makes of an input.
 * @throws {Fault} `invalid_argument` whose `details` name every field that is wrong
 */
export function check<Schema extends z.ZodType>(schema: Schema, input: unknown): z.output<Schema> {
  const result = schema.safeParse(input)
  if (result.success) return result.data
  const [first] = result.error.issues
  const { formErrors, fieldErrors } = z.flattenError(result.error)
  const details = { formErrors, fieldErrors: fieldErrors as Record<string, string[]> }
  throw new Fault('invalid_argument', `${String(first?.path[0])}: ${first?.message}`, {
    extras: { details },
  })
}
