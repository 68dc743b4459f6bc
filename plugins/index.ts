import type { Plugin } from '@envelop/core'
import { maxAliasesPlugin } from '@escape.tech/graphql-armor-max-aliases'
import { maxDirectivesPlugin } from '@escape.tech/graphql-armor-max-directives'
import { maxTokensPlugin } from '@escape.tech/graphql-armor-max-tokens'
import type { Plugin as YogaPlugin } from 'graphql-yoga'
import type { Logger } from 'pino'
import { Fault, invalid } from '../core/errors.ts'
import { refuseDepth } from '../core/json.ts'
import { type ArgumentFaults, useArgumentFaults } from './argument-faults.ts'
import { authenticate, useAuthentication } from './authentication.ts'
import { type Authorize, useAuthorization } from './authorization.ts'
import { type BodyLimits, useBodyLimits } from './bodies.ts'
import { useCompiled } from './compiled.ts'
import { type CostParts, useCost } from './cost/cost.ts'
import { graphqlError } from './errors.ts'
import { useIdempotency } from './idempotency.ts'
import { useIntrospection } from './introspection.ts'
import { type LiveParts, useLive } from './live.ts'
import { useNotices } from './notices.ts'
import { useOperationName } from './operation-name.ts'
import { usePersistedDocuments } from './persisted-documents.ts'
import { countRequest, type RateLimitParts, useRateLimit } from './rate-limit.ts'
import type { WithRequestState } from './request-state.ts'
import { useResponseSize } from './response-size.ts'
import { useDepthLimits } from './rules/depth.ts'
import { useResponseNames } from './rules/response-names.ts'
import type { RunIdempotent } from './run-idempotent.ts'
import { useSpans } from './spans.ts'
import { useWork, type WorkParts } from './work.ts'
import { useWriter } from './writer.ts'

/**
 * Limits of one GraphQL document, checked before a resolver runs. GraphQL's own rule bounds the depth of
 * introspection, which needs more levels than a report.
 */
const limits = {
  depth: 12,
  lists: 7,
  size: 10_000,
  aliases: 30,
  directives: 10,
  tokens: 2000,
} as const

interface ExecutionParts extends WorkParts {
  readonly runIdempotent: RunIdempotent
}

/** What GraphQL and REST are made of. */
export interface SharedParts<Context, Rule> extends RateLimitParts, ExecutionParts {
  readonly authorize: Authorize<Context, Rule>
}

/** The plugins of both doors: they wrap the execution of an operation. */
function shared({ runIdempotent, ...parts }: ExecutionParts) {
  return [
    useCompiled(),
    useWork(parts),
    useSpans(),
    useIdempotency(runIdempotent),
    useWriter(),
  ] as const
}

/**
 * Yoga parses and validates a document before it builds a context. This check at parsing keeps field names
 * from a client without a key.
 */
function useEarlyAuthentication(parts: RateLimitParts): YogaPlugin<object, WithRequestState> {
  return {
    async onRequestParse({ request, serverContext, requestParser }) {
      await countRequest(parts, serverContext.requestState)
      await authenticate(parts, serverContext.requestState)
      if (request.method !== 'GET' && request.method !== 'POST') {
        throw new Fault('method_not_allowed', `${request.method} is not allowed here.`, {
          headers: { Allow: 'GET, POST' },
        })
      }
      if (!requestParser) {
        throw new Fault('unsupported_media_type', 'Send the query as `application/json`.')
      }
    },
  }
}

/** The parameters of an address or a form that are JSON. */
const jsonParameters = ['variables', 'extensions']

const isJson = (text: string) => {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** Names the parameter of an address that is no JSON: Yoga throws the bare error of the parser. */
function useJsonParameters(): YogaPlugin {
  return {
    onRequestParse({ request, requestParser, setRequestParser }) {
      if (!requestParser) return
      setRequestParser(async (asked) => {
        try {
          return await requestParser(asked)
        } catch (error) {
          if (!(error instanceof SyntaxError)) throw error
          const { searchParams } = new URL(request.url)
          const wrong = jsonParameters.find((name) => !isJson(searchParams.get(name) || '{}'))
          if (wrong) throw invalid(wrong, 'must be JSON', searchParams.get(wrong))
          throw new Fault('invalid_argument', '`variables` and `extensions` must be JSON.')
        }
      })
    },
  }
}

/** Refuses deeply nested variables, which would exhaust the stack of their coercion. */
function useShallowVariables(): YogaPlugin {
  return { onParams: ({ params }) => refuseDepth(params.variables) }
}

interface Rendering {
  readonly baseUrl: string
  readonly log: Logger
  readonly refused?: (code: string) => void
}

function useErrors(rendering: Rendering): YogaPlugin<object, WithRequestState> {
  return {
    onResultProcess({ result, setResult, serverContext }) {
      const { requestId } = serverContext.requestState
      if (!('errors' in result) || !result.errors) return
      const errors = result.errors.map((error) => graphqlError(error, { ...rendering, requestId }))
      setResult({ ...result, errors })
    },
    onResponse({ response, serverContext }) {
      // No copy stays with a browser or a proxy: data is the key's.
      response.headers.set('Cache-Control', 'no-store')
      for (const [name, value] of Object.entries(serverContext.requestState.headers)) {
        response.headers.set(name, value)
      }
    },
  }
}

/** The plugins of `/graphql`, for Yoga. `answers` come last: they are kept as clients get them. */
export function graphqlPlugins<Context, Rule>(
  parts: SharedParts<Context, Rule> &
    LiveParts &
    ArgumentFaults &
    CostParts &
    Omit<BodyLimits, 'tokens'> & { readonly maxBytes: number },
  answers?: { readonly plugin: unknown },
) {
  return [
    useEarlyAuthentication(parts),
    useBodyLimits({ ...parts, tokens: limits.tokens }),
    useJsonParameters(),
    useShallowVariables(),
    ...usePersistedDocuments(parts),
    useOperationName(parts.documents),
    maxTokensPlugin({ n: limits.tokens }),
    // A fragment is no level: unions need fragments, and clients write one for each component.
    useDepthLimits(limits),
    useResponseNames(),
    maxAliasesPlugin({ n: limits.aliases, allowList: [] }),
    maxDirectivesPlugin({ n: limits.directives }),
    useArgumentFaults(parts),
    useCost(parts),
    useNotices(),
    // In the order of the checks: rate, key, project and scope.
    useRateLimit(parts),
    useAuthentication(parts),
    useAuthorization(parts.authorize),
    ...shared(parts),
    useIntrospection(parts),
    useLive(parts),
    useResponseSize(parts),
    useErrors(parts),
    ...(answers ? [answers.plugin] : []),
  ] as YogaPlugin<object, WithRequestState>[]
}

/**
 * The plugins of REST, for an Envelop of its own. Before it runs an operation, REST has counted the request and checked its
 * key, project and arguments. It renders its errors itself.
 */
export const restPlugins = (parts: ExecutionParts) => shared(parts) as readonly Plugin[]
