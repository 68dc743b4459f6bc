import {
  type DocumentNode,
  type ExecutionResult,
  type GraphQLField,
  type GraphQLSchema,
  isEnumType,
  isIntrospectionType,
  isScalarType,
  type ObjectTypeDefinitionNode,
  parse,
  printType,
} from 'graphql'
import { createSofa, createSofaRouter } from 'sofa-api'
import type { AccessRule } from '../../schema/kit/access-rule.ts'

export const basePath = '/api/graph'

/** A field of the view and its path. */
export interface Endpoint {
  readonly method: 'GET' | 'POST'
  /** Below `/api/graph`: the field's name in kebab case. */
  readonly path: string
  readonly field: GraphQLField<unknown, unknown>
  readonly access: AccessRule
}

/** A request with checked arguments, and the error that its operation ended with. */
export interface Call {
  readonly run: (document: DocumentNode) => Promise<ExecutionResult>
  error?: unknown
}

const kebab = (name: string) => name.replace(/[A-Z]/g, (capital) => `-${capital.toLowerCase()}`)

/** The endpoints of a view: GET for a query, POST for a mutation. */
export function endpointsOf(view: GraphQLSchema): Endpoint[] {
  const ofType = (method: Endpoint['method'], fields: Record<string, Endpoint['field']> = {}) =>
    Object.values(fields).map((field) => ({
      method,
      field,
      path: `/${kebab(field.name)}`,
      access: field.extensions.access as AccessRule,
    }))
  return [
    ...ofType('GET', view.getQueryType()?.getFields()),
    ...ofType('POST', view.getMutationType()?.getFields()),
  ]
}

const info = {
  title: 'Sightline graph over HTTP',
  version: '1',
  license: { name: 'All rights reserved' },
  description:
    'Every GraphQL query and mutation without a path in REST v1, for scripts. Generated from the graph: it follows the graph, and is not frozen. REST v1 is at `/openapi.json`.',
}

/** The JSON Schemas of scalars and enums by name; sofa-api knows the scalars of GraphQL itself. */
function leafSchemas(view: GraphQLSchema) {
  const types = Object.values(view.getTypeMap())
  const scalars = types
    .filter(isScalarType)
    .flatMap(({ name, extensions: { jsonSchema } }) => (jsonSchema ? [[name, jsonSchema]] : []))
  const enums = types
    .filter(isEnumType)
    .filter((type) => !isIntrospectionType(type))
    .map((type) => [type.name, { type: 'string', enum: type.getValues().map(({ name }) => name) }])
  return { customScalars: Object.fromEntries(scalars), enumTypes: Object.fromEntries(enums) }
}

/** Where a root type has no node, sofa-api prints and parses the whole type for each argument of each field. */
function giveNodes(view: GraphQLSchema): void {
  for (const type of [view.getQueryType(), view.getMutationType()]) {
    if (type) type.astNode ??= parse(printType(type)).definitions[0] as ObjectTypeDefinitionNode
  }
}

/**
 * The router that sofa-api makes of a view: an operation, a path and an OpenAPI entry for each field. The
 * arguments are checked before, by the rules of the schema: sofa-api's own parser reads `"no"` as false.
 */
export function createGraphRouter(view: GraphQLSchema, endpoints: readonly Endpoint[]) {
  const routes = endpoints.map(({ method, path, field }) => [
    `${method === 'GET' ? 'Query' : 'Mutation'}.${field.name}`,
    { method, path, tags: [method === 'GET' ? 'Reads' : 'Writes'] },
  ])
  giveNodes(view)
  const sofa = createSofa({
    basePath,
    schema: view,
    ...leafSchemas(view),
    routes: Object.fromEntries(routes),
    openAPI: { openapi: '3.0.3', info },
    swaggerUI: { endpoint: false },
    context: ({ call }: { call: Call }) => call,
    async execute({ document, contextValue }) {
      const call = contextValue as Call
      const result = await call.run(document)
      call.error = result.errors?.[0]
      return result
    },
    // Never sent: the handler renders `call.error` as a problem. The router's own Response type is fetch's.
    errorHandler: () => new Response(null, { status: 500 }) as never,
  })
  return createSofaRouter(sofa)
}
