import { tooLarge } from '../../core/load/under-load.ts'
import { type PageArgs, pagination } from '../../core/pagination.ts'
import { isUuid } from '../../core/uuid.ts'
import { resolveWindow, type WindowArgs, yearWindow } from '../../core/window.ts'
import { run } from '../../warehouse/run.ts'
import { batched } from '../shared/batch.ts'
import type { FilterArgs } from '../shared/filters.ts'
import { fitting } from '../shared/lists/budget.ts'
import { currentSnapshot } from '../shared/lists/snapshot.ts'
import { factsOf, type ManyRow, type ManySelection, rowsOfMany } from '../shared/many.ts'
import { type NarrowingArgs, narrowingOf } from '../shared/narrowing.ts'
import { type ProjectScope, scopesOf } from '../shared/scope.ts'
import { answersOfEach, answersOfIds, countOfEach } from './edges.sql.ts'
import { type AnswerKey, type AnswerRow, anyDay, wholeAnswers } from './whole.ts'

export interface AnswersArgs extends WindowArgs, FilterArgs, NarrowingArgs {}

/** The facts that decide which answers of the slices pass: all of the project, or those of some prompts. */
const withinSlices = ({ slices }: ManySelection, where: string) =>
  slices?.by === 'prompt' ? `${where} AND prompt_id IN {slices:Array(UUID)}` : where

/**
 * A page of answers of each slice, newest first, ties by id. All slices take one statement, and each part of the
 * answers takes another one.
 */
export async function answersOfMany(
  scopes: readonly ProjectScope[],
  { limit, offset, ...args }: AnswersArgs & PageArgs,
) {
  const [first] = scopes
  if (first === undefined) return []
  const range = resolveWindow(args, yearWindow, first.now)
  const narrowing = narrowingOf(scopes, args)
  const found = await rowsOfMany<AnswerKey & ManyRow>(scopes, args, (many) => {
    const { facts, where, params } = factsOf(many, range)
    return run<AnswerKey & ManyRow>(first.warehouse, {
      id: 'answers.of-each',
      settled: true,
      sql: answersOfEach(facts, withinSlices(many, where), narrowing),
      params: { ...params, ...narrowing.params, limit, offset },
    })
  })
  const pages = await Promise.all(scopes.map((scope, i) => pageWithin(scope, found[i] ?? [])))
  const keys = scopes.flatMap((scope, i) => {
    const rows = pages[i] ?? []
    return rows instanceof Error ? [] : rows.map((key) => ({ scope, key }))
  })
  const distinct = new Map(keys.map((it) => [it.key.answerId, it]))
  const whole = await wholeAnswers(
    [...distinct.values()].map((it) => ({ ...it, snapshot: currentSnapshot(it.scope) })),
    args,
  )
  const byId = new Map(whole.map((row) => [row.id, row]))
  return scopes.map((scope, i) => {
    const rows = pages[i] ?? []
    if (rows instanceof Error) return rows
    const answers: AnswerRow[] = rows.flatMap(({ answerId }) => byId.get(answerId) ?? [])
    return {
      scope,
      answers,
      isCut: rows.length < (found[i] as readonly unknown[]).length,
      async pagination() {
        const total = await batched('answers.count', scope, args, answerCounts)
        return pagination({ limit, offset }, answers.length, total)
      },
      dateRange: range,
    }
  })
}

/** The rows of a page that the response takes, or why it takes none. */
async function pageWithin<Row extends AnswerKey>(
  scope: ProjectScope,
  found: readonly Row[] | Error,
): Promise<readonly Row[] | Error> {
  if (found instanceof Error) return found
  return fitting(scope, found).catch((error: Error) => error)
}

/** The number of answers of each slice. */
async function answerCounts(
  scopes: readonly ProjectScope[],
  args: AnswersArgs,
): Promise<(number | Error)[]> {
  const [first] = scopes
  if (first === undefined) return []
  const range = resolveWindow(args, yearWindow, first.now)
  const narrowing = narrowingOf(scopes, args)
  const found = await rowsOfMany<ManyRow & { total: number }>(scopes, args, (many) => {
    const { facts, where, params } = factsOf(many, range)
    return run<ManyRow & { total: number }>(first.warehouse, {
      id: 'answers.count-of-each',
      settled: true,
      sql: countOfEach(facts, withinSlices(many, where), narrowing),
      params: { ...params, ...narrowing.params },
    })
  })
  return found.map((rows) => (rows instanceof Error ? rows : (rows[0]?.total ?? 0)))
}

/** Answers by id, in order, of several projects; null where the project has no such answer. One statement reads all. */
export async function answersById(
  wanted: readonly { readonly scope: ProjectScope; readonly id: string }[],
): Promise<(AnswerRow | Error | null)[]> {
  const known = wanted.filter(({ id }) => isUuid(id))
  const [first] = known
  if (first === undefined) return wanted.map(() => null)
  const scopes = scopesOf(known)
  const found = await rowsOfMany<AnswerKey & ManyRow>(scopes, {}, (many) => {
    const { where, params } = factsOf(many, anyDay)
    return run<AnswerKey & ManyRow>(first.scope.warehouse, {
      id: 'answers.by-id',
      settled: true,
      sql: answersOfIds(where),
      params: { ...params, answers: [...new Set(known.map(({ id }) => id.toLowerCase()))] },
    })
  })
  const keys = scopes.flatMap((scope, i) => {
    const rows = found[i] ?? []
    if (rows instanceof Error) throw rows
    return rows.map((key) => ({ scope, key, sizeBytes: key.sizeBytes }))
  })
  const taken = await fitting(first.scope, keys)
  const whole = await wholeAnswers(
    taken.map((it) => ({ ...it, snapshot: currentSnapshot(it.scope) })),
  )
  const byId = new Map<string, AnswerRow | Error>(
    whole.map((row) => [`${row.projectId} ${row.id}`, row]),
  )
  const isLeftOut = tooLarge(
    'The answers before this one fill the response. Ask for fewer objects.',
  )
  for (const { scope, key } of keys.slice(taken.length)) {
    byId.set(`${scope.project.id} ${key.answerId}`, isLeftOut)
  }
  return wanted.map(({ scope, id }) => byId.get(`${scope.project.id} ${id.toLowerCase()}`) ?? null)
}
