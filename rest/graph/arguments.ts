import {
  coerceInputValue,
  type GraphQLArgument,
  type GraphQLInputType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
} from 'graphql'
import { invalid } from '../../core/errors.ts'
import { oneOfRule, wholeNumberRule } from '../../core/rule-text.ts'

/** The type of the value at a path below a value of `type`. */
function typeAt(type: GraphQLInputType, path: readonly (string | number)[]): GraphQLInputType {
  if (isNonNullType(type)) return typeAt(type.ofType, path)
  const [key, ...rest] = path
  if (key === undefined) return type
  if (isListType(type)) return typeAt(type.ofType, typeof key === 'number' ? rest : path)
  const field = isInputObjectType(type) ? type.getFields()[key] : undefined
  return field ? typeAt(field.type, rest) : type
}

const scalarRules: Readonly<Record<string, string>> = {
  SafeInt: wholeNumberRule(),
  Boolean: 'must be true or false',
  String: 'must be a text',
  ID: 'must be a text',
  Date: 'must be a day, such as 2025-05-24',
  DateTime: 'must be an ISO 8601 timestamp, such as 2025-05-24T15:56:04Z',
}

/** The rule of a scalar or an enum; undefined for an object. */
function ruleOfType(type: GraphQLInputType): string | undefined {
  if (isEnumType(type)) return oneOfRule(type.getValues().map(({ name }) => name))
  return 'name' in type ? scalarRules[type.name] : undefined
}

/**
 * The arguments of a field from a JSON body, by the types of the schema. Unknown keys are ignored.
 * @throws {Fault} `invalid_argument` that names the argument
 */
export function checkArguments(
  args: readonly GraphQLArgument[],
  body: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const given: Record<string, unknown> = {}
  for (const { name, type } of args) {
    const value = body[name]
    if (value === undefined || value === null) {
      if (isNonNullType(type)) throw invalid(name, 'is required')
      if (value === null) given[name] = null
      continue
    }
    coerceInputValue(value, type, (path, wrong, error) => {
      const place = [name, ...path].join('.')
      const rule = ruleOfType(typeAt(type, path))
      throw rule === undefined
        ? invalid(place, `is not valid: ${error.message}`)
        : invalid(place, rule, wrong)
    })
    given[name] = value
  }
  return given
}
