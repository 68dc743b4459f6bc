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

/** The rule of a REST operation and the project that its path names. */
export interface AuthorizationTarget<Rule> {
  readonly rule: Rule
  readonly subject: unknown
}

/**
 * Project, membership and scope. The fields of the schema call `authorize` from the context. REST names its
 * operation as `target`, which is authorized here, before the arguments are read. Register after authentication.
 */
export function useAuthorization<Context, Rule>(
  authorize: Authorize<Context, Rule>,
): Plugin<WithRequestState & { readonly target?: AuthorizationTarget<Rule> }> {
  return {
    async onContextBuilding({ context, extendContext }) {
      extendContext({ authorize } as object)
      const { target } = context
      if (target) await authorize(context as Context, target.rule, target.subject)
    },
  }
}
