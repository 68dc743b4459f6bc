import type { CheckCategory, Evidence } from '../../core/checks/check.ts'
import { describeFinding, findCheck } from '../../core/checks/checks.ts'
import { notFound } from '../../core/errors.ts'
import { type PageArgs, pagination } from '../../core/pagination.ts'
import { isUuid } from '../../core/uuid.ts'
import type { Db } from '../../prisma/client.ts'
import { type Choice, chosen } from '../shared/lists/choice.ts'
import { followsRow } from '../shared/lists/keyset.ts'
import type { ProjectScope } from '../shared/scope.ts'

export type IssueRow = NonNullable<Awaited<ReturnType<Db['issue']['findFirst']>>>

/** A fault of a page or of the site, with the texts of its check. */
export interface Issue extends Omit<IssueRow, 'reach' | 'evidence' | 'decidedBy' | 'check'> {
  /** Id of the check that finds it. */
  readonly type: string
  readonly reach: number
  readonly evidence: Evidence
  readonly category: CheckCategory
  readonly title: string
  readonly description: string
  readonly howToFix: string
}

export type Severity = IssueRow['severity']
type IssueState = IssueRow['status'] | 'all'

export interface IssueListArgs extends PageArgs {
  readonly severity?: Choice<Severity>
  readonly status?: Choice<IssueState>
  readonly pageId?: string | null | undefined
}

/** The texts of a check that the catalogue no longer has. */
function retired(id: string) {
  return {
    category: 'technical',
    title: id,
    description: 'No audit makes this check any more.',
    howToFix: 'Nothing needs to be done.',
  } as const
}

function textsOf(id: string, n: number, evidence: Evidence) {
  const check = findCheck(id)
  if (!check) return retired(id)
  const { category, title, howToFix } = check
  return { category, title, description: describeFinding(check, n, evidence), howToFix }
}

export function issueOf({ decidedBy: _, check: type, reach, evidence, ...row }: IssueRow): Issue {
  const found = evidence as Evidence
  return {
    ...row,
    type,
    reach: Number(reach),
    evidence: found,
    ...textsOf(type, row.affectedCount, found),
  }
}

/** A page that was removed keeps its issues, so it is still found by them. */
async function requirePage({ db, project }: ProjectScope, pageId: string): Promise<void> {
  const projectId = project.id
  if (!isUuid(pageId)) throw notFound(pageId)
  const page = await db.page.findUnique({ where: { id: pageId, projectId }, select: { id: true } })
  if (page) return
  const issue = await db.issue.findFirst({ where: { projectId, pageId }, select: { id: true } })
  if (!issue) throw notFound(pageId)
}

interface Count {
  readonly key: string
  readonly count: number
}

function countsBy(rows: readonly Count[]): Count[] {
  const groups = Map.groupBy(rows, ({ key }) => key)
  return [...groups]
    .map(([key, group]) => ({ key, count: group.reduce((sum, { count }) => sum + count, 0) }))
    .sort((a, b) => b.count - a.count || (a.key < b.key ? -1 : 1))
}

/** The most severe first, then those of most reach. */
const order = [
  ['severity', 'asc', ['critical', 'high', 'medium', 'low']],
  ['reach', 'desc'],
  ['url', 'asc'],
  ['check', 'asc'],
  ['id', 'asc'],
] as const
const orderBy = order.map(([name, direction]) => ({ [name]: direction }))

/** The open issues of each page, in the order of `pageIds`. */
export async function openIssues(db: Db, pageIds: readonly string[]): Promise<Issue[][]> {
  const where = { pageId: { in: [...pageIds] }, status: 'open' as const }
  const rows = await db.issue.findMany({ where, orderBy })
  const byPage = Map.groupBy(rows, ({ pageId }) => pageId)
  return pageIds.map((id) => (byPage.get(id) ?? []).map(issueOf))
}

/** Issues by id, in the order of `ids`; null where unknown. */
export async function issuesById(db: Db, ids: readonly string[]): Promise<(Issue | null)[]> {
  const rows = await db.issue.findMany({ where: { id: { in: [...ids] } } })
  const byId = new Map(rows.map((row) => [row.id, issueOf(row)]))
  return ids.map((id) => byId.get(id) ?? null)
}

/** Counts of issues by severity and by check. */
export interface IssueSummary {
  readonly total: number
  readonly bySeverity: Readonly<Record<Severity, number>>
  /** Most first. */
  readonly types: readonly Count[]
}

async function summaryOf(db: Db, where: object): Promise<IssueSummary> {
  const groups = await db.issue.groupBy({ by: ['severity', 'check'], where, _count: true })
  const rows = groups.map(({ severity, check, _count: count }) => ({ severity, check, count }))
  const severities = countsBy(rows.map(({ severity: key, count }) => ({ key, count })))
  const of = (severity: Severity) => severities.find(({ key }) => key === severity)?.count ?? 0
  return {
    total: rows.reduce((sum, { count }) => sum + count, 0),
    bySeverity: {
      critical: of('critical'),
      high: of('high'),
      medium: of('medium'),
      low: of('low'),
    },
    types: countsBy(rows.map(({ check: key, count }) => ({ key, count }))),
  }
}

/**
 * A page of the issues of a project: the most severe first, then those of most reach.
 * @throws {Fault} `not_found` for the page
 */
export async function issues(
  scope: ProjectScope,
  { severity, status, pageId, limit, offset, afterKey }: IssueListArgs,
) {
  const { db, project } = scope
  if (pageId != null) await requirePage(scope, pageId)
  const severities = chosen(severity)
  const wanted = chosen(status) ?? ['open']
  const statuses = wanted.filter((state) => state !== 'all')
  const where = {
    projectId: project.id,
    ...(statuses.length < wanted.length ? {} : { status: { in: statuses } }),
    ...(severities && { severity: { in: [...severities] } }),
    ...(pageId == null ? {} : { pageId }),
  }
  const [rows, summary] = await Promise.all([
    db.issue.findMany({
      where: { ...where, ...followsRow(order, afterKey) },
      orderBy,
      take: limit,
      skip: offset,
    }),
    summaryOf(db, where),
  ])
  return {
    scope,
    summary,
    pagination: pagination({ limit, offset }, rows.length, summary.total),
    issues: rows.map(issueOf),
  }
}

/**
 * One issue.
 * @throws {Fault} `not_found`
 */
export async function issue({ db, project }: ProjectScope, issueId: string): Promise<Issue> {
  const where = { id: issueId, projectId: project.id }
  const found = isUuid(issueId) ? await db.issue.findUnique({ where }) : null
  if (!found) throw notFound()
  return issueOf(found)
}
