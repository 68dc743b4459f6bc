import { AsyncLocalStorage } from 'node:async_hooks'
import type { IncomingMessage } from 'node:http'
import type { Attributes, Span, SpanKind } from '@opentelemetry/api'

type Api = Pick<
  typeof import('@opentelemetry/api'),
  'context' | 'propagation' | 'SpanKind' | 'SpanStatusCode' | 'trace'
>

const requests = new AsyncLocalStorage<string>()

/** A process without a collector does not load it. */
let api: Api | undefined

/** Makes spans from now on: until then each request saves their cost. */
export function makeSpans(loaded: Api): void {
  api = loaded
}

const tracerOf = ({ trace }: Api) => trace.getTracer('sightline')

/** The span of the code that runs now. */
export const activeSpan = (): Span | undefined => api?.trace.getActiveSpan()

/** Marks a span as failed, without the text of the failure, which may hold what a person typed. */
export function failSpan(span: Span): void {
  if (api) span.setStatus({ code: api.SpanStatusCode.ERROR })
}

/** The id of the request that this code runs for, as a field of each line in the log. */
export function requestFields(): { requestId?: string } {
  const requestId = requests.getStore()
  return requestId === undefined ? {} : { requestId }
}

/** Runs work as a step of the request or the job, as a span of its own. A failure marks the span. */
export function inSpan<T>(
  name: string,
  attributes: Attributes,
  work: () => Promise<T>,
  kind?: SpanKind,
): Promise<T> {
  if (!api) return work()
  const about = kind === undefined ? { attributes } : { attributes, kind }
  return tracerOf(api).startActiveSpan(name, about, async (span) => {
    try {
      return await work()
    } catch (error) {
      failSpan(span)
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
  if (!api || !activeSpan()) return work()
  const about = { 'db.system.name': store, 'db.query.summary': query, ...attributes }
  return inSpan(`${store} ${query}`, about, work, api.SpanKind.CLIENT)
}

/** Runs the answer to a request: as a span that continues the client's trace, with the id in each line of the log. */
export function inRequest<T>(
  { headers, method = '' }: Pick<IncomingMessage, 'headers' | 'method'>,
  requestId: string,
  work: () => T,
): T {
  if (!api) return requests.run(requestId, work)
  const parent = api.propagation.extract(api.context.active(), headers)
  const attributes = { 'http.request.method': method, 'sightline.request_id': requestId }
  const options = { kind: api.SpanKind.SERVER, attributes }
  return tracerOf(api).startActiveSpan(method, options, parent, () => requests.run(requestId, work))
}
