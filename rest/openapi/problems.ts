import { graphProblems } from '../../core/data/graph-problems.ts'
import { catalog, type ErrorCode } from '../../core/errors.ts'
import type { ProblemBody } from '../../core/problem.ts'
import type { Operation } from '../handler/operation.ts'
import type { Json } from './schemas.ts'

/** Which codes an operation can answer with, by status. */
export type Problems = ReadonlyMap<number, readonly ErrorCode[]>

/** A fact about operations, and the codes that follow from it. */
type Fact = readonly [holds: (operation: Operation) => boolean, codes: readonly ErrorCode[]]

const takes =
  (...names: readonly string[]) =>
  ({ field }: Operation) =>
    field.args.some(({ name }) => names.includes(name))

const hasBody = ({ route }: Operation) => route.method !== 'GET'

/** Refusals of the work itself are in the schema, as `problems` of the field. */
const facts: readonly Fact[] = [
  [() => true, ['unauthorized', 'rate_limited', 'missing_scope', 'internal_error']],
  // The plan of the key's workspace may have no API keys.
  [() => true, ['plan_upgrade_required']],
  // Even a read without parameters refuses `format=csv` where there is none.
  [() => true, ['invalid_argument']],
  [({ route }) => route.path.includes('{projectId}'), ['not_found', 'forbidden']],
  [takes('country'), ['invalid_country']],
  // A report with a window counts facts in the warehouse, within a time budget.
  [
    (operation) => !operation.isWrite && takes('days', 'weeks', 'window')(operation),
    ['query_timeout'],
  ],
  [({ isWrite }) => !isWrite, ['query_too_large']],
  [hasBody, ['payload_too_large', 'unsupported_media_type']],
  [({ isWrite }) => isWrite, ['idempotency_in_flight', 'idempotency_conflict']],
  [({ isConditional }) => isConditional, ['stale_revision']],
  [({ access }) => access.grant === 'prompt:draft', ['INACTIVE_PITCH_PROMPT_MUTATION']],
  // Jobs of the worker.
  [({ access }) => access.grant === 'write', ['project_not_runnable', 'no_workspace']],
]

/**
 * An engine that does not answer is 502, with the code of any other failure. `no_workspace` is 400 where the
 * operations of jobs answer it.
 */
function statusesOf(code: ErrorCode): readonly number[] {
  if (code === 'internal_error') return [catalog[code].status, 502]
  return [code === 'no_workspace' ? 400 : catalog[code].status]
}

/** The codes that an operation can answer with, by status, both in their order. */
export function problemsOf(operation: Operation): Problems {
  const declared = (operation.field.extensions.problems ?? []) as readonly ErrorCode[]
  const known = new Set(facts.flatMap(([holds, codes]) => (holds(operation) ? codes : [])))
  const codes = (Object.keys(catalog) as ErrorCode[]).filter(
    (code) => known.has(code) || declared.includes(code),
  )
  const pairs = codes.flatMap((code) => statusesOf(code).map((status) => ({ code, status })))
  const byStatus = Map.groupBy(pairs, ({ status }) => status)
  return new Map(
    [...byStatus]
      .sort(([a], [b]) => a - b)
      .map(([status, found]) => [status, found.map(({ code }) => code)]),
  )
}

const yes = (description: string): Json => ({ const: true, description })
const count = (description: string): Json => ({ type: 'integer', minimum: 0, description })
const text = (description: string): Json => ({ type: 'string', description })
const messages = { type: 'array', items: { type: 'string' } }

const base = {
  type: { type: 'string', format: 'uri', description: 'A page about the code.' },
  title: text('What the code means.'),
  status: { type: 'integer', description: 'The status of the answer.' },
  code: {
    type: 'string',
    enum: Object.keys(catalog).filter((code) => !(code in graphProblems)),
    description: 'Branch on it: it never changes.',
  },
  error: text('The same as `message`, for old clients.'),
  message: text('What is wrong, for a person.'),
  requestId: {
    type: 'string',
    format: 'uuid',
    description: 'Finds the request in the log. Also in `X-Request-Id`.',
  },
} as const satisfies Partial<Record<keyof ProblemBody, Json>>

type GraphMember = 'cost' | 'maxCost' | 'cheaper'

const extras: Record<Exclude<keyof ProblemBody, keyof typeof base | GraphMember>, Json> = {
  howToFix: text('What to do about it.'),
  retryable: yes('The same request may be sent again, later.'),
  requiresUpgrade: yes('Another plan has it.'),
  timeout: yes('With `query_timeout`.'),
  quotaExceeded: yes('With `quota_exceeded`.'),
  current: count('What is used of the quota.'),
  limit: count('What the plan allows.'),
  bulkLimitExceeded: yes('With `bulk_limit_exceeded`.'),
  requested: count('What was asked for.'),
  maxAllowed: count('What may be asked for at once.'),
  currentRevision: {
    type: 'integer',
    minimum: 1,
    description: 'With `stale_revision`: the revision that the prompt has.',
  },
  details: {
    type: 'object',
    description: 'Which fields of the request are wrong, and how.',
    properties: {
      formErrors: { ...messages, description: 'About the request as a whole.' },
      fieldErrors: {
        type: 'object',
        description: 'By field: `prompts.3.text`.',
        additionalProperties: messages,
      },
    },
    required: ['formErrors', 'fieldErrors'],
    additionalProperties: false,
  },
}

/** The body of every answer that is not 2xx or 304. */
export const problemSchema: Json = {
  type: 'object',
  description: 'What went wrong (RFC 9457).',
  properties: { ...base, ...extras },
  required: Object.keys(base),
  additionalProperties: false,
}
