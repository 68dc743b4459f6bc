import type { Effect } from '../../core/opportunities/effect.ts'
import type { OpportunityScope, RuleId } from '../../core/opportunities/rules.ts'
import type { ActionType } from '../../core/opportunities/score.ts'
import { type DateRange, previousWindow, resolveWindow, yearWindow } from '../../core/window.ts'
import { run } from '../../warehouse/run.ts'
import { brandDomains, competitorDomains } from '../projects/projects.ts'
import { factParams, factsWhere } from '../shared/facts.sql.ts'
import { noFilters } from '../shared/filters.ts'
import { currentSnapshot } from '../shared/lists/snapshot.ts'
import type { ProjectScope } from '../shared/scope.ts'
import { answersInAll } from './answers.sql.ts'
import { promptTexts } from './opportunities.sql.ts'

/** One count behind an opportunity, with the things that it counts. */
export interface Evidence {
  readonly label: string
  readonly count: number
  readonly promptId?: string
  readonly topicId?: string
  readonly competitorId?: string
  readonly issueId?: string
  readonly platform?: string
  readonly domain?: string
  readonly url?: string
  readonly query?: string
}

/** What one rule found about one subject. */
export interface Finding {
  readonly rule: RuleId
  /** Names the subject within the rule: an id, a domain, a URL or a text. */
  readonly subject: string
  readonly category: string
  readonly scope: OpportunityScope
  readonly action: ActionType
  readonly title: string
  readonly description: string
  /** The count and the gap of the score. */
  readonly n: number
  readonly gap: number
  readonly effect: Effect
  readonly evidence: readonly Evidence[]
}

/** The rows that a rule reads at most: far more than it keeps as active. */
const mostRows = 5_000

interface PromptText {
  readonly id: string
  readonly text: string
  readonly isTracked: boolean
  readonly topicIds: readonly string[]
}

/** What all rules of one evaluation share. */
export interface Basis {
  readonly scope: ProjectScope
  /** The last 30 complete UTC days. */
  readonly current: DateRange
  /** The 30 days before. */
  readonly previous: DateRange
  /** The prompts of the project by id. */
  readonly prompts: ReadonlyMap<string, PromptText>
  /** The names of topics by id. */
  readonly topics: ReadonlyMap<string, string>
  /** Answers of the current window. */
  readonly allAnswers: number
}

const dayMs = 86_400_000

/** Reads the prompts and topics of the project, and sets the windows that end on the day before `now`. */
export async function basisOf(scope: ProjectScope, now: Date): Promise<Basis> {
  const { db, project } = scope
  const current = resolveWindow({}, yearWindow, new Date(now.getTime() - dayMs))
  const [prompts, topics] = await Promise.all([
    db.$queryRawUnsafe<PromptText[]>(promptTexts, project.id),
    db.topic.findMany({ where: { projectId: project.id }, select: { id: true, name: true } }),
  ])
  const days = { scope: { ...scope, now }, current, previous: previousWindow(current) }
  const [counts] = await readFacts<{ answers: number }>(days, { id: 'answers', sql: answersInAll })
  return {
    ...days,
    prompts: new Map(prompts.map((prompt) => [prompt.id, prompt])),
    topics: new Map(topics.map(({ id, name }) => [id, name])),
    allAnswers: counts?.answers ?? 0,
  }
}

interface Reading {
  readonly id: string
  readonly sql: (facts: string) => string
  /** The days of the facts; the current window by default. */
  readonly range?: DateRange
  readonly params?: Readonly<Record<string, unknown>>
}

/** Reads the rows of one rule from the visible facts of the project. */
export function readFacts<Row extends object>(
  { scope, current }: Pick<Basis, 'scope' | 'current'>,
  { id, sql, range = current, params = {} }: Reading,
): Promise<Row[]> {
  const { project } = scope
  const snapshot = currentSnapshot(scope)
  return run<Row>(scope.warehouse, {
    id: `opportunities.${id}`,
    sql: sql(factsWhere(noFilters, snapshot)),
    params: {
      ...factParams(project.id, range, noFilters, snapshot),
      currentFrom: current.from,
      analysis: project.analysis,
      ownDomains: brandDomains(project),
      competitorDomains: competitorDomains(project),
      competitors: project.competitors.map((competitor) => competitor.id),
      most: mostRows,
      ...params,
    },
  })
}

/** The days of both windows. */
export function bothWindows({ previous, current }: Basis): DateRange {
  return { from: previous.from, to: current.to }
}

/** The keys with the largest counts, ties by key. */
export function largest(counts: Readonly<Record<string, number>>, most = 5): [string, number][] {
  return Object.entries(counts)
    .sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
    .slice(0, most)
}

const longest = 120

/** A text in quotation marks, cut where it is long. */
export function quoted(text: string): string {
  const characters = [...text]
  return characters.length > longest ? `"${characters.slice(0, longest).join('')}…"` : `"${text}"`
}

/** The prompts with most of the answers, as evidence. */
export function promptEvidence(
  { prompts }: Basis,
  counts: Readonly<Record<string, number>>,
): Evidence[] {
  return largest(counts).map(([promptId, count]) => {
    const text = quoted(prompts.get(promptId)?.text ?? '')
    return { label: `Answers to ${text}`, count, promptId }
  })
}

/** A URL as people read it. */
export const shortUrl = (url: string) => url.replace(/^https?:\/\/(www\.)?/, '')

export function percent(part: number, whole: number): string {
  return `${Math.round((100 * part) / whole)}%`
}
