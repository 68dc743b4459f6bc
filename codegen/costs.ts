import { type GraphQLSchema, Kind, parse, printSchema } from 'graphql'
import { costOf } from '../schema/kit/cost/cost.ts'

/** The text of a schema with the costs of its fields, which graphql-js does not print. */
export function printWithCosts(schema: GraphQLSchema): string {
  const text = printSchema(schema)
  const fields = parse(text).definitions.flatMap((type) =>
    type.kind === Kind.OBJECT_TYPE_DEFINITION || type.kind === Kind.INTERFACE_TYPE_DEFINITION
      ? (type.fields ?? []).map(({ name, loc }) => ({
          end: loc?.end ?? 0,
          directives: directivesOf(schema, type.name.value, name.value),
        }))
      : [],
  )
  const ends = [0, ...fields.map(({ end }) => end)]
  const pieces = fields.map(({ end, directives }, i) => text.slice(ends[i], end) + directives)
  return pieces.join('') + text.slice(ends.at(-1))
}

function directivesOf(schema: GraphQLSchema, owner: string, name: string): string {
  const type = schema.getType(owner)
  const field = type && 'getFields' in type ? type.getFields()[name] : undefined
  if (!type || !field || !('args' in field)) return ''
  const { weight, size } = costOf(type, field)
  const cost = weight === 0 ? '' : ` @cost(weight: "${weight}")`
  if (!size) return cost
  const { assumedSize, slicing, sizedFields } = size
  const texts = (values: readonly string[]) => `[${values.map((value) => `"${value}"`).join(', ')}]`
  const parts = [
    `assumedSize: ${assumedSize}`,
    ...(slicing ? [`slicingArguments: ${texts([slicing.argument])}`] : []),
    ...(sizedFields ? [`sizedFields: ${texts(sizedFields)}`] : []),
    ...(slicing ? ['requireOneSlicingArgument: false'] : []),
  ]
  return `${cost} @listSize(${parts.join(', ')})`
}
