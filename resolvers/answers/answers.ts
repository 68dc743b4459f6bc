import { notFound } from '../../core/errors.ts'
import { fingerprint, type PageArgs, pagination } from '../../core/pagination.ts'
import { isUuid } from '../../core/uuid.ts'
import { resolveWindow, type WindowArgs, yearWindow } from '../../core/window.ts'
import { run } from '../../warehouse/run.ts'
import { factParams, factsWhere } from '../shared/facts.sql.ts'
import { type FilterArgs, readFilters } from '../shared/filters.ts'
import { lazily } from '../shared/lazily.ts'
import { fitting } from '../shared/lists/budget.ts'
import { listMeaning } from '../shared/lists/meaning.ts'
import { currentSnapshot, pageSnapshot } from '../shared/lists/snapshot.ts'
import { type NarrowingArgs, narrowingOf } from '../shared/narrowing.ts'
import type { ProjectScope } from '../shared/scope.ts'
import { answerById, answerCount, answerPage } from './answers.sql.ts'
import { type AnswerKey, type AnswerRow, anyDay, unfiltered, wholeAnswers } from './whole.ts'

export interface AnswerListArgs extends WindowArgs, FilterArgs, NarrowingArgs, PageArgs {
  /** Counts the list only when its pagination is asked for. */
  isCountedLater?: true
}

/**
 * Answers, newest first, ties by id.
 * @throws {Fault} `not_found` for a prompt that is not of this project
 */
export async function answers(scope: ProjectScope, args: AnswerListArgs) {
  const { limit, offset, isCountedLater, ...asked } = args
  const range = resolveWindow(args, yearWindow, scope.now)
  const filters = await readFilters(scope, args)
  const list = fingerprint('answers', listMeaning(asked, yearWindow, scope.now))
  const snapshot = pageSnapshot(scope, list, offset)
  const facts = factsWhere(filters, snapshot)
  const narrowing = narrowingOf([scope], args)
  const params = {
    ...factParams(scope.project.id, range, filters, snapshot),
    ...narrowing.params,
    analysis: scope.project.analysis,
  }
  const total = lazily(async () => {
    const [count] = await run<{ total: number }>(scope.warehouse, {
      id: 'answers.count',
      settled: true,
      sql: answerCount(facts, narrowing),
      params,
    })
    return count?.total ?? 0
  })
  const [found] = await Promise.all([
    run<AnswerKey>(scope.warehouse, {
      id: 'answers.page',
      settled: true,
      sql: answerPage(facts, narrowing),
      params: { ...params, limit, offset },
    }),
    isCountedLater ? null : total(),
  ])
  const keys = await fitting(scope, found)
  return {
    scope,
    isCut: keys.length < found.length,
    answers: await wholeAnswers(
      keys.map((key) => ({ scope, snapshot, key })),
      args,
    ),
    pagination: async () => pagination({ limit, offset }, keys.length, await total()),
    dateRange: range,
  }
}

/**
 * One answer, whatever its day.
 * @throws {Fault} `not_found`
 */
export async function answer(scope: ProjectScope, answerId: string): Promise<AnswerRow> {
  if (!isUuid(answerId)) throw notFound()
  const snapshot = currentSnapshot(scope)
  const keys = await run<AnswerKey>(scope.warehouse, {
    id: 'answers.one',
    settled: true,
    sql: answerById(factsWhere(unfiltered, snapshot)),
    params: {
      ...factParams(scope.project.id, anyDay, unfiltered, snapshot),
      answer: answerId,
    },
  })
  const [found] = await wholeAnswers(keys.map((key) => ({ scope, snapshot, key })))
  if (!found) throw notFound()
  return found
}
