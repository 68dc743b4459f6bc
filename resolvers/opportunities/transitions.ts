import { effortOf, shareOf } from '../../core/opportunities/effect.ts'
import { rules } from '../../core/opportunities/rules.ts'
import { type Impact, impactOf, isHigher, scoreOf } from '../../core/opportunities/score.ts'
import { storedAs } from '../../core/stored-json.ts'
import type { Db } from '../../prisma/client.ts'
import type { Evidence, Finding } from './basis.ts'

type Row = NonNullable<Awaited<ReturnType<Db['opportunity']['findFirst']>>>

/** An opportunity as it is stored. */
export interface Opportunity extends Omit<Row, 'evidence'> {
  readonly evidence: readonly Evidence[]
}

export const opportunityOf = (row: Row): Opportunity => ({
  ...row,
  evidence: storedAs<readonly Evidence[]>(row.evidence),
})

/** The columns that a finding decides. */
type Found = Pick<
  Opportunity,
  | ('rule' | 'subject' | 'title' | 'description' | 'source' | 'category' | 'scope')
  | ('actionType' | 'impact' | 'score' | 'evidence' | 'effort')
  | ('effectMetric' | 'effectValue' | 'effectAnswers' | 'effectShare' | 'effectReason')
>

/** Texts as PostgreSQL stores them: it has no NUL and no half of a surrogate pair. */
function storable<Value>(value: Value): Value {
  const clean = (_key: string, item: unknown) =>
    typeof item === 'string' ? item.toWellFormed().replaceAll('\0', '\ufffd') : item
  return JSON.parse(JSON.stringify(value, clean)) as Value
}

/** @param allAnswers answers of the window */
export function foundOf(finding: Finding, allAnswers: number): Found {
  const { rule, subject, title, description, category, scope, action, n, gap, evidence } = finding
  const score = scoreOf(n, gap, action)
  const { effect } = finding
  return storable({
    rule,
    subject,
    title,
    description,
    category,
    scope,
    score,
    evidence,
    source: rules[rule].source,
    actionType: action,
    impact: impactOf(score),
    effort: effortOf(action),
    effectMetric: effect.metric,
    effectValue: effect.value,
    effectAnswers: effect.answers,
    effectShare: shareOf(effect.answers, allAnswers),
    effectReason: effect.reason,
  })
}

/** The columns of a state, before a transition sets its own. */
export const noState = {
  completedAt: null,
  dismissedAt: null,
  dismissedReason: null,
  dismissedImpact: null,
  autoResolvedAt: null,
  goneAt: null,
}

/** Columns of the state, as a new opportunity has them. */
const active = { status: 'active', ...noState } as const

export interface Evaluated {
  readonly now: Date
  /** Start of the first day of the window. */
  readonly windowStart: Date
}

export function newOpportunity(
  key: { readonly id: string; readonly projectId: string },
  found: Found,
  { now }: Evaluated,
): Opportunity {
  return { ...key, ...found, ...active, assigneeId: null, createdAt: now, updatedAt: now }
}

/** Whether an opportunity that is not active becomes so, since its rule holds. */
function isReopened(row: Opportunity, impact: Impact, { windowStart }: Evaluated): boolean {
  if (row.status === 'completed') return row.completedAt === null || row.completedAt < windowStart
  if (row.status === 'dismissed') return isHigher(impact, row.dismissedImpact ?? row.impact)
  return true
}

/** The opportunity after an evaluation in which its rule holds. */
export function afterFound(row: Opportunity, found: Found, evaluated: Evaluated): Opportunity {
  if (row.status !== 'active' && !isReopened(row, found.impact, evaluated)) return row
  const next = { ...row, ...found, ...active }
  const shown = ['title', 'description', 'impact', 'status'] as const
  const isChanged = shown.some((name) => row[name] !== next[name])
  return isChanged ? { ...next, updatedAt: evaluated.now } : next
}

/** An opportunity is resolved when two evaluations so far apart find it gone. */
const goneMs = 20 * 3_600_000

/** The opportunity after an evaluation in which its rule no longer holds. */
export function afterGone(row: Opportunity, { now }: Evaluated): Opportunity {
  if (row.status !== 'active') return row
  // Rules of an earlier version found it, and those of this one do not.
  const isOld = row.effectMetric === null
  if (isOld) return { ...row, status: 'auto_resolved', autoResolvedAt: now, updatedAt: now }
  if (row.goneAt === null) return { ...row, goneAt: now }
  if (now.getTime() - row.goneAt.getTime() < goneMs) return row
  return { ...row, status: 'auto_resolved', autoResolvedAt: now, goneAt: null, updatedAt: now }
}
