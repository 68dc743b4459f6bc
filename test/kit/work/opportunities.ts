import { randomUUID } from 'node:crypto'
import { findCheck } from '../../../core/checks/checks.ts'
import type { Catalog } from '../../../prisma/client.ts'
import {
  negativeTopics,
  platformGaps,
  promptGaps,
} from '../../../resolvers/opportunities/answer-rules.ts'
import { type Basis, basisOf, type Finding } from '../../../resolvers/opportunities/basis.ts'
import { visibilityDeclines } from '../../../resolvers/opportunities/decline-rule.ts'
import { searchDemand, uncoveredQueries } from '../../../resolvers/opportunities/demand-rules.ts'
import { evaluateOpportunities } from '../../../resolvers/opportunities/evaluate.ts'
import {
  citedPagesWithIssues,
  countTracked,
  issuesOfCited,
  siteIssues,
  unreadablePages,
  widespreadIssues,
} from '../../../resolvers/opportunities/issue-rules.ts'
import {
  competitorOnlyDomains,
  crawledNeverCited,
  lostCitations,
  ownCitations,
} from '../../../resolvers/opportunities/source-rules.ts'
import { foundOf } from '../../../resolvers/opportunities/transitions.ts'
import { jobScope } from '../../../resolvers/shared/job-scope.ts'
import { wordingsOf } from '../../../resolvers/suggestions/suggestions.ts'
import type { AnswerLine, TestApi } from '../api.ts'

/** The window ends on 30 May 2025: it begins on 1 May, and the window before on 1 April. */
export const evaluationTime = new Date('2025-05-31T03:00:00Z')

/** The same answer several times, one a minute. The day of April or May is by window. */
export function answers(
  times: number,
  line: AnswerLine,
  { before = false, day = 10 }: { before?: boolean; day?: number } = {},
): AnswerLine[] {
  const start = Date.UTC(2025, before ? 3 : 4, day)
  return Array.from({ length: times }, (_, i) => ({
    ...line,
    // Answers of one prompt and platform differ by time.
    collectedAt: new Date(start + (i + 1) * 60_000).toISOString(),
  }))
}

type Stores = Pick<TestApi, 'db' | 'warehouse'>

/** Evaluates the rules of a project as a worker does. */
export async function evaluate(
  api: Stores,
  projectId: string,
  now = evaluationTime,
): Promise<number> {
  const scope = await jobScope(api, projectId, now)
  if (scope === null) throw new Error(`no project ${projectId}`)
  return evaluateOpportunities(scope, now)
}

/** The opportunities of a rule, in any state, highest score first. */
export function stored(api: TestApi, projectId: string, rule?: string) {
  return api.db.opportunity.findMany({
    where: { projectId, ...(rule === undefined ? {} : { rule }) },
    orderBy: [{ score: 'desc' }, { id: 'asc' }],
  })
}

/** The rules by name. Each reads its own facts: a test of one pays for no other. */
const rules: Readonly<Record<string, (basis: Basis) => Promise<Finding[]>>> = {
  'prompt-gap': promptGaps,
  'platform-gap': platformGaps,
  'negative-topic': negativeTopics,
  'visibility-decline': visibilityDeclines,
  'competitor-only-domain': competitorOnlyDomains,
  'crawled-never-cited': async (basis) => crawledNeverCited(basis, await ownCitations(basis)),
  'widespread-issue': async (basis) => widespreadIssues(basis, await ownCitations(basis)),
  'lost-citation': async (basis) => {
    const cited = await ownCitations(basis)
    return lostCitations(cited, unreadablePages(await issuesOfCited(basis, cited)))
  },
  'cited-page-with-issues': async (basis) => {
    const cited = await ownCitations(basis)
    const issues = await issuesOfCited(basis, cited)
    return citedPagesWithIssues(cited, issues, await countTracked(basis))
  },
  'site-issue': async (basis) => siteIssues(basis, await ownCitations(basis)),
  'query-without-page': async (basis) => uncoveredQueries(basis, await wordingsOf(basis.scope)),
  'untracked-question': async (basis) => uncoveredQueries(basis, await wordingsOf(basis.scope)),
  'search-demand': async (basis) => searchDemand(basis, await wordingsOf(basis.scope)),
}

/** What a rule finds in a project, as it would be stored, highest score first. */
export async function found(api: Stores, projectId: string, rule: string, now = evaluationTime) {
  const scope = await jobScope(api, projectId, now)
  if (scope === null) throw new Error(`no project ${projectId}`)
  const basis = await basisOf(scope, now)
  const findings = await rules[rule]?.(basis)
  if (findings === undefined) throw new Error(`no rule ${rule}`)
  return findings
    .map((finding) => foundOf(finding, basis.allAnswers))
    .filter((one) => one.rule === rule)
    .sort((a, b) => b.score - a.score)
}

interface TestPage {
  readonly url: string
  readonly title?: string
  readonly isTracked?: boolean
}

/** Adds pages of the site to the catalog, and gives their ids. */
export async function addPages(
  { db }: TestApi,
  projectId: string,
  pages: readonly TestPage[],
): Promise<string[]> {
  const data = pages.map((page) => {
    const rest = { slug: new URL(page.url).pathname, type: 'other', description: '' }
    return { id: randomUUID(), projectId, title: '', ...rest, ...page }
  })
  await db.page.createMany({ data })
  return data.map(({ id }) => id)
}

interface TestIssue {
  readonly check: string
  /** Absent for an issue of the site as a whole. */
  readonly pageId?: string
  readonly url?: string
  readonly reach?: number
  readonly severity?: 'low'
}

function issueRow(projectId: string, issue: TestIssue) {
  const { check, pageId = null, url = 'https://acme.com/', reach = 0 } = issue
  const severity = issue.severity ?? findCheck(check)?.severity
  if (severity === undefined) throw new Error(`no check ${check}`)
  const at = evaluationTime
  return {
    id: randomUUID(),
    projectId,
    pageId,
    check,
    url,
    severity,
    reach,
    affectedCount: 1,
    evidence: [],
    decidedBy: 1,
    firstSeenAt: at,
    lastSeenAt: at,
    openedAt: at,
    origin: pageId === null ? 'https://acme.com' : null,
  }
}

/** Adds open issues, and gives their ids. */
export async function addIssues(
  { db }: TestApi,
  projectId: string,
  issues: readonly TestIssue[],
): Promise<string[]> {
  const data = issues.map((issue) => issueRow(projectId, issue))
  await db.issue.createMany({ data })
  return data.map(({ id }) => id)
}

type Stored = Parameters<Catalog['opportunity']['create']>[0]['data']

/** Adds active opportunities of impact high, each with the values given, and gives their ids. */
export async function makeOpportunities(
  db: Catalog,
  projectId: string,
  rows: number | readonly Partial<Stored>[],
): Promise<string[]> {
  const each = typeof rows === 'number' ? Array.from({ length: rows }, () => ({})) : rows
  const data = each.map((given) => {
    const id = randomUUID()
    const at = evaluationTime
    return {
      id,
      projectId,
      rule: 'prompt-gap',
      subject: id,
      title: 'A title',
      description: 'Text.',
      source: 'competitors',
      category: 'content',
      scope: 'prompt',
      actionType: 'create_page',
      impact: 'high',
      score: 50,
      evidence: [],
      createdAt: at,
      updatedAt: at,
      ...given,
    } as const
  })
  await db.opportunity.createMany({ data: data as never })
  return data.map(({ id }) => id)
}
