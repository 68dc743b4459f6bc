import { maxAliasesPlugin } from '@escape.tech/graphql-armor-max-aliases'
import { maxDepthPlugin } from '@escape.tech/graphql-armor-max-depth'
import { maxDirectivesPlugin } from '@escape.tech/graphql-armor-max-directives'
import { maxTokensPlugin } from '@escape.tech/graphql-armor-max-tokens'
import type { Plugin } from 'graphql-yoga'
import type { Logger } from 'pino'
import { Fault } from '../core/errors.ts'
import { refuseDepth } from '../core/json.ts'
import { type AuthParts, authenticate } from './auth.ts'
import { useCompiled } from './compiled.ts'
import { graphqlError } from './errors.ts'
import type { Once } from './idempotency.ts'
import type { VisitContext } from './request-state.ts'
import { useWriteHeaders } from './write-headers.ts'

/**
 * What one GraphQL document may ask. The walls stand in validation, before a resolver runs. GraphQL's own
 * rule bounds the depth of introspection, which needs more levels than a report does.
 */
const limits = { depth: 10, aliases: 30, directives: 10, tokens: 2000 } as const

type Stack = Plugin<object, VisitContext>

/**
 * Key and rate. Yoga parses and validates before it builds a context: the check at parsing keeps a
 * stranger from learning field names for free, the one at context building serves REST.
 */
function useAuth(parts: AuthParts): Stack {
  return {
    async onRequestParse({ request, serverContext, requestParser }) {
      await authenticate(parts, serverContext.visit)
      if (request.method !== 'GET' && request.method !== 'POST') {
        throw new Fault('method_not_allowed', `${request.method} is not allowed here.`, {
          headers: { Allow: 'GET, POST' },
        })
      }
      if (!requestParser) {
        throw new Fault('unsupported_media_type', 'Send the query as `application/json`.')
      }
    },
    async onContextBuilding({ context, extendContext }) {
      const { visit } = context as unknown as VisitContext
      const principal = await authenticate(parts, visit)
      const { requestId, ifMatch } = visit
      extendContext({ principal, requestId, ifMatch } as object)
    },
  }
}

/** Deeply nested variables end the stack of what coerces them. */
function useShallowVariables(): Stack {
  return { onParams: ({ params }) => refuseDepth(params.variables) }
}

function useErrors(rendering: { baseUrl: string; log: Logger }): Stack {
  return {
    onResultProcess({ result, setResult, serverContext }) {
      const { requestId } = serverContext.visit
      if (!('errors' in result) || !result.errors) return
      const errors = result.errors.map((error) => graphqlError(error, { ...rendering, requestId }))
      setResult({ ...result, errors })
    },
    onResponse({ response, serverContext }) {
      for (const [name, value] of Object.entries(serverContext.visit.headers)) {
        response.headers.set(name, value)
      }
    },
  }
}

/** The plugins of both doors; their order is the order of the checks. */
export function pluginStack(
  parts: AuthParts & { baseUrl: string; log: Logger; once: Once },
): Stack[] {
  return [
    useAuth(parts),
    useShallowVariables(),
    maxTokensPlugin({ n: limits.tokens }) as Stack,
    maxDepthPlugin({ n: limits.depth, ignoreIntrospection: true }) as Stack,
    maxAliasesPlugin({ n: limits.aliases, allowList: [] }) as Stack,
    maxDirectivesPlugin({ n: limits.directives }) as Stack,
    useCompiled(),
    useWriteHeaders(parts.once),
    useErrors(parts),
  ]
}
