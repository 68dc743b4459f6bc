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
import { type PromptListArgs, promptIdsOf } from './prompts.ts'
import { type PromptResultSort, promptResults } from './results.sql.ts'

export const outcomes = ['won', 'lost', 'even', 'unanswered'] as const
export type Outcome = (typeof outcomes)[number]

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

interface Row extends ManyRow {
  readonly promptId: string
  readonly result: Outcome
  readonly answers: number
  readonly answersBefore: number
  readonly lastAnsweredMs: number
  readonly named: number
  readonly namedBefore: number
  readonly ownRanks: number
  readonly rivalId: string | null
  readonly rivalNamed: number
  readonly lost: number
  readonly position: number
  readonly won: number
  readonly lostPrompts: number
  readonly even: number
  readonly unanswered: number
  readonly total: number
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
  const { limit, offset, sort, compare, competitorIds, results, hasLostAnswers } = args
  const { topicId: _topics, branded: _, unbranded: __, ...ofAnswers } = args
  const rivals = rivalsOf(scopes, competitorIds)
  const range = resolveWindow(args, yearWindow, first.now)
  const compared = compare ? comparedWindow(range, compare) : null
  const listed = new Map(
    await Promise.all(
      scopes.map(
        async (scope) =>
          [scope.project.id, await promptIdsOf(scope, { ...args, isTracked: true })] as const,
      ),
    ),
  )
  const found = await rowsOfMany<Row>(scopes, ofAnswers, async (many) => {
    const ids = many.scopes.map(({ projectId }) => listed.get(projectId) ?? [])
    const isOne = many.scopes.length === 1
    if (ids.every(({ length }) => length === 0)) return []
    const { facts, where, params } = factsOf(many, {
      from: compared?.from ?? range.from,
      to: range.to,
    })
    return run<Row>(first.warehouse, {
      id: 'prompts.results',
      settled: true,
      sql: promptResults(facts, where, {
        sort,
        isOne,
        isLostOnly: hasLostAnswers === true,
        isCompared: compared !== null,
      }),
      params: {
        ...params,
        prompts: ids.flat(),
        ...(!isOne && {
          promptProjects: many.scopes.flatMap(({ projectId }, i) => ids[i]?.map(() => projectId)),
        }),
        rivals,
        results: results ?? [],
        ...(compared && {
          currentFrom: range.from,
          currentTo: range.to,
          comparedFrom: compared.from,
          comparedTo: compared.to,
        }),
        limit,
        offset,
      },
    })
  })
  return scopes.map((scope, i) => {
    const rows = found[i] ?? []
    return rows instanceof Error ? rows : pageOf(scope, rows, args, { rivals, range, compared })
  })
}

function pageOf(
  scope: ProjectScope,
  rows: readonly Row[],
  args: PromptResultsArgs & PageArgs,
  { rivals, range, compared }: Page,
) {
  const { limit, offset } = args
  const asked = askedOf(scope, range, args)
  const whole = wholeCell(scope.project.id, asked)
  const before = compared && wholeCell(scope.project.id, askedOf(scope, compared, args))
  const ownId = scope.project.id
  const lostIn = { ...asked, ...lostTo(scope, rivals) }
  const [first] = rows
  return {
    dateRange: range,
    comparedRange: compared,
    counts: {
      won: first?.won ?? 0,
      lost: first?.lostPrompts ?? 0,
      even: first?.even ?? 0,
      unanswered: first?.unanswered ?? 0,
    },
    total: first?.total ?? 0,
    rows: rows
      .filter(
        ({ position, total }) => position > offset && position <= Math.min(total, offset + limit),
      )
      .map(
        (row): PromptResult => ({
          projectId: ownId,
          promptId: row.promptId,
          result: row.result,
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
