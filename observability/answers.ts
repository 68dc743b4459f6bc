import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Log } from '../core/log.ts'
import { type ApiMetrics, doorOf } from './api.ts'

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
  response.on('finish', () => {
    const ms = Math.round((performance.now() - began) * 10) / 10
    const { requestId } = named
    const about = { requestId, method: request.method, path, status: response.statusCode, ms }
    log.info(about, 'request')
  })
  response.on('close', () => {
    metrics.answered({
      door,
      operation: named.operation ?? 'none',
      status: response.writableFinished ? response.statusCode : 'closed',
      seconds: (performance.now() - began) / 1000,
      isStream: named.isStream ?? false,
    })
  })
}
