import { z } from 'zod'
import { Fault, type FaultDetails } from './errors.ts'
import { fieldSentence, issueText, ruleOf, wholeNumberRule } from './rule-text.ts'

/** A body may have thousands of faults; more than these do not help. */
const mostFaults = 50

function nameOf({ path }: z.core.$ZodIssue): string {
  return path.map(String).join('.')
}

/** The faults of an input by the path of each field, such as `prompts.3.text`. */
function detailsOf(issues: readonly z.core.$ZodIssue[]): FaultDetails {
  const formErrors: string[] = []
  const fieldErrors = new Map<string, string[]>()
  for (const issue of issues.slice(0, mostFaults)) {
    const name = nameOf(issue)
    const text = issueText(issue)
    if (name === '') formErrors.push(text)
    else fieldErrors.set(name, [...(fieldErrors.get(name) ?? []), text])
  }
  if (issues.length > mostFaults) formErrors.push(`and ${issues.length - mostFaults} more`)
  return { formErrors, fieldErrors: Object.fromEntries(fieldErrors) }
}

function sentenceOf(issue: z.core.$ZodIssue | undefined): string {
  if (issue === undefined) return 'The input is not valid.'
  const name = nameOf(issue)
  return name === '' ? `The input ${issueText(issue)}.` : fieldSentence(name, issueText(issue))
}

/**
 * Parses an input by its schema.
 * @throws {Fault} `invalid_argument`; its `details` name every wrong field
 */
export function check<Schema extends z.ZodType>(schema: Schema, input: unknown): z.output<Schema> {
  const result = schema.safeParse(input, { error: ruleOf, reportInput: true })
  if (result.success) return result.data
  const { issues } = result.error
  throw new Fault('invalid_argument', sentenceOf(issues[0]), {
    extras: { details: detailsOf(issues) },
  })
}

/** A whole number within bounds, whose errors name both. */
export function wholeNumber(min: number, max?: number) {
  const rule = wholeNumberRule(min, max)
  const number = z.int(rule).min(min, rule)
  return max === undefined ? number : number.max(max, rule)
}
