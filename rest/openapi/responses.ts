import { catalog, type ErrorCode, Fault } from '../../core/errors.ts'
import { problemBody } from '../../core/problem.ts'
import type { Operation } from '../handler/operation.ts'
import { everyHeader, headers } from './headers.ts'
import { problemsOf } from './problems.ts'
import { type BodySchemas, type Json, type Parts, refTo } from './schemas.ts'

/** A request to the demo, and its response. */
export interface Example {
  readonly request?: unknown
  readonly body: unknown
  readonly csv?: string
}

const headerRefs = (names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, refTo('headers', name)]))

/** `plan_upgrade_required` becomes `PlanUpgradeRequired`. */
function pascal(code: string): string {
  const words = code.toLowerCase().split('_')
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')
}

function headersOf(status: number, codes: readonly ErrorCode[]): Json {
  if (status === 401) return headerRefs([...everyHeader, 'WWW-Authenticate'])
  // For a job in progress, and while the API restarts.
  const waits = codes.includes('idempotency_in_flight') || status === 502
  const own = waits ? headerRefs(['Retry-After']) : {}
  const required =
    status === 429 ? { 'Retry-After': { ...headers['Retry-After'], required: true } } : {}
  return { ...headerRefs(everyHeader), ...own, ...required }
}

function exampleOf(code: ErrorCode, status: number): Json {
  const fault = new Fault(code, catalog[code].when, { status })
  const requestId = '7c9e6679-7425-40de-944b-e07fc1f90ae7'
  return { ...problemBody(fault, { requestId, baseUrl: 'http://127.0.0.1:4000' }) }
}

/** A problem that has one of these codes. */
function problemResponse(status: number, codes: readonly ErrorCode[]): Json {
  const examples = codes.map((code) => [code, { value: exampleOf(code, status) }])
  const meanings = codes.map((code) => `- \`${code}\`: ${catalog[code].when}`)
  const narrowed = { properties: { status: { const: status }, code: { enum: codes } } }
  return {
    description: meanings.join('\n'),
    headers: headersOf(status, codes),
    content: {
      'application/problem+json': {
        schema: { allOf: [refTo('schemas', 'Problem'), { type: 'object', ...narrowed }] },
        examples: Object.fromEntries(examples),
      },
    },
  }
}

const notModified: Json = {
  description: 'The content that `If-None-Match` names is still current. The response has no body.',
  headers: headerRefs([...everyHeader, 'ETag']),
}

/** Problems as shared parts: one part for each combination of codes, named after the codes. */
export class ProblemResponses {
  readonly parts: Parts = { NotModified: notModified }

  of(operation: Operation): Record<string, Json> {
    const entries = [...problemsOf(operation)].map(([status, codes]) => {
      const plain = codes.every((code) => catalog[code].status === status)
      const name = codes.map(pascal).join('Or') + (plain ? '' : status)
      this.parts[name] ??= problemResponse(status, codes)
      return [String(status), refTo('responses', name)]
    })
    return Object.fromEntries(entries)
  }
}

/** A successful response, in JSON, and in CSV where the route has CSV. */
function success(
  { route, field, isWrite }: Operation,
  bodies: BodySchemas,
  example?: Example,
): Json {
  const tagged = route.method === 'GET' ? ['ETag'] : []
  const own = isWrite ? ['X-Idempotent-Replay', 'X-Idempotent-Skipped'] : tagged
  const linked = route.countedBy === undefined ? [] : ['Link']
  const csv = route.csv === undefined ? linked : ['Link', 'Content-Disposition']
  const shown = (value: unknown) => (value === undefined ? {} : { example: value })
  return {
    description: route.status === 202 ? 'The job waits for the worker.' : 'The response.',
    headers: headerRefs([...everyHeader, ...own, ...csv]),
    content: {
      'application/json': { schema: bodies.of(field.type), ...shown(example?.body) },
      ...(route.csv === undefined
        ? {}
        : { 'text/csv': { schema: { type: 'string' }, ...shown(example?.csv) } }),
    },
  }
}

/** All responses of an operation, by status. */
export function responsesOf(
  operation: Operation,
  parts: { bodies: BodySchemas; problems: ProblemResponses },
  example?: Example,
): Record<string, Json> {
  const { method, status = 200 } = operation.route
  return {
    [status]: success(operation, parts.bodies, example),
    ...(method === 'GET' ? { 304: refTo('responses', 'NotModified') } : {}),
    ...parts.problems.of(operation),
  }
}
