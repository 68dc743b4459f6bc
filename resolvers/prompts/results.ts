import { average, type Ratio, share } from '../../core/metrics.ts'
import type { PageArgs } from '../../core/pagination.ts'
import {
  type Comparison,
  comparedWindow,
  type DateRange,
  resolveWindow,
  type WindowArgs,
  yearWindow,
} from '../../core/window.ts'
import { run } from '../../warehouse/run.ts'
import { type Asked, askedOf } from '../shared/asked.ts'
import type { FilterArgs } from '../shared/filters.ts'
import { factsOf, type ManyRow, rowsOfMany } from '../shared/many.ts'
import type { NarrowingArgs } from '../shared/narrowing.ts'
import { lostTo, rivalsOf } from '../shared/rivals.ts'
import { type Cell, wholeCell } from '../shared/samples/cell.ts'
import type { ProjectScope } from '../shared/scope.ts'
import { fewPrompts } from '../shared/slices.sql.ts'
import { type PromptListArgs, promptIdsOf } from './prompts.ts'
import { promptCounts } from './results.sql.ts'

export const outcomes = ['won', 'lost', 'even', 'unanswered'] as const
export type Outcome = (typeof outcomes)[number]

/** What the list is sorted by, and in which direction. */
export type PromptResultSort =
  `${'gap' | 'lost_answers' | 'visibility' | 'change' | 'answers' | 'last_answered' | 'text'}_${'asc' | 'desc'}`

/** Below it a percentage of answers is a matter of chance. */
export const fewAnswers = 10

export interface PromptResultsArgs
  extends WindowArgs,
    FilterArgs,
    Pick<PromptListArgs, 'search' | 'intentCategory'> {
  /** The competitors that the own brand is compared with; all unless given. */
  competitorIds?: readonly string[] | null | undefined
  results?: readonly Outcome[] | null | undefined
  hasLostAnswers?: boolean | null | undefined
  compare?: Comparison | null | undefined
  sort: PromptResultSort
}

interface Counts {
  readonly promptId: string
  readonly answers: number
  readonly answersBefore: number
  readonly lastAnsweredMs: number
  readonly named: number
  readonly namedBefore: number
  readonly ownRanks: number
  readonly rivalId: string | null
  readonly rivalNamed: number
  readonly lost: number
}

type Row = Counts & ManyRow

const noCounts: Omit<Counts, 'promptId'> = {
  answers: 0,
  answersBefore: 0,
  lastAnsweredMs: 0,
  named: 0,
  namedBefore: 0,
  ownRanks: 0,
  rivalId: null,
  rivalNamed: 0,
  lost: 0,
}

/** How the own brand does against its competitors in the answers to one prompt. */
export interface PromptResult {
  readonly projectId: string
  readonly promptId: string
  readonly result: Outcome
  readonly answers: number
  /** Null without an answer in the window. */
  readonly lastAnsweredAt: Date | null
  readonly visibility: Ratio
  readonly averagePosition: Ratio
  /** The competitor that most answers mention; null when they mention none. */
  readonly rivalId: string | null
  readonly rivalVisibility: Ratio
  readonly previousVisibility: Ratio | null
  readonly lostAnswers: number
  readonly cell: Cell
  readonly previousCell: Cell | undefined
  /** Which answers are lost. */
  readonly lostIn: Asked & NarrowingArgs
}

interface Page {
  readonly rivals: readonly string[]
  readonly range: DateRange
  readonly compared: DateRange | null
}

/**
 * The results of the tracked prompts of each project: one statement for all. A prompt is won where more of its answers
 * mention the own brand than any one competitor.
 */
export async function promptResultsOfMany(
  scopes: readonly ProjectScope[],
  args: PromptResultsArgs & PageArgs,
) {
  const [first] = scopes
  if (first === undefined) return []
  const { compare, competitorIds } = args
  const { topicId: _topics, branded: _, unbranded: __, ...ofAnswers } = args
  const rivals = rivalsOf(scopes, competitorIds)
  const current = resolveWindow(args, yearWindow, first.now)
  const compared = compare ? comparedWindow(current, compare) : null
  const listed = new Map(
    await Promise.all(
      scopes.map(
        async (scope) =>
          [scope.project.id, await promptIdsOf(scope, { ...args, isTracked: true })] as const,
      ),
    ),
  )
  const found = await rowsOfMany<Row>(scopes, ofAnswers, async (many) => {
    const prompts = many.scopes.flatMap(({ projectId }) => listed.get(projectId) ?? [])
    if (prompts.length === 0) return []
    const ofPrompts = prompts.length <= fewPrompts
    const range = { from: compared?.from ?? current.from, to: current.to }
    const { facts, where, params } = factsOf(many, range)
    return run<Row>(first.warehouse, {
      id: 'prompts.results',
      settled: true,
      sql: promptCounts(facts, where, {
        isOne: many.scopes.length === 1,
        ofPrompts,
        isCompared: compared !== null,
      }),
      params: {
        ...params,
        rivals,
        ...(ofPrompts && { prompts }),
        ...(compared && {
          currentFrom: current.from,
          currentTo: current.to,
          comparedFrom: compared.from,
          comparedTo: compared.to,
        }),
      },
    })
  })
  return scopes.map((scope, i) => {
    const rows = found[i] ?? []
    if (rows instanceof Error) return rows
    const counts = new Map<string, Counts>(rows.map((row) => [row.promptId, row]))
    const all = (listed.get(scope.project.id) ?? []).map((promptId) => ({
      ...noCounts,
      ...counts.get(promptId),
      promptId,
    }))
    return pageOf(scope, all, args, { rivals, range: current, compared })
  })
}

function outcomeOf({ answers, named, rivalNamed }: Counts): Outcome {
  if (answers === 0) return 'unanswered'
  if (named === rivalNamed) return 'even'
  return named > rivalNamed ? 'won' : 'lost'
}

/** What prompts are sorted by; null for a prompt without a value. Texts are sorted already. */
const sortValues: Readonly<Record<string, (counts: Counts) => number | null>> = {
  gap: ({ named, rivalNamed, answers }) => (answers === 0 ? null : (named - rivalNamed) / answers),
  lost_answers: ({ lost, answers }) => (answers === 0 ? null : lost),
  visibility: ({ named, answers }) => (answers === 0 ? null : named / answers),
  change: ({ named, namedBefore, answers, answersBefore }) =>
    answers === 0 || answersBefore === 0 ? null : named / answers - namedBefore / answersBefore,
  answers: ({ answers }) => answers,
  last_answered: ({ lastAnsweredMs }) => (lastAnsweredMs === 0 ? null : lastAnsweredMs),
}

/** Prompts without a value come last, and ties stay sorted by text. */
function sortedBy(sort: PromptResultSort, prompts: readonly Counts[]): readonly Counts[] {
  const [, name = '', direction] = /^(.*)_(asc|desc)$/.exec(sort) ?? []
  const sign = direction === 'desc' ? -1 : 1
  const sortValue = sortValues[name]
  if (sortValue === undefined) return sign === 1 ? prompts : prompts.toReversed()
  return prompts
    .map((prompt) => ({ prompt, value: sortValue(prompt) }))
    .sort((a, b) => {
      if (a.value === null || b.value === null)
        return Number(a.value === null) - Number(b.value === null)
      return sign * (a.value - b.value)
    })
    .map(({ prompt }) => prompt)
}

function pageOf(
  scope: ProjectScope,
  all: readonly Counts[],
  { limit, offset, sort, results, hasLostAnswers, ...args }: PromptResultsArgs & PageArgs,
  { rivals, range, compared }: Page,
) {
  const asked = askedOf(scope, range, args)
  const whole = wholeCell(scope.project.id, asked)
  const before = compared && wholeCell(scope.project.id, askedOf(scope, compared, args))
  const lostIn = { ...asked, ...lostTo(scope, rivals) }
  const prompts = hasLostAnswers ? all.filter(({ lost }) => lost > 0) : all
  const byOutcome = Map.groupBy(prompts, outcomeOf)
  const numberOf = (outcome: Outcome) => byOutcome.get(outcome)?.length ?? 0
  const kept = results?.length ? prompts.filter((it) => results.includes(outcomeOf(it))) : prompts
  return {
    scope,
    dateRange: range,
    counts: {
      won: numberOf('won'),
      lost: numberOf('lost'),
      even: numberOf('even'),
      unanswered: numberOf('unanswered'),
    },
    total: kept.length,
    rows: sortedBy(sort, kept)
      .slice(offset, offset + limit)
      .map(
        (row): PromptResult => ({
          projectId: scope.project.id,
          promptId: row.promptId,
          result: outcomeOf(row),
          answers: row.answers,
          lastAnsweredAt: row.lastAnsweredMs > 0 ? new Date(row.lastAnsweredMs) : null,
          visibility: share(row.named, row.answers),
          averagePosition: average(row.ownRanks, row.named),
          rivalId: row.rivalId,
          rivalVisibility: share(row.rivalNamed, row.answers),
          previousVisibility: compared && share(row.namedBefore, row.answersBefore),
          lostAnswers: row.lost,
          cell: { ...whole, by: 'prompt', value: row.promptId },
          previousCell: before ? { ...before, by: 'prompt', value: row.promptId } : undefined,
          lostIn,
        }),
      ),
  }
}

export type PromptResults = ReturnType<typeof pageOf>
