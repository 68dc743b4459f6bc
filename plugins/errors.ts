import { GraphQLError } from 'graphql'
import type { Logger } from 'pino'
import { engineDown, Fault } from '../core/errors.ts'
import { writeBusy } from '../core/load/under-load.ts'
import { problemBody } from '../core/problem.ts'
import { isEngineDown, isLockBusy } from '../prisma/client.ts'

/** Where an answer is rendered. */
export interface Rendering {
  readonly requestId: string
  readonly baseUrl: string
  readonly log: Logger
  /** Hears the code of each fault. */
  readonly refused?: ((code: string) => void) | undefined
}

/** What lies under GraphQL's wrapping: the error that a resolver threw. */
function thrown(error: unknown): unknown {
  return error instanceof GraphQLError && error.originalError ? thrown(error.originalError) : error
}

const byHttpStatus = {
  405: 'method_not_allowed',
  413: 'payload_too_large',
  415: 'unsupported_media_type',
} as const

const limit = /^Syntax Error: (.* limit of \d+ exceeded.*)$/

/** How graphql-js ends the comparison of fields that a document repeats. */
const aborted = 'Validation aborted.'

/** GraphQL's own complaints about a request: syntax, validation, limits, size, media type. */
function requestFault(error: GraphQLError): Fault {
  // Those of graphql-jit have no extensions.
  const { http } = (error.extensions ?? {}) as { http?: { status?: number } }
  const code = byHttpStatus[http?.status as keyof typeof byHttpStatus]
  if (code) return new Fault(code, error.message)
  if (error.message === aborted) {
    return new Fault('query_too_costly', 'The document repeats its fields too often.')
  }
  const exceeded = limit.exec(error.message)?.[1]
  const message = exceeded ?? error.message
  const howToFix = exceeded ? 'Ask in several requests.' : 'Correct the request as `message` says.'
  const details = { formErrors: [message], fieldErrors: {} }
  return new Fault('invalid_argument', message, { extras: { details, howToFix } })
}

/**
 * The fault that a client sees. A fault of the catalog stays; a write that waited too long for another is
 * 429; an engine that does not answer is 502. Anything else is masked as 500 and logged under the request id.
 */
export function faultOf(error: unknown, rendering: Rendering): Fault {
  const fault = clientFault(error, rendering)
  rendering.refused?.(fault.code)
  return fault
}

function clientFault(error: unknown, { log, requestId }: Rendering): Fault {
  const cause = thrown(error)
  if (cause instanceof Fault) {
    if (cause.status >= 500) log.warn({ requestId, err: cause.cause ?? cause }, cause.message)
    return cause
  }
  if (cause instanceof GraphQLError) return requestFault(cause)
  if (isLockBusy(cause)) return writeBusy(cause)
  if (isEngineDown(cause)) {
    log.warn({ requestId, err: cause }, 'an engine does not answer')
    return engineDown(cause)
  }
  log.error({ requestId, err: cause }, 'unexpected failure')
  return new Fault(
    'internal_error',
    'Something failed on our side. The request id finds it in the log.',
  )
}

/**
 * The error as GraphQL clients see it: the members of a problem in `extensions`, and the `argument` that is wrong, with
 * the path below it. A status goes with it
 * only when the request failed as a whole: an error of one field leaves its neighbours an answer of 200.
 */
export function graphqlError(error: unknown, rendering: Rendering): GraphQLError {
  const fault = faultOf(error, rendering)
  const { message, error: _legacy, ...members } = problemBody(fault, rendering)
  const [argument] = Object.keys(members.details?.fieldErrors ?? {})
  const wrapped = error instanceof GraphQLError ? error : undefined
  return new GraphQLError(message, {
    ...(wrapped?.nodes ? { nodes: wrapped.nodes } : {}),
    ...(wrapped?.source ? { source: wrapped.source } : {}),
    ...(wrapped?.positions ? { positions: wrapped.positions } : {}),
    ...(wrapped?.path ? { path: wrapped.path } : {}),
    extensions: {
      ...members,
      ...(argument === undefined ? {} : { argument }),
      ...(wrapped?.path ? {} : { http: { status: fault.status, headers: fault.headers } }),
    },
  })
}
