import { catalog, type ErrorCode, Fault } from '../../core/errors.ts'
import { problemBody } from '../../core/problem.ts'
import type { Operation } from '../handler/operation.ts'
import { problemsOf } from './problems.ts'
import { type BodySchemas, type Json, type Parts, refTo } from './schemas.ts'

/** What an operation of the demonstration was asked, and what it answered. */
export interface Example {
  readonly request?: unknown
  readonly body: unknown
  readonly csv?: string
}

const text = { type: 'string' }
const count = { type: 'integer', minimum: 0 }

/** Headers of answers. Those that are always there are required. */
export const headers: Parts = {
  'X-Request-Id': {
    description: 'Finds the request in the log. Also `requestId` of a problem.',
    required: true,
    schema: { type: 'string', format: 'uuid' },
  },
  RateLimit: {
    description:
      'Requests that remain (`r`) and seconds until there are all again (`t`): `"default";r=599;t=60`. This and the other headers of the rate are absent while it cannot be counted.',
    schema: { type: 'string', pattern: '^"default";r=\\d+;t=\\d+$' },
  },
  'RateLimit-Policy': {
    description: 'Requests (`q`) that a key has in a window of seconds (`w`).',
    schema: { type: 'string', pattern: '^"default";q=\\d+;w=\\d+$' },
  },
  'X-RateLimit-Limit': { description: 'Requests that a key has in a window.', schema: count },
  'X-RateLimit-Remaining': { description: 'Requests that remain of them.', schema: count },
  'X-RateLimit-Reset': {
    description: 'When there are all again, in seconds since 1970.',
    schema: count,
  },
  ETag: {
    description: 'Names this very answer, for `If-None-Match`.',
    required: true,
    schema: { type: 'string', pattern: '^(W/)?"[^"]*"$' },
  },
  'Retry-After': { description: 'Seconds to wait before the next try.', schema: count },
  'WWW-Authenticate': {
    description: 'How to authenticate.',
    required: true,
    schema: { type: 'string', const: 'Bearer' },
  },
  'X-Idempotent-Replay': {
    description: 'Present when this is the answer to an earlier request with the same key.',
    schema: { type: 'string', const: 'true' },
  },
  'X-Idempotent-Skipped': {
    description:
      'Present when the answer was too long to be kept: the same request would run again.',
    schema: { type: 'string', const: 'body-too-large' },
  },
  Link: {
    description: 'Of CSV alone: where the next page is, `<…>; rel="next"` (RFC 8288).',
    schema: text,
  },
  'Content-Disposition': { description: 'Of CSV alone: the name of a file.', schema: text },
}

const always = [
  'X-Request-Id',
  'RateLimit',
  'RateLimit-Policy',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
]

const headerRefs = (names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, refTo('headers', name)]))

/** `plan_upgrade_required` becomes `PlanUpgradeRequired`. */
function pascal(code: string): string {
  const words = code.toLowerCase().split('_')
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')
}

function headersOf(status: number, codes: readonly ErrorCode[]): Json {
  if (status === 401) return headerRefs([...always, 'WWW-Authenticate'])
  // Of a job that must be waited for; and while the API itself starts again.
  const waits = codes.includes('idempotency_in_flight') || status === 502
  const own = waits ? headerRefs(['Retry-After']) : {}
  const required =
    status === 429 ? { 'Retry-After': { ...headers['Retry-After'], required: true } } : {}
  return { ...headerRefs(always), ...own, ...required }
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
  description: 'What `If-None-Match` names is still right. There is no body.',
  headers: headerRefs([...always, 'ETag']),
}

/** Problems as operations refer to them: those of the same codes are one part, which they name. */
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

/** An answer of success, in JSON and where there is CSV in CSV. */
function success(
  { route, field, isWrite }: Operation,
  bodies: BodySchemas,
  example?: Example,
): Json {
  const tagged = route.method === 'GET' ? ['ETag'] : []
  const own = isWrite ? ['X-Idempotent-Replay', 'X-Idempotent-Skipped'] : tagged
  const csv = route.csv === undefined ? [] : ['Link', 'Content-Disposition']
  const shown = (value: unknown) => (value === undefined ? {} : { example: value })
  return {
    description: route.status === 202 ? 'It is begun.' : 'The answer.',
    headers: headerRefs([...always, ...own, ...csv]),
    content: {
      'application/json': { schema: bodies.of(field.type), ...shown(example?.body) },
      ...(route.csv === undefined
        ? {}
        : { 'text/csv': { schema: { type: 'string' }, ...shown(example?.csv) } }),
    },
  }
}

/** Whatever an operation can answer, by status. */
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
