import type { z } from 'zod'
import { Fault, type FaultDetails } from './errors.ts'

/** A body may have thousands of faults; more than these do not help. */
const mostFaults = 50

/** The faults of an input by the path of each field, such as `prompts.3.text`. */
function detailsOf(issues: readonly z.core.$ZodIssue[]): FaultDetails {
  const formErrors: string[] = []
  const fieldErrors = new Map<string, string[]>()
  for (const { path, message } of issues.slice(0, mostFaults)) {
    const name = path.map(String).join('.')
    if (name === '') formErrors.push(message)
    else fieldErrors.set(name, [...(fieldErrors.get(name) ?? []), message])
  }
  if (issues.length > mostFaults) formErrors.push(`and ${issues.length - mostFaults} more`)
  return { formErrors, fieldErrors: Object.fromEntries(fieldErrors) }
}

/**
 * Parses an input by its schema.
 * @throws {Fault} `invalid_argument`; its `details` name every wrong field
 */
export function check<Schema extends z.ZodType>(schema: Schema, input: unknown): z.output<Schema> {
  const result = schema.safeParse(input)
  if (result.success) return result.data
  const [first] = result.error.issues
  const place = first?.path.length ? `${first.path.map(String).join('.')}: ` : ''
  throw new Fault('invalid_argument', `${place}${first?.message}`, {
    extras: { details: detailsOf(result.error.issues) },
  })
}
