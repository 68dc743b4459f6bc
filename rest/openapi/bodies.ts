import { type GraphQLInputType, getNamedType, isInputObjectType } from 'graphql'
import { z } from 'zod'
import type { Operation } from '../handler/operation.ts'
import type { Json } from './schemas.ts'

interface Described {
  readonly name: string
  readonly description?: string | null | undefined
  readonly type: GraphQLInputType
}

interface ObjectSchema extends Json {
  readonly properties?: Readonly<Record<string, Json>>
  readonly items?: ObjectSchema
}

/** The description and type of an input field in the GraphQL schema, next to its zod rule. */
function describe(schema: ObjectSchema, inputs: readonly Described[]): Json {
  const { properties = {} } = schema
  const byName = new Map(inputs.map((input) => [input.name, input]))
  const described = Object.entries(properties).map(([name, property]) => {
    const input = byName.get(name)
    if (!input?.description) throw new Error(`the schema does not describe ${name}`)
    return [name, { ...inside(property, input), description: input.description }]
  })
  return { ...schema, properties: Object.fromEntries(described) }
}

function inside(property: ObjectSchema, { type }: Described): Json {
  const named = getNamedType(type)
  if (!property.items || !isInputObjectType(named)) return property
  return { ...property, items: describe(property.items, Object.values(named.getFields())) }
}

/** The schema of the body of a write: what zod checks, in the words of the schema. */
export function bodySchema({ body, field }: Operation): Json & { required?: readonly string[] } {
  const { $schema: _dialect, ...schema } = z.toJSONSchema(body, { io: 'input' })
  return {
    ...describe(schema as ObjectSchema, field.args),
    description: `Body of ${field.name}.`,
  }
}
