import {
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLSchema,
  isInputObjectType,
  isNonNullType,
  isObjectType,
} from 'graphql'
import type { Json } from '../openapi/schemas.ts'
import { basePath, createGraphRouter, type Endpoint, endpointsOf } from './router.ts'
import { scriptView } from './view.ts'

const problem: Json = {
  description: 'A problem of RFC 9457. Branch on `code`; see /docs/errors.',
  content: {
    'application/problem+json': {
      schema: {
        type: 'object',
        required: ['type', 'title', 'status', 'code', 'message', 'requestId'],
        properties: {
          type: { type: 'string', format: 'uri' },
          title: { type: 'string' },
          status: { type: 'integer' },
          code: { type: 'string' },
          message: { type: 'string' },
          requestId: { type: 'string', format: 'uuid' },
        },
      },
    },
  },
}

const idempotencyKey: Json = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Runs the write once: a retry with the same key within 24 hours gets the same answer.',
  schema: { type: 'string', maxLength: 255 },
}

const bearer: Json = {
  type: 'http',
  scheme: 'bearer',
  description: 'A key made by `sightline key create`. It begins with `sgl_`.',
}

interface Parameter {
  readonly name: string
  readonly schema: Json
}

interface Operation {
  readonly parameters?: readonly Parameter[]
  readonly responses: Readonly<Record<string, Json>>
}

interface ObjectSchema extends Json {
  readonly properties?: Readonly<Record<string, Json>>
}

/** A `$ref` allows no keys beside it in OpenAPI 3.0. */
const withKeys = ({ $ref, ...schema }: Json, keys: Json): Json =>
  $ref === undefined ? { ...schema, ...keys } : { allOf: [{ $ref }], ...schema, ...keys }

const nullable = ({ $ref }: Json): Json =>
  $ref === undefined ? { nullable: true } : { type: 'object', nullable: true }

/** The schema of a type, with the fields that may be null marked: sofa-api leaves them out of `required` alone. */
function withNulls(type: GraphQLNamedType | undefined, schema: ObjectSchema): Json {
  if (!isObjectType(type) && !isInputObjectType(type)) return schema
  const fields = type.getFields()
  const properties = Object.entries(schema.properties ?? {}).map(([name, property]) => [
    name,
    withKeys(property, isNonNullType(fields[name]?.type) ? {} : nullable(property)),
  ])
  return { ...schema, properties: Object.fromEntries(properties) }
}

/** A parameter with the description of its argument: sofa-api writes it into a schema that parameters share. */
function described({ args }: GraphQLField<unknown, unknown>, parameter: Parameter): Json {
  const { description: _shared, ...schema } = parameter.schema
  const description = args.find(({ name }) => name === parameter.name)?.description
  return { ...parameter, description, schema }
}

/** One operation: sofa-api's own, with its id, the scope that it needs, and its problems. */
function operationOf({ method, field, access }: Endpoint, made: Operation): Json {
  const { parameters = [], responses, ...rest } = made
  const header = field.extensions.isKeyed === true ? [idempotencyKey] : []
  return {
    ...rest,
    operationId: field.name,
    summary: field.description?.split(/(?<=[.])\s/, 1)[0],
    description: `${field.description}\n\nNeeds the scope \`${access.grant}\`.`,
    parameters: [
      ...(method === 'GET' ? parameters.map((each) => described(field, each)) : []),
      ...header,
    ],
    responses: {
      200: { ...responses[200], description: 'The answer of the field.' },
      '4XX': { $ref: '#/components/responses/Problem' },
      '5XX': { $ref: '#/components/responses/Problem' },
    },
  }
}

/** The OpenAPI 3.0 document of `/api/graph`, from sofa-api, with the key and the problems of the service. */
export function graphOpenApiOf(schema: GraphQLSchema): Json {
  const view = scriptView(schema)
  const endpoints = endpointsOf(view)
  // sofa-api types its document as any object.
  const document = createGraphRouter(view, endpoints).openAPIDocument as unknown as {
    readonly openapi: string
    readonly info: Json
    readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
    readonly components: { readonly schemas: Readonly<Record<string, ObjectSchema>> }
  }
  const paths = endpoints.map((endpoint) => {
    const method = endpoint.method.toLowerCase()
    const made = document.paths[endpoint.path]?.[method]
    if (!made) throw new Error(`sofa-api made no route of ${endpoint.field.name}`)
    return [basePath + endpoint.path, { [method]: operationOf(endpoint, made) }]
  })
  // sofa-api lists the roots and every enum, and writes enums out where they are used.
  const types = Object.entries(document.components.schemas).filter(([name]) => {
    const type = view.getType(name)
    return (
      isInputObjectType(type) || (isObjectType(type) && name !== 'Query' && name !== 'Mutation')
    )
  })
  const schemas = types.map(([name, made]) => [name, withNulls(view.getType(name), made)])
  return {
    openapi: document.openapi,
    info: document.info,
    servers: [{ url: '/' }],
    security: [{ apiKey: [] }],
    tags: [
      { name: 'Reads', description: 'Queries of the graph.' },
      { name: 'Writes', description: 'Mutations of the graph.' },
    ],
    paths: Object.fromEntries(paths),
    components: {
      schemas: Object.fromEntries(schemas),
      responses: { Problem: problem },
      securitySchemes: { apiKey: bearer },
    },
  }
}
