import { isDeepStrictEqual } from 'node:util'
import { idOf } from '../../core/ids.ts'
import type { Db } from '../../prisma/client.ts'
import { commandLine } from '../shared/audit-trail.ts'
import { changeProject } from '../shared/change.ts'
import type { ProjectScope } from '../shared/scope.ts'
import { wordingsOf } from '../suggestions/suggestions.ts'
import { negativeTopics, platformGaps, promptGaps } from './answer-rules.ts'
import { type Basis, basisOf, type Finding } from './basis.ts'
import { visibilityDeclines } from './decline-rule.ts'
import { queriesOf, searchDemand, uncoveredQueries } from './demand-rules.ts'
import {
  citedPagesWithIssues,
  countTracked,
  issuesOfCited,
  siteIssues,
  unreadablePages,
  widespreadIssues,
} from './issue-rules.ts'
import { putOpportunities } from './opportunities.sql.ts'
import {
  competitorOnlyDomains,
  crawledNeverCited,
  lostCitations,
  ownCitations,
} from './source-rules.ts'
import {
  afterFound,
  afterGone,
  type Evaluated,
  foundOf,
  newOpportunity,
  type Opportunity,
  opportunityOf,
} from './transitions.ts'

/** Opportunities of one rule that are active at once. */
const mostActive = 50

/** What the rules find. Each reads the facts by one statement, after another: a night is long. */
async function findAll(basis: Basis): Promise<Finding[]> {
  const wordings = await wordingsOf(basis.scope)
  const cited = await ownCitations(basis)
  const uncovered = await uncoveredQueries(basis, wordings)
  const issues = await issuesOfCited(basis, cited)
  return [
    ...(await promptGaps(basis)),
    ...(await competitorOnlyDomains(basis)),
    ...uncovered,
    ...(await crawledNeverCited(basis, cited)),
    ...citedPagesWithIssues(cited, issues, await countTracked(basis)),
    ...(await siteIssues(basis, cited)),
    ...(await widespreadIssues(basis, cited)),
    ...(await visibilityDeclines(basis)),
    ...(await platformGaps(basis)),
    ...lostCitations(cited, unreadablePages(issues)),
    ...(await negativeTopics(basis)),
    // What AI platforms search for already is not asked a second time for people.
    ...(await searchDemand(basis, [...wordings, ...queriesOf(uncovered)])),
  ]
}

/** The project, and the answers of the window. */
interface Whole {
  readonly projectId: string
  readonly allAnswers: number
}

type Known = ReadonlyMap<string, Opportunity>

/** The opportunities of one rule after the evaluation, found ones by score. */
function afterRule(
  { projectId, allAnswers }: Whole,
  findings: readonly Finding[],
  known: Known,
  evaluated: Evaluated,
): Opportunity[] {
  const byScore = findings
    .map((finding) => ({
      id: idOf(projectId, 'opportunity', finding.rule, finding.subject),
      found: foundOf(finding, allAnswers),
    }))
    .sort((a, b) => b.found.score - a.found.score || (a.id < b.id ? -1 : 1))
  let places = mostActive
  return byScore.flatMap(({ id, found }) => {
    const row = known.get(id)
    const next = row
      ? afterFound(row, found, evaluated)
      : newOpportunity({ id, projectId }, found, evaluated)
    if (next.status !== 'active') return [next]
    places -= 1
    if (places >= 0) return [next]
    // A lower score than the others: like one whose rule no longer holds.
    return row ? [afterGone(row, evaluated)] : []
  })
}

function afterAll(
  whole: Whole,
  findings: readonly Finding[],
  known: Known,
  evaluated: Evaluated,
): Opportunity[] {
  const byRule = Map.groupBy(findings, ({ rule }) => rule)
  const found = [...byRule.values()].flatMap((ofRule) => afterRule(whole, ofRule, known, evaluated))
  const ids = new Set(found.map(({ id }) => id))
  const gone = [...known.values()].filter(({ id }) => !ids.has(id))
  return [...found, ...gone.map((row) => afterGone(row, evaluated))]
}

async function readAll(tx: Db, projectId: string): Promise<Map<string, Opportunity>> {
  const rows = await tx.opportunity.findMany({ where: { projectId } })
  return new Map(rows.map((row) => [row.id, opportunityOf(row)]))
}

/**
 * Finds the opportunities of a project in its facts, and moves the stored ones to their new states in one transaction.
 * Repeated on the same facts it changes nothing.
 * @param now ends the window: the last complete UTC day before it is the last day
 * @returns the number of opportunities that were written
 * @throws {Fault} `not_found` when the project is gone, `query_timeout`
 */
export async function evaluateOpportunities(scope: ProjectScope, now: Date): Promise<number> {
  const { db, project } = scope
  const basis = await basisOf(scope, now)
  const findings = await findAll(basis)
  const whole = { projectId: project.id, allAnswers: basis.allAnswers }
  const evaluated = { now, windowStart: new Date(`${basis.current.from}T00:00:00Z`) }
  const { written } = await changeProject(db, commandLine, project.id, async (tx) => {
    const known = await readAll(tx, project.id)
    const next = afterAll(whole, findings, known, evaluated)
    const changed = next.filter((row) => !isDeepStrictEqual(row, known.get(row.id)))
    if (changed.length > 0) await tx.$executeRawUnsafe(putOpportunities, JSON.stringify(changed))
    // The trail holds what people change.
    return { subjectId: project.id, edits: [], written: changed.length }
  })
  return written
}
