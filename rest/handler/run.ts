import type { DocumentNode, ExecutionResult } from 'graphql'
import type { Operation } from './operation.ts'

/** Runs an operation of the schema. */
export type Execute = (
  document: DocumentNode,
  variables: Record<string, unknown>,
) => Promise<ExecutionResult>

/** The body of a response, before it is written as JSON or CSV. */
export type Body = Record<string, unknown>

/**
 * Runs the operation behind a route.
 * @throws the first error of the result
 */
export async function run(
  { route, document, omitNulls }: Operation,
  execute: Execute,
  variables: Record<string, unknown>,
): Promise<Body> {
  const result = await execute(document, variables)
  if (result.errors?.[0]) throw result.errors[0]
  const body = (result.data as Record<string, Body>)[route.field] ?? {}
  omitNulls(body, variables)
  return body
}
