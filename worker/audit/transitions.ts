import { type CheckId, checkOf, type Verdict } from '../../core/checks/checks.ts'
import { idOf } from '../../core/ids.ts'
import type { Db } from '../../prisma/client.ts'

type Row = NonNullable<Awaited<ReturnType<Db['issue']['findFirst']>>>

/** A stored issue, as far as an audit reads it. */
export type KnownIssue = Omit<Row, 'evidence'>

/** A page, or the site at an origin, with the verdict of an audit. */
export interface Subject {
  readonly pageId: string | null
  /** Scheme, host and port; null for a page. */
  readonly origin: string | null
  readonly reach: number
  /** The URL of the issue of each finding. */
  readonly urlOf: (check: CheckId) => string
  readonly verdict: Verdict
}

/** The audit that decides, and the state of the project at its end. */
export interface Decision {
  readonly projectId: string
  readonly seq: bigint
  /** Start of the audit: the time at which its findings were seen. */
  readonly startedAt: Date
  /** End of the audit: the time of transitions. */
  readonly now: Date
  /** The issues of the subjects, by id. */
  readonly known: ReadonlyMap<string, KnownIssue>
  /** Whether a later audit decided a check of a subject, by the id of the issue. */
  readonly isDecidedLater: (issueId: string) => boolean
  readonly isKnownPage: (pageId: string) => boolean
}

/** An issue after the audit. `evidence` is absent where it stays. */
export interface IssueWrite extends Omit<Row, 'evidence'> {
  readonly evidence?: Verdict['findings'][number]['evidence']
}

export const issueIdOf = (
  projectId: string,
  { pageId, origin }: Pick<Subject, 'pageId' | 'origin'>,
  check: string,
) => idOf(projectId, 'issue', pageId ?? origin ?? '', check)

const opened = (at: Date) => ({
  ...({ status: 'open', resolution: null, resolvedAt: null, ignoredReason: null } as const),
  openedAt: at,
})

/** The state of a known issue that an audit found. */
function foundState(issue: KnownIssue, now: Date): Partial<KnownIssue> {
  if (issue.status === 'open' || issue.resolution === 'ignored') return {}
  const isRegression = issue.resolution === 'fixed'
  return { ...opened(now), regressions: issue.regressions + (isRegression ? 1 : 0) }
}

function foundIssues(decision: Decision, subject: Subject): IssueWrite[] {
  const { projectId, seq, startedAt, now, known, isDecidedLater } = decision
  const { pageId, origin, reach, urlOf, verdict } = subject
  return verdict.findings.flatMap(({ check, affectedCount, evidence }) => {
    const id = issueIdOf(projectId, subject, check)
    if (isDecidedLater(id)) return []
    const before = known.get(id)
    if (before !== undefined && before.decidedBy > seq) return []
    const { severity } = checkOf(check)
    const seen = {
      severity,
      url: urlOf(check),
      affectedCount,
      reach: BigInt(reach),
      evidence,
      lastSeenAt: startedAt,
      decidedBy: seq,
    }
    if (before !== undefined) return [{ ...before, ...seen, ...foundState(before, now) }]
    const fresh = { ...opened(now), firstSeenAt: startedAt, regressions: 0 }
    return [{ id, projectId, pageId, origin, check, ...seen, ...fresh }]
  })
}

/** Known issues of a subject that the audit decided without finding them. */
function goneIssues({ projectId, seq, now, known }: Decision, subject: Subject): IssueWrite[] {
  const { findings, evaluated, superseded } = subject.verdict
  const found = new Set(findings.map(({ check }) => check))
  const replaced = new Set(superseded)
  return [...new Set([...evaluated, ...superseded])].flatMap((check) => {
    const before = known.get(issueIdOf(projectId, subject, check))
    if (found.has(check) || before === undefined || before.decidedBy > seq) return []
    const decided = { ...before, decidedBy: seq }
    if (before.status !== 'open') return [decided]
    const resolution = replaced.has(check) ? ('superseded' as const) : ('fixed' as const)
    return [{ ...decided, status: 'resolved' as const, resolution, resolvedAt: now }]
  })
}

/** The issues that an audit changes. An audit never overrules a later one. */
export function decideIssues(decision: Decision, subjects: readonly Subject[]): IssueWrite[] {
  const living = subjects.filter(({ pageId }) => pageId === null || decision.isKnownPage(pageId))
  return [
    ...living.flatMap((subject) => foundIssues(decision, subject)),
    ...living.flatMap((subject) => goneIssues(decision, subject)),
  ]
}
