import { type PageArgs, pagination } from '../../core/pagination.ts'
import { resolveWindow, type WindowArgs, yearWindow } from '../../core/window.ts'
import { run } from '../../warehouse/run.ts'
import type { FilterArgs } from '../shared/filters.ts'
import { factsOf, type ManyRow, rowsOfMany } from '../shared/many.ts'
import type { ProjectScope } from '../shared/scope.ts'
import { currentSnapshot } from '../shared/snapshot.ts'
import { answersOfEach, countOfEach } from './edges.sql.ts'
import { type AnswerKey, type AnswerRow, wholeAnswers } from './whole.ts'

export interface AnswersArgs extends WindowArgs, FilterArgs {
  mentioned?: boolean | null | undefined
}

type ReadCount = (scope: ProjectScope, args: AnswersArgs) => Promise<number>

/**
 * A page of answers of each slice, newest first, ties by id. All slices take one statement, and each part of the
 * answers takes another one.
 * @param countOf counts the answers of one slice, when the pagination is asked for
 */
export async function answersOfMany(
  scopes: readonly ProjectScope[],
  { limit, offset, ...args }: AnswersArgs & PageArgs,
  countOf: ReadCount,
) {
  const [first] = scopes
  if (first === undefined) return []
  const range = resolveWindow(args, yearWindow, first.now)
  const found = await rowsOfMany<AnswerKey & ManyRow>(scopes, args, (many) => {
    const { facts, where, params } = factsOf(many, range)
    return run<AnswerKey & ManyRow>(first.warehouse, {
      id: 'answers.of-each',
      sql: answersOfEach(facts, where, args.mentioned ?? null),
      params: { ...params, limit, offset },
    })
  })
  const keys = scopes.flatMap((scope, i) => {
    const rows = found[i] ?? []
    return rows instanceof Error ? [] : rows.map((key) => ({ scope, key }))
  })
  const distinct = new Map(keys.map((it) => [it.key.answerId, it]))
  const whole = await wholeAnswers(
    [...distinct.values()].map((it) => ({ ...it, snapshot: currentSnapshot(it.scope) })),
  )
  const byId = new Map(whole.map((row) => [row.id, row]))
  return scopes.map((scope, i) => {
    const rows = found[i] ?? []
    if (rows instanceof Error) return rows
    const answers: AnswerRow[] = rows.flatMap(({ answerId }) => byId.get(answerId) ?? [])
    return {
      scope,
      answers,
      pagination: async () =>
        pagination({ limit, offset }, answers.length, await countOf(scope, args)),
      dateRange: range,
    }
  })
}

/** The number of answers of each slice. */
export async function answerCounts(
  scopes: readonly ProjectScope[],
  args: AnswersArgs,
): Promise<(number | Error)[]> {
  const [first] = scopes
  if (first === undefined) return []
  const range = resolveWindow(args, yearWindow, first.now)
  const found = await rowsOfMany<ManyRow & { total: number }>(scopes, args, (many) => {
    const { facts, where, params } = factsOf(many, range)
    return run<ManyRow & { total: number }>(first.warehouse, {
      id: 'answers.count-of-each',
      sql: countOfEach(facts, where, args.mentioned ?? null),
      params,
    })
  })
  return found.map((rows) => (rows instanceof Error ? rows : (rows[0]?.total ?? 0)))
}
