import type { Context } from '../../schema/kit/context.ts'
import type { Execute } from './engine.ts'
import type { Operation } from './operation.ts'

/** The body of a response, before it becomes JSON or CSV. */
export type Body = Record<string, unknown>

/**
 * Runs the operation behind a route.
 * @returns the answer without the keys that the contract leaves out rather than writes as null
 * @throws the first error of the result
 */
export async function run(
  execute: Execute,
  { route, document, omitNulls }: Operation,
  variables: Record<string, unknown>,
  context: Context,
): Promise<Body> {
  const { data, errors } = await execute(document, variables, context)
  if (errors?.[0]) throw errors[0]
  const body = (data as Record<string, Body | null>)[route.field]
  if (!body) return {}
  omitNulls(body, variables)
  return body
}
