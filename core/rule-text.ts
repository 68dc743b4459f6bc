import type { z } from 'zod'

/** The texts of wrong values: "`limit` must be a whole number from 1; got `x`." */

const mostShown = 40

/** Control characters, line separators, and marks that reverse the direction of text. */
const unsafe = /[\p{Cc}\p{Cf}\u2028\u2029`]/gu

function escaped(character: string): string {
  const code = character.codePointAt(0) ?? 0
  return code > 0xff ? `\\u{${code.toString(16)}}` : `\\x${code.toString(16).padStart(2, '0')}`
}

/** A value in backquotes: in one line, its first 40 characters, with control characters escaped. */
export function quoted(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
  if (text === '') return 'an empty text'
  const start = text.length > mostShown ? `${text.slice(0, mostShown)}…` : text
  return `\`${start.toWellFormed().replace(unsafe, escaped)}\``
}

/**
 * A rule and the value that breaks the rule, such as "must be true or false; got `x`".
 * @param got undefined for a value that must not be shown, or does not help
 */
export function withGot(rule: string, got?: unknown): string {
  return got === undefined ? rule : `${rule}; got ${quoted(got)}`
}

/**
 * A sentence about a field.
 * @param rule begins with a verb
 */
export function fieldSentence(field: string, rule: string): string {
  return `\`${field}\` ${rule.replace(/\.$/, '')}.`
}

/** The rule of a whole number, such as "must be a whole number from 1 to 180". */
export function wholeNumberRule(min?: number, max?: number): string {
  const from = min === undefined ? '' : ` from ${min}`
  const to = max === undefined ? '' : ` ${min === undefined ? 'up ' : ''}to ${max}`
  return `must be a whole number${from}${to}`
}

export function oneOfRule(values: readonly unknown[]): string {
  return `must be one of ${values.join(', ')}`
}

const typeNames: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
}

const units: Readonly<Record<string, string>> = { string: ' characters', array: ' entries' }

/** The rules of a shape that has no text of its own for them. */
export function ruleOf(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.code === 'invalid_value') return oneOfRule(issue.values)
  if (issue.code === 'invalid_type') {
    if (issue.input === undefined) return 'is required'
    return `must be ${typeNames[issue.expected] ?? issue.expected}`
  }
  if (issue.code !== 'too_big' && issue.code !== 'too_small') return undefined
  const unit = units[issue.origin]
  const verb = unit === undefined ? 'be' : 'have'
  return issue.code === 'too_big'
    ? `must ${verb} at most ${issue.maximum}${unit ?? ''}`
    : `must ${verb} at least ${issue.minimum}${unit ?? ''}`
}

const plain = new Set(['string', 'number', 'boolean'])

/** The text of a fault that a shape found, with the value where the value helps. */
export function issueText({ message, input }: { message: string; input?: unknown }): string {
  const helps = message.startsWith('must be') && plain.has(typeof input)
  return withGot(message, helps ? input : undefined)
}
