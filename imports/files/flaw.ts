import type { z } from 'zod'
import type { Line } from './lines.ts'

/** An entry that cannot be loaded. Its message names the field, the rule, and the value where it helps. */
export class Flaw extends Error {}

const maxFlawsListed = 3

/** A short value in backquotes. */
function quoted(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
  return `\`${text.slice(0, 60).toWellFormed()}\``
}

/**
 * A sentence about a field, such as "`volume` must be a whole number from 0; got `many`."
 * @param rule begins with a verb
 * @param got the value, where it is worth showing
 */
export function fieldFlaw(field: string, rule: string, got?: string | number | boolean): Flaw {
  const value = got === undefined || got === '' ? '' : `; got ${quoted(got)}`
  return new Flaw(`\`${field}\` ${rule}${value}.`)
}

const typeNames: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
}

/** The rules of a shape that has no text of its own for them. */
function ruleOf(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.code === 'invalid_type') {
    if (issue.input === undefined) return 'is missing'
    return `must be ${typeNames[issue.expected] ?? issue.expected}`
  }
  if (issue.code === 'too_big') {
    if (issue.origin === 'string') return `must have at most ${issue.maximum} characters`
    return `must be at most ${issue.maximum}`
  }
  return issue.code === 'too_small' ? `must be at least ${issue.minimum}` : undefined
}

const isPlain = (value: unknown) =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'

/** @throws {Flaw} that lists the first faults by field */
export function checkShape<Output>(shape: z.ZodType<Output>, value: unknown): Output {
  const result = shape.safeParse(value, { error: ruleOf, reportInput: true })
  if (result.success) return result.data
  const { issues } = result.error
  const sentences = issues.slice(0, maxFlawsListed).map(({ path, message, input }) => {
    const isWorthShowing = message.startsWith('must be') && isPlain(input)
    return fieldFlaw(path.join('.'), message, isWorthShowing ? (input as string) : undefined)
      .message
  })
  const more = issues.length - sentences.length
  const rest = more > 0 ? [`${more} more ${more === 1 ? 'fault' : 'faults'}.`] : []
  throw new Flaw([...sentences, ...rest].join(' '))
}

/** The row that `read` makes, or the reason to reject the entry. */
export function rowOrReason<Row>(number: number, read: () => Row) {
  try {
    return { number, row: read() }
  } catch (error) {
    if (error instanceof Flaw) return { number, reason: error.message }
    throw error
  }
}

/** The JSON of a row or line. @throws {Flaw} */
export function parseJson(what: 'row' | 'line' | 'file', text: Line): unknown {
  if (typeof text !== 'string') throw new Flaw(`The ${what} ${text.unreadable}.`)
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new Flaw(`The ${what} is not valid JSON: ${(error as Error).message.toWellFormed()}.`)
  }
}

/** The JSON object of a line. @throws {Flaw} */
export function parseObject(line: Line): Record<string, unknown> {
  const value = parseJson('line', line)
  if (isObject(value)) return value
  throw new Flaw('The line is not a JSON object.')
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
