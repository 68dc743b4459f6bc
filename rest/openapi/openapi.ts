import type { GraphQLSchema } from 'graphql'
import { type Operation, operationFor } from '../handler/operation.ts'
import { routes } from '../routes.ts'
import { bodySchema } from './bodies.ts'
import { headers } from './headers.ts'
import { parametersOf, sharedParameters } from './parameters.ts'
import { problemSchema } from './problems.ts'
import { areaOf, areas, info } from './prose.ts'
import { type Example, ProblemResponses, responsesOf } from './responses.ts'
import { BodySchemas, type Json, type Parts, refTo } from './schemas.ts'

/** Examples by operation. */
export type Examples = Readonly<Record<string, Example>>

/** The document: a description of the REST surface, after OpenAPI 3.1. */
export interface OpenApiDocument extends Json {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Json>>>>
  readonly components: Readonly<Record<string, Parts>>
}

const apiKey: Json = {
  type: 'http',
  scheme: 'bearer',
  description: 'A key made by `sightline key create`. It begins with `sgl_`.',
}

/** The first sentence of a description. */
const summaryOf = (text: string) => text.split(/[.:;]/, 1)[0] ?? ''

function describe({ field, access, route }: Operation): string {
  const kind = access.grant.includes(':') ? 'capability' : 'scope'
  const twin = routes.find((other) => other.field === route.field)
  const how = route.reads ? 'asked for in a body' : 'at another path'
  const alias = twin === route ? '' : ` The same as \`${twin?.operationId}\`, ${how}.`
  return `${field.description}${alias}\n\nNeeds the ${kind} \`${access.grant}\`.`
}

const capitalized = (name: string) => name.charAt(0).toUpperCase() + name.slice(1)

/** The body of a write, and its schema as a part. */
function requestBody(operation: Operation, schemas: Parts, example: unknown): Json {
  const name = `${capitalized(operation.field.name)}Input`
  const schema = bodySchema(operation)
  schemas[name] = schema
  const content = {
    schema: refTo('schemas', name),
    ...(example === undefined ? {} : { example }),
  }
  return { required: (schema.required ?? []).length > 0, content: { 'application/json': content } }
}

/** Parts by name in the order of their names, so that a new one moves no other. */
const sorted = (parts: Parts): Parts =>
  Object.fromEntries(Object.entries(parts).sort(([a], [b]) => (a < b ? -1 : 1)))

const byPath = (operations: readonly Operation[], entry: (operation: Operation) => Json) => {
  const grouped = Map.groupBy(operations, ({ route }) => route.path)
  return Object.fromEntries(
    [...grouped].map(([path, found]) => [
      path,
      Object.fromEntries(found.map((each) => [each.route.method.toLowerCase(), entry(each)])),
    ]),
  )
}

/** Parts that operations refer to, collected while operations are described. */
interface Shared {
  readonly bodies: BodySchemas
  readonly problems: ProblemResponses
  readonly parameters: ReturnType<typeof sharedParameters>
}

function entryOf(operation: Operation, shared: Shared, example: Example | undefined): Json {
  const { route, field } = operation
  const { parts } = shared.bodies
  const hasBody = route.method !== 'GET'
  return {
    operationId: route.operationId,
    tags: [areaOf(route.path)],
    summary: summaryOf(field.description ?? ''),
    description: describe(operation),
    ...(route.deprecated ? { deprecated: true } : {}),
    parameters: parametersOf(operation).map(shared.parameters.refer),
    ...(hasBody ? { requestBody: requestBody(operation, parts, example?.request) } : {}),
    responses: responsesOf(operation, shared, example),
  }
}

function tagsOf(operations: readonly Operation[]): Json[] {
  const used = new Set(operations.map(({ route }) => areaOf(route.path)))
  const known = areas.filter(({ name }) => used.has(name))
  return known.map(({ name, description }) => ({ name, description }))
}

/** The document of a REST view, with the examples of operations that have an example. */
export function openApiOf(schema: GraphQLSchema, examples: Examples = {}): OpenApiDocument {
  const operations = routes.map((route) => operationFor(schema, route))
  const shared: Shared = {
    bodies: new BodySchemas(),
    problems: new ProblemResponses(),
    parameters: sharedParameters(operations.flatMap(parametersOf)),
  }
  shared.bodies.parts.Problem = problemSchema
  return {
    openapi: '3.1.0',
    info,
    servers: [{ url: '/', description: 'This service.' }],
    tags: tagsOf(operations),
    security: [{ apiKey: [] }],
    paths: byPath(operations, (operation) =>
      entryOf(operation, shared, examples[operation.route.operationId]),
    ),
    components: {
      securitySchemes: { apiKey },
      parameters: sorted(shared.parameters.parts),
      headers,
      responses: sorted(shared.problems.parts),
      schemas: sorted(shared.bodies.parts),
    },
  }
}
