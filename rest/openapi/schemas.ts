import {
  type GraphQLEnumType,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  isEnumType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql'

/** A JSON Schema, or another part of the document. */
export type Json = Readonly<Record<string, unknown>>

/** Parts that several operations refer to, by name. */
export type Parts = Record<string, Json>

export const refTo = (kind: string, name: string) => ({ $ref: `#/components/${kind}/${name}` })

/** The JSON Schemas of the scalars that GraphQL itself has; the others carry their own. */
const builtIn: Readonly<Record<string, Json>> = {
  ID: { type: 'string', format: 'uuid' },
  String: { type: 'string' },
  Boolean: { type: 'boolean' },
  Float: { type: 'number' },
}

/**
 * The type and the format of a scalar. A scalar's bounds are left out: the arguments state their own.
 * @throws {Error} for a scalar of any value: its field must say with `json` what a client can expect
 */
export function scalarSchema({ name, extensions }: GraphQLNamedType): Json {
  const { type, format } = builtIn[name] ?? (extensions.jsonSchema as Json | undefined) ?? {}
  if (type === undefined)
    throw new Error(`A ${name} can be anything: declare \`json\` on its field`)
  return format === undefined ? { type } : { type, format }
}

function orNull(schema: Json): Json {
  return typeof schema.type === 'string'
    ? { ...schema, type: [schema.type, 'null'] }
    : { anyOf: [schema, { type: 'null' }] }
}

function enumSchema(type: GraphQLEnumType): Json {
  const values = type.getValues()
  const meanings = values.map(({ name, description }) => `- \`${name}\`: ${description}`)
  return {
    type: 'string',
    enum: values.map(({ name }) => name),
    description: [type.description, '', ...meanings].join('\n'),
  }
}

/**
 * Schemas of what REST answers, from the types of its view of the GraphQL schema. Each object type becomes a
 * named part with its very keys: one that is always there is required, no other may come.
 */
export class BodySchemas {
  readonly parts: Parts = {}

  /** The schema of a value of the type; null is none. */
  of(type: GraphQLOutputType): Json {
    if (isNonNullType(type)) return this.of(type.ofType)
    if (isListType(type)) return { type: 'array', items: this.#valueOf(type.ofType) }
    if (isObjectType(type)) return this.#named(type.name, () => this.#object(type))
    if (isEnumType(type)) return this.#named(type.name, () => enumSchema(type))
    return scalarSchema(type)
  }

  /** The same, or null where the type allows it. */
  #valueOf(type: GraphQLOutputType): Json {
    return isNonNullType(type) ? this.of(type.ofType) : orNull(this.of(type))
  }

  #named(name: string, make: () => Json): Json {
    if (!(name in this.parts)) {
      // Taken before it is made, for a type that holds itself.
      this.parts[name] = {}
      this.parts[name] = make()
    }
    return refTo('schemas', name)
  }

  #object(type: GraphQLObjectType): Json {
    const fields = Object.values(type.getFields())
    return {
      type: 'object',
      description: type.description ?? '',
      properties: Object.fromEntries(fields.map((field) => [field.name, this.#property(field)])),
      required: fields.filter(({ extensions }) => !extensions.omitNull).map(({ name }) => name),
      additionalProperties: false,
    }
  }

  #property({ type, description, extensions }: GraphQLField<unknown, unknown>): Json {
    const said = extensions.json as Json | undefined
    // What is left out rather than null is never null; what is left out unless asked for may be.
    const schema = said ?? (extensions.omitNull === true ? this.of(type) : this.#valueOf(type))
    return { ...schema, description: description ?? '' }
  }
}
