import type { Plugin } from '@envelop/core'
import type { WithRequestState } from './request-state.ts'

/**
 * Decides whether the key of a context may do what a rule of the schema asks.
 * @throws {Fault} `not_found`, `forbidden`, `missing_scope`, in this order
 */
export type Authorize<Context, Rule> = (
  context: Context,
  rule: Rule,
  subject: unknown,
) => Promise<void>

/** Project, membership and scope: the guards of the schema call `authorize` from the context. */
export function useAuthorization<Context, Rule>(
  authorize: Authorize<Context, Rule>,
): Plugin<WithRequestState> {
  return {
    onContextBuilding: ({ extendContext }) => extendContext({ authorize } as object),
  }
}
