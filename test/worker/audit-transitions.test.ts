import { describe, expect, test } from 'vitest'
import type { CheckId, Verdict } from '../../core/checks/checks.ts'
import {
  type Decision,
  decideIssues,
  type IssueWrite,
  issueIdOf,
  type KnownIssue,
  type Subject,
} from '../../worker/audit/transitions.ts'

const projectId = '00000000-0000-4000-8000-000000000001'
const pageId = '00000000-0000-4000-8000-000000000002'
const [first, second] = [new Date('2026-06-01'), new Date('2026-06-02')]

function subject(verdict: Partial<Record<keyof Verdict, readonly CheckId[]>>): Subject {
  const findings = (verdict.findings ?? []).map((check) => {
    return { check, affectedCount: 2, evidence: [{ text: 'now' }] }
  })
  const { evaluated = [], superseded = [] } = verdict
  const decided = [...evaluated, ...(verdict.findings ?? [])]
  return {
    pageId,
    origin: null,
    reach: 7,
    urlOf: () => 'https://acme.com/a',
    verdict: { findings, evaluated: decided, superseded },
  }
}

const idFor = (check: string) => issueIdOf(projectId, { pageId, origin: null }, check)

function issue(check: string, state: Partial<KnownIssue> = {}): KnownIssue {
  return {
    id: idFor(check),
    projectId,
    pageId,
    origin: null,
    check,
    url: 'https://acme.com/a',
    severity: 'high',
    status: 'open',
    resolution: null,
    affectedCount: 1,
    reach: 1n,
    regressions: 0,
    decidedBy: 1n,
    ignoredReason: null,
    resolvedAt: null,
    firstSeenAt: first,
    lastSeenAt: first,
    openedAt: first,
    ...state,
  }
}

function decide(
  known: readonly KnownIssue[],
  verdict: Parameters<typeof subject>[0],
  options: Partial<Decision> = {},
): IssueWrite[] {
  const decision = {
    projectId,
    seq: 2n,
    startedAt: second,
    now: second,
    known: new Map(known.map((each) => [each.id, each])),
    isDecidedLater: () => false,
    isKnownPage: () => true,
    ...options,
  }
  return decideIssues(decision, [subject(verdict)])
}

const closed = (resolution: KnownIssue['resolution']) => {
  return { status: 'resolved', resolution, resolvedAt: first } as const
}

describe('an issue that an audit finds', () => {
  test('for the first time is open', () => {
    expect(decide([], { findings: ['title-missing'] })).toMatchObject([
      {
        id: idFor('title-missing'),
        status: 'open',
        severity: 'high',
        regressions: 0,
        affectedCount: 2,
        reach: 7n,
        firstSeenAt: second,
        openedAt: second,
        decidedBy: 2n,
      },
    ])
  })

  test.each([
    ['open', {}, { status: 'open', regressions: 0, openedAt: first }],
    ['fixed', closed('fixed'), { status: 'open', regressions: 1, openedAt: second }],
    ['superseded', closed('superseded'), { status: 'open', regressions: 0, openedAt: second }],
    ['ignored', closed('ignored'), { status: 'resolved', resolution: 'ignored' }],
  ] as const)('again, and that is %s', (_name, state, after) => {
    expect(decide([issue('title-missing', state)], { findings: ['title-missing'] })).toMatchObject([
      { ...after, id: idFor('title-missing'), firstSeenAt: first, lastSeenAt: second },
    ])
  })
})

describe('an open issue', () => {
  test.each([
    ['evaluated and not found', { evaluated: ['title-missing'] }, 'fixed'],
    ['replaced by another', { superseded: ['title-missing'] }, 'superseded'],
  ] as const)('that is %s resolves', (_name, verdict, resolution) => {
    expect(decide([issue('title-missing')], verdict)).toMatchObject([
      { status: 'resolved', resolution, resolvedAt: second, lastSeenAt: first },
    ])
  })

  test('that was not evaluated stays unchanged', () => {
    expect(decide([issue('title-missing')], { evaluated: ['h1-missing'] })).toEqual([])
  })
})

describe('an audit that ends after a later one', () => {
  test('neither opens, resolves nor changes an issue that the later one decided', () => {
    const later = { decidedBy: 3n }
    const known = [
      issue('title-missing', later),
      issue('h1-missing', { ...later, ...closed('fixed') }),
    ]
    const verdict = { evaluated: ['title-missing'], findings: ['h1-missing'] } as const
    expect(decide(known, verdict)).toEqual([])
  })

  test('opens no issue that the later one looked for', () => {
    const isDecidedLater = (id: string) => id === idFor('title-missing')
    expect(decide([], { findings: ['title-missing'] }, { isDecidedLater })).toEqual([])
  })

  test('a resolved issue remembers the newest audit that did not find it', () => {
    const known = [issue('title-missing', closed('fixed'))]
    expect(decide(known, { evaluated: ['title-missing'] })).toMatchObject([
      { status: 'resolved', resolvedAt: first, decidedBy: 2n },
    ])
  })
})
