import { type Fault, invalid } from './errors.ts'
import { oneOfRule, wholeNumberRule } from './rule-text.ts'

/**
 * The rule of one argument, written beside the argument in the schema. GraphQL and REST check by it, the REST
 * parameter parser reads it, and the OpenAPI document publishes its bounds.
 */
export interface ParamRule {
  readonly min?: number
  readonly max?: number
  /** A value above `max` becomes `max` instead of an error. */
  readonly clamp?: true
  readonly default?: number | string
  /** The documented default of an argument that others may replace, such as `days`. It is never filled in. */
  readonly assumed?: number
  /** The accepted values of a text whose spellings no GraphQL enum allows. */
  readonly values?: readonly string[]
  /** An empty text means the same as none; else it is refused. */
  readonly mayBeEmpty?: true
  /** REST separates the values by commas. */
  readonly list?: true
  /** The values are countries, whose names may have commas. */
  readonly isCountry?: true
  /** Always refused, and not documented. */
  readonly refused?: true
}

/** 400 for a value that is no whole number within the bounds of its rule. */
export function notInRange(name: string, { min, max, clamp }: ParamRule, got: unknown): Fault {
  return invalid(name, wholeNumberRule(min, clamp ? undefined : max), got)
}

function checkNumber(name: string, value: number, rule: ParamRule, got: unknown): number {
  if (rule.min !== undefined && value < rule.min) throw notInRange(name, rule, got)
  if (rule.max !== undefined && value > rule.max) {
    if (rule.clamp) return rule.max
    throw notInRange(name, rule, got)
  }
  return value
}

function checkText(name: string, value: string, rule: ParamRule): string {
  if (rule.values && !rule.values.includes(value)) {
    throw invalid(name, oneOfRule(rule.values), value)
  }
  return value
}

/**
 * The checked value: the default for an absent value, `max` for a value that the rule clamps.
 * @param got the value as the client wrote it
 * @throws {Fault} `invalid_argument`
 */
export function checkParam(name: string, value: unknown, rule: ParamRule, got = value): unknown {
  if (value === undefined || value === null) return rule.default ?? value
  if (typeof value === 'number') return checkNumber(name, value, rule, got)
  if (typeof value === 'string') return checkText(name, value, rule)
  if (Array.isArray(value)) return value.map((item) => checkParam(name, item, rule))
  return value
}
