import { invalid } from './errors.ts'

/**
 * What an argument may be. It stands in the schema beside the argument and is the one source of the
 * checks at both doors, of the parser of REST parameters, and of the documented bounds.
 */
export interface ParamRule {
  readonly min?: number
  readonly max?: number
  /** An over-long value becomes `max` instead of an error. */
  readonly clamp?: true
  readonly default?: number | string
  /** What an absent one comes to, where arguments that exclude it may be there instead: documented, never filled in. */
  readonly assumed?: number
  /** The accepted values of a text, for spellings that no GraphQL enum can have. */
  readonly values?: readonly string[]
  /** REST takes it comma-separated. */
  readonly list?: true
  /** Taken so that it can be refused, and documented nowhere. */
  readonly refused?: true
}

function checkNumber(name: string, value: number, rule: ParamRule): number {
  if (rule.min !== undefined && value < rule.min)
    throw invalid(name, `must be at least ${rule.min}`)
  if (rule.max !== undefined && value > rule.max) {
    if (rule.clamp) return rule.max
    throw invalid(name, `must be at most ${rule.max}`)
  }
  return value
}

function checkText(name: string, value: string, rule: ParamRule): string {
  if (rule.values && !rule.values.includes(value)) {
    throw invalid(name, `must be one of ${rule.values.join(', ')}`)
  }
  return value
}

/** The value within its rule: its default when absent, clamped where the rule says so. */
export function checkParam(name: string, value: unknown, rule: ParamRule): unknown {
  if (value === undefined || value === null) return rule.default ?? value
  if (typeof value === 'number') return checkNumber(name, value, rule)
  if (typeof value === 'string') return checkText(name, value, rule)
  if (Array.isArray(value)) return value.map((item) => checkParam(name, item, rule))
  return value
}
