import type { OpenedRequest } from './engine.ts'
import type { Operation } from './operation.ts'

/** The body of a response, before it becomes JSON or CSV. */
export type Body = Record<string, unknown>

/**
 * Runs the operation behind a route.
 * @throws the first error of the result
 */
export async function run(
  { route, document }: Operation,
  { execute }: OpenedRequest,
  variables: Record<string, unknown>,
): Promise<Body> {
  const result = await execute(document, variables)
  if (result.errors?.[0]) throw result.errors[0]
  return (result.data as Record<string, Body>)[route.field] ?? {}
}
