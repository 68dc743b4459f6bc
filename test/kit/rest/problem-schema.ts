import { Ajv2020, type SchemaObject } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { ProblemBody } from '../../../core/problem.ts'

/** A problem object, after RFC 9457, appendix A. */
const rfc9457: SchemaObject = {
  type: 'object',
  properties: {
    type: { type: 'string', format: 'uri-reference' },
    title: { type: 'string' },
    status: { type: 'integer', minimum: 100, maximum: 599 },
    detail: { type: 'string' },
    instance: { type: 'string', format: 'uri-reference' },
  },
}

const text = { type: 'string', minLength: 1 }
const count = { type: 'integer', minimum: 0 }
const yes = { const: true }
const messages = { type: 'array', items: text }

/** The contract's table of members, in its order, and `currentRevision`, which it adds for one code. */
export const members: Readonly<Record<string, SchemaObject>> = {
  type: { type: 'string', format: 'uri' },
  title: text,
  status: { type: 'integer' },
  code: text,
  error: { const: { $data: '1/message' } },
  message: text,
  howToFix: text,
  requestId: { type: 'string', format: 'uuid' },
  requiresUpgrade: yes,
  retryable: yes,
  timeout: yes,
  quotaExceeded: yes,
  current: count,
  limit: count,
  bulkLimitExceeded: yes,
  requested: count,
  maxAllowed: count,
  currentRevision: { type: 'integer', minimum: 1 },
  details: {
    type: 'object',
    properties: {
      formErrors: messages,
      fieldErrors: { type: 'object', additionalProperties: { ...messages, minItems: 1 } },
    },
    required: ['formErrors', 'fieldErrors'],
    additionalProperties: false,
  },
}

/** Members that every problem has. */
const base = ['type', 'title', 'status', 'code', 'error', 'message', 'requestId']

interface CodeRule {
  readonly status: readonly number[]
  /** Members that a problem of this code always has. */
  readonly has?: readonly string[]
  /** Members that it may have. All others of the table stand on other codes alone. */
  readonly may?: readonly string[]
}

/** The contract's table of codes: which status, and which members beside the base. */
export const codeRules: Readonly<Record<string, CodeRule>> = {
  unauthorized: { status: [401] },
  forbidden: { status: [403] },
  missing_scope: { status: [403] },
  plan_upgrade_required: { status: [403], has: ['requiresUpgrade'] },
  not_found: { status: [404] },
  method_not_allowed: { status: [405] },
  payload_too_large: { status: [413] },
  unsupported_media_type: { status: [415] },
  // The statuses beside 400 are of requests that never reach an operation.
  invalid_argument: { status: [400, 408, 417, 431], may: ['details'] },
  invalid_country: { status: [400], may: ['details'] },
  no_domain: { status: [400] },
  no_workspace: { status: [400, 403] },
  no_pages: { status: [400] },
  bulk_limit_exceeded: {
    status: [400],
    has: ['bulkLimitExceeded', 'requested', 'maxAllowed'],
  },
  quota_exceeded: {
    status: [403],
    has: ['quotaExceeded', 'current', 'limit'],
    may: ['requested'],
  },
  project_not_runnable: { status: [403] },
  pitch_not_supported: { status: [403] },
  rate_limited: { status: [429], has: ['retryable'] },
  idempotency_in_flight: { status: [409], has: ['retryable'] },
  idempotency_conflict: { status: [409] },
  stale_revision: { status: [409], has: ['currentRevision'] },
  INACTIVE_PITCH_PROMPT_MUTATION: { status: [409] },
  query_timeout: { status: [504], has: ['retryable', 'timeout'] },
  query_too_large: { status: [400] },
  gsc_not_connected: { status: [409] },
  gsc_site_not_linked: { status: [404] },
  gsc_access_denied: { status: [403] },
  ga4_not_connected: { status: [409] },
  traffic_not_connected: { status: [409] },
  internal_error: { status: [500, 502], may: ['retryable'] },
}

function ruleOf([code, { status, has = [], may = [] }]: [string, CodeRule]): SchemaObject {
  const allowed = new Set([...base, 'howToFix', ...has, ...may])
  return {
    if: { properties: { code: { const: code } } },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: {
      properties: {
        status: { enum: status },
        type: { pattern: `#${code}$` },
        ...Object.fromEntries(
          Object.keys(members).flatMap((name) => (allowed.has(name) ? [] : [[name, false]])),
        ),
      },
      required: has,
    },
  }
}

/** The 502 of `internal_error` may be sent again, the 500 may not. */
const engineRule: SchemaObject = {
  if: { properties: { code: { const: 'internal_error' }, status: { const: 502 } } },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: { required: ['retryable'] },
  else: {
    if: { properties: { code: { const: 'internal_error' } } },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: { properties: { retryable: false } },
  },
}

const problemSchema: SchemaObject = {
  allOf: [
    rfc9457,
    {
      type: 'object',
      properties: { ...members, code: { enum: Object.keys(codeRules) } },
      required: base,
      additionalProperties: false,
    },
    ...Object.entries(codeRules).map(ruleOf),
    engineRule,
  ],
}

const ajv = new Ajv2020({
  allErrors: true,
  strict: true,
  strictTypes: false,
  strictRequired: false,
  $data: true,
})
addFormats.default(ajv)
const validate = ajv.compile<ProblemBody>(problemSchema)

/** Everything that is wrong with a body as a problem of the contract. */
export function problemFaults(body: unknown): string[] {
  if (validate(body)) return []
  return (validate.errors ?? []).map(({ instancePath, message, params }) =>
    [instancePath || 'the body', message, JSON.stringify(params)].join(' '),
  )
}

/** The body as a problem of the contract; fails the test with everything that is wrong with it. */
export function assertProblem(body: unknown): ProblemBody {
  const faults = problemFaults(body)
  if (faults.length === 0) return body as ProblemBody
  throw new Error(`Not a problem of the contract: ${faults.join('; ')}\n${JSON.stringify(body)}`)
}
