import {
  type GraphQLError,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  parse,
} from 'graphql'
import { type ErrorCode, Fault } from '../../core/errors.ts'
import type { Context } from '../../schema/kit/context.ts'
import { routes } from '../routes.ts'
import { csvOf } from './csv.ts'
import { createEngine } from './engine.ts'
import { operationFor } from './operation.ts'
import { readArguments } from './params.ts'
import { type Body, run } from './run.ts'

/** The answer of an operation, as REST sends it. */
export interface LocalAnswer {
  readonly body: Body
  /** The rows as `format=csv` gives them; undefined where the operation has none. */
  csv(): string | undefined
  readonly type: GraphQLObjectType
}

/** An operation that reads, with the values of its path and its query. */
export interface LocalRequest {
  readonly operationId: string
  readonly path: Readonly<Record<string, string>>
  readonly query: URLSearchParams
}

/**
 * Runs a document of the graph in this process.
 * @param lacking codes of faults that leave a field null, such as a source that the project has not
 * @throws the fault of the first other error
 */
export async function askGraph<Answer extends object = Body>(
  schema: GraphQLSchema,
  context: Context,
  document: string,
  variables: Record<string, unknown>,
  lacking: readonly ErrorCode[] = [],
): Promise<Answer> {
  const execute = createEngine(schema, [])
  const { data, errors } = await execute(parse(document), variables, context)
  const causes = (errors ?? []).map((error) => error.originalError ?? error)
  const fault = causes.find((cause) => !(cause instanceof Fault && lacking.includes(cause.code)))
  if (fault) throw fault
  return data as Answer
}

/**
 * Runs operations of REST in this process: without HTTP, key or rate, for the principal of the context.
 * @returns runs one; it throws the faults of the operation
 */
export function openLocal(schema: GraphQLSchema, context: Context) {
  const execute = createEngine(schema, [])
  return async ({ operationId, path, query }: LocalRequest): Promise<LocalAnswer> => {
    const route = routes.find((each) => each.operationId === operationId)
    if (!route) throw new Error(`There is no operation ${operationId}`)
    const operation = operationFor(schema, route)
    const variables = readArguments(operation.field.args, path, query)
    const body = await run(execute, operation, variables, context).catch((error: GraphQLError) => {
      throw error.originalError ?? error
    })
    return {
      body,
      type: getNamedType(operation.field.type) as GraphQLObjectType,
      csv() {
        return route.csv && csvOf(operation.columns, body[route.csv] as Body[])
      },
    }
  }
}
