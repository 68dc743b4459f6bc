import { describe, expect, test } from 'vitest'
import { graphProblems } from '../../core/data/graph-problems.ts'
import {
  catalog,
  type ErrorCode,
  engineDown,
  Fault,
  type FaultExtras,
  invalid,
  notFound,
} from '../../core/errors.ts'
import { problemBody } from '../../core/problem.ts'
import { assertProblem, codeRules, members } from '../kit/rest/problem-schema.ts'

const where = {
  requestId: '7c9e6679-7425-40de-944b-e07fc1f90ae7',
  baseUrl: 'https://sightline.example.com',
}
/** The codes of the contract: those of `/graphql` alone are not in it. */
const codes = (Object.keys(catalog) as ErrorCode[]).filter((code) => !(code in graphProblems))

/** What whoever throws the code must say with it. */
const extrasOf: Partial<Record<ErrorCode, FaultExtras>> = {
  plan_upgrade_required: { requiresUpgrade: true },
  query_timeout: { timeout: true },
  quota_exceeded: { quotaExceeded: true, current: 50, limit: 50, requested: 3 },
  bulk_limit_exceeded: { bulkLimitExceeded: true, requested: 30, maxAllowed: 25 },
  stale_revision: { currentRevision: 4 },
  invalid_argument: { details: { formErrors: [], fieldErrors: { days: ['must be at least 1'] } } },
}

function bodyOf(code: ErrorCode, options: { status?: number; retryable?: boolean } = {}) {
  const extras = extrasOf[code] ?? {}
  return problemBody(new Fault(code, 'What happened.', { extras, ...options }), where)
}

describe('the catalog', () => {
  test('has the codes of the contract, and their statuses', () => {
    expect(new Set(codes)).toEqual(new Set(Object.keys(codeRules)))
    for (const code of codes) expect(codeRules[code]?.status).toContain(catalog[code].status)
  })

  test('tells of every code what it is, in a line of its own', () => {
    const titles = codes.map((code) => catalog[code].title)
    expect(new Set(titles).size).toBe(codes.length)
    for (const code of codes) expect(catalog[code].when).toMatch(/\.\)?$/)
  })
})

describe('the body of a problem', () => {
  test.each(codes)('%s has the fields and types of the contract', (code) => {
    const body = JSON.parse(JSON.stringify(bodyOf(code)))
    expect(assertProblem(body)).toMatchObject({
      type: `https://sightline.example.com/docs/errors#${code}`,
      title: catalog[code].title,
      status: catalog[code].status,
      code,
      error: 'What happened.',
      message: 'What happened.',
      requestId: where.requestId,
      ...extrasOf[code],
    })
  })

  test.each(codes)('%s has its fields in the order of the contract', (code) => {
    const given = Object.keys(bodyOf(code))
    expect(given).toEqual(Object.keys(members).filter((name) => given.includes(name)))
  })

  test.each([
    ['no_workspace', { status: 400 }],
    ['internal_error', { status: 502, retryable: true }],
  ] as const)('%s in its other status is a problem too', (code, options) => {
    expect(assertProblem(bodyOf(code, options)).status).toBe(options.status)
  })

  test('says how to fix it exactly where the catalog knows a way', () => {
    for (const code of codes) expect('howToFix' in bodyOf(code)).toBe('howToFix' in catalog[code])
    expect(bodyOf('not_found')).not.toHaveProperty('howToFix')
  })

  test('says that it may be sent again on these alone, and never false', () => {
    const retryable = codes.filter((code) => 'retryable' in bodyOf(code))
    expect(retryable).toEqual(['rate_limited', 'idempotency_in_flight', 'query_timeout'])
  })
})

describe('the faults that are made in many places', () => {
  test('invalid names the field, in the message and in the details', () => {
    expect(
      assertProblem(problemBody(invalid('days', 'must be at least 1', 0), where)),
    ).toMatchObject({
      status: 400,
      message: '`days` must be at least 1; got `0`.',
      details: { formErrors: [], fieldErrors: { days: ['must be at least 1; got `0`'] } },
    })
  })

  test('notFound is the same for whatever is not there', () => {
    const [one, other] = [problemBody(notFound(), where), problemBody(notFound(), where)]
    expect(assertProblem(one)).toEqual(other)
  })

  test('engineDown is 502 and retryable, and keeps what happened to itself', () => {
    const fault = engineDown(new Error('connect ECONNREFUSED 10.0.0.7:5432'))
    const body = assertProblem(problemBody(fault, where))
    expect(body).toMatchObject({ code: 'internal_error', status: 502, retryable: true })
    expect(JSON.stringify(body)).not.toContain('10.0.0.7')
  })
})

describe('the schema of problems refuses', () => {
  const good = bodyOf('not_found')

  test.each([
    ['a member that the contract does not name', { ...good, stack: 'at …' }],
    ['the detail of RFC 9457, which the contract calls message', { ...good, detail: 'x' }],
    ['a member of another code', { ...good, timeout: true }],
    ['currentRevision elsewhere than on stale_revision', { ...good, currentRevision: 4 }],
    ['an unknown code', { ...good, code: 'teapot', type: 'https://x.example/docs/errors#teapot' }],
    ['a status of another code', { ...good, status: 403 }],
    ['a type that is anchored to another code', { ...good, type: 'https://x.example/#forbidden' }],
    ['a type that is no absolute URI', { ...good, type: '/docs/errors#not_found' }],
    ['an error that is not the message', { ...good, error: 'Else.' }],
    ['a request id that is no UUID', { ...good, requestId: 'abc' }],
    ['a status in words', { ...good, status: '404' }],
    ['retryable: false', { ...bodyOf('rate_limited'), retryable: false }],
    ['a 500 that claims to be retryable', { ...bodyOf('internal_error'), retryable: true }],
    ['a 502 that is not retryable', bodyOf('internal_error', { status: 502 })],
    ['details without formErrors', { ...bodyOf('invalid_argument'), details: { fieldErrors: {} } }],
    ['null', null],
    ['a list', [good]],
  ])('%s', (_name, body) => {
    expect(() => assertProblem(body)).toThrow(/^Not a problem of the contract/)
  })

  test.each(['type', 'title', 'status', 'code', 'error', 'message', 'requestId'])(
    'a body without %s',
    (name) => {
      const rest = Object.fromEntries(Object.entries(good).filter(([key]) => key !== name))
      expect(() => assertProblem(rest)).toThrow(/^Not a problem of the contract/)
    },
  )

  test.each(
    Object.entries(codeRules).flatMap(([code, { has = [] }]) => has.map((name) => [code, name])),
  )('%s without %s', (code, name) => {
    const body = Object.entries(bodyOf(code as ErrorCode)).filter(([key]) => key !== name)
    expect(() => assertProblem(Object.fromEntries(body))).toThrow(/^Not a problem of the contract/)
  })
})
