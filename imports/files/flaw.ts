import type { z } from 'zod'
import { fieldSentence, issueText, ruleOf, withGot } from '../../core/rule-text.ts'
import type { Line } from './lines.ts'

/** An entry that cannot be loaded. Its message names the field, the rule, and the value where it helps. */
export class Flaw extends Error {}

const maxFlawsListed = 3

/**
 * A sentence about a field, such as "`volume` must be a whole number from 0; got `many`."
 * @param rule begins with a verb
 * @param got the value, where it is worth showing
 */
export function fieldFlaw(field: string, rule: string, got?: string | number | boolean): Flaw {
  return new Flaw(fieldSentence(field, withGot(rule, got)))
}

/** @throws {Flaw} that lists the first faults by field */
export function checkShape<Output>(shape: z.ZodType<Output>, value: unknown): Output {
  const result = shape.safeParse(value, { error: ruleOf, reportInput: true })
  if (result.success) return result.data
  const { issues } = result.error
  const sentences = issues
    .slice(0, maxFlawsListed)
    .map((issue) => fieldSentence(issue.path.join('.'), issueText(issue)))
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
