import { AsyncLocalStorage } from 'node:async_hooks'
import type { IncomingMessage } from 'node:http'
import {
  type Attributes,
  context,
  propagation,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api'

/** Does nothing until `startTracing` has loaded the SDK. */
const tracer = trace.getTracer('sightline')

const requests = new AsyncLocalStorage<string>()

let isTraced = false

/** Whether requests have spans. */
export const makesSpans = () => isTraced

/** Makes spans from now on: until then each request saves their cost. */
export function makeSpans(): void {
  isTraced = true
}

/** The id of the request that this code runs for, as a field of each line in the log. */
export function requestFields(): { requestId?: string } {
  const requestId = requests.getStore()
  return requestId === undefined ? {} : { requestId }
}

/**
 * Runs work as a step of the request or the job, as a span of its own. A failure marks the span, without its text, which
 * may hold what a person typed.
 */
export function inSpan<T>(
  name: string,
  attributes: Attributes,
  work: () => Promise<T>,
  kind = SpanKind.INTERNAL,
): Promise<T> {
  if (!isTraced) return work()
  return tracer.startActiveSpan(name, { kind, attributes }, async (span) => {
    try {
      return await work()
    } catch (error) {
      span.setStatus({ code: SpanStatusCode.ERROR })
      throw error
    } finally {
      span.end()
    }
  })
}

/**
 * Runs a statement of a request or a job as a span. `query` names it: the SQL and its values are no part of the span.
 * A statement of neither, such as of a clock, has no span.
 */
export function inStatement<T>(
  store: 'clickhouse' | 'postgresql',
  query: string,
  attributes: Attributes,
  work: () => Promise<T>,
): Promise<T> {
  if (!isTraced || !trace.getActiveSpan()) return work()
  const about = { 'db.system.name': store, 'db.query.summary': query, ...attributes }
  return inSpan(`${store} ${query}`, about, work, SpanKind.CLIENT)
}

/** Runs the answer to a request: as a span that continues the client's trace, with the id in each line of the log. */
export function inRequest<T>(
  { headers, method = '' }: Pick<IncomingMessage, 'headers' | 'method'>,
  requestId: string,
  work: () => T,
): T {
  if (!isTraced) return requests.run(requestId, work)
  const parent = propagation.extract(context.active(), headers)
  const attributes = { 'http.request.method': method, 'sightline.request_id': requestId }
  const options = { kind: SpanKind.SERVER, attributes }
  return tracer.startActiveSpan(method, options, parent, () => requests.run(requestId, work))
}
