import { coerceInputValue, type GraphQLArgument, isNonNullType } from 'graphql'
import { invalid } from '../../core/errors.ts'
import { typeAt, valueFault } from '../../schema/kit/argument-faults.ts'

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
    coerceInputValue(value, type, (path, wrong, { message }) => {
      const place = [name, ...path].join('.')
      throw valueFault(place, { type: typeAt(type, path), wrong, message })
    })
    given[name] = value
  }
  return given
}
