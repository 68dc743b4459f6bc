import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Span } from '@opentelemetry/api'
import type { Log } from '../core/log.ts'
import { type Answered, type ApiMetrics, doorOf } from './api.ts'
import { activeSpan, failSpan } from './spans.ts'

/** A request as the log and the metrics name it. */
export interface Named {
  readonly requestId: string
  /** Set when the operation is known; see `Answered.operation`. */
  operation?: string
  /** Whether the answer is a stream of live events. */
  isStream?: boolean
}

export interface AnswerParts {
  readonly log: Log
  readonly metrics: ApiMetrics
}

/** One line a request, and its figures. The path is without the query string, which may hold what a person typed. */
export function watchAnswer(
  { log, metrics }: AnswerParts,
  exchange: { request: IncomingMessage; response: ServerResponse; path: string },
  named: Named,
): void {
  const { request, response, path } = exchange
  const door = doorOf(path)
  const began = performance.now()
  metrics.began(door)
  const span = activeSpan()
  response.on('close', () => {
    const { requestId, operation = 'none', isStream = false } = named
    const { method } = request
    const took = performance.now() - began
    const status = response.writableFinished ? response.statusCode : 'closed'
    if (status !== 'closed') {
      log.info({ requestId, method, path, status, ms: Math.round(took * 10) / 10 }, 'request')
    }
    if (span) endSpan(span, { method, path, door, operation, status })
    metrics.answered({ door, operation, status, seconds: took / 1000, isStream })
  })
}

/** The same for a request that the HTTP parser refused, which has neither path nor method. `reason` is the parser's code. */
export function noteUnparsed(
  { log, metrics }: AnswerParts,
  { requestId, status, reason }: { requestId: string; status: number; reason: string },
): void {
  log.info({ requestId, status, reason }, 'request')
  metrics.began('none')
  metrics.answered({ door: 'none', operation: 'none', status, seconds: 0, isStream: false })
}

interface Ended extends Pick<Answered, 'door' | 'operation' | 'status'> {
  readonly method: string | undefined
  readonly path: string
}

/** A request that is not answered here, such as one of a page, has a span without an end: it is never sent. */
function endSpan(span: Span, { method = '', path, door, operation, status }: Ended): void {
  span.updateName(`${method} ${operation === 'none' ? door : operation}`)
  span.setAttributes({
    'url.path': path,
    'sightline.door': door,
    'sightline.operation': operation,
    ...(status === 'closed' ? {} : { 'http.response.status_code': status }),
  })
  if (status === 'closed' || status >= 500) failSpan(span)
  span.end()
}
