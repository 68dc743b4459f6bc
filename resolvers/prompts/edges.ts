import type { PageArgs } from '../../core/pagination.ts'
import { resolveWindow, type WindowArgs, yearWindow } from '../../core/window.ts'
import type { Db } from '../../prisma/client.ts'
import { run } from '../../warehouse/run.ts'
import { type Asked, askedOf } from '../shared/asked.ts'
import type { FilterArgs } from '../shared/filters.ts'
import { keyParam } from '../shared/lists/keyset.ts'
import { factsOf, type ManyRow, rowsOfMany } from '../shared/many.ts'
import { type NarrowingArgs, narrowingOf } from '../shared/narrowing.ts'
import type { ProjectScope } from '../shared/scope.ts'
import { promptsOfEach } from './edges.sql.ts'
import { promptsByTopic } from './prompts.sql.ts'
import type { PromptRow } from './prompts.ts'

/** A prompt, and the number of its answers in a set of answers. */
export interface AnsweredPrompt extends ManyRow {
  readonly promptId: string
  readonly answers: number
  /** The set of answers. */
  readonly setOf: Asked & NarrowingArgs
}

/** A page of the prompts of the answers of each slice, most answers first, ties by id: one statement for all. */
export async function answeredPrompts(
  scopes: readonly ProjectScope[],
  { limit, offset, ...args }: WindowArgs & FilterArgs & NarrowingArgs & PageArgs,
): Promise<(readonly AnsweredPrompt[] | Error)[]> {
  const [first] = scopes
  if (first === undefined) return []
  const range = resolveWindow(args, yearWindow, first.now)
  const narrowing = narrowingOf(scopes, args)
  const found = await rowsOfMany<Omit<AnsweredPrompt, 'setOf'>>(scopes, args, (many) => {
    const { facts, where, params } = factsOf(many, range)
    return run<Omit<AnsweredPrompt, 'setOf'>>(first.warehouse, {
      id: 'prompts.of-each',
      settled: true,
      sql: promptsOfEach(facts, where, narrowing),
      params: { ...params, ...narrowing.params, limit, offset },
    })
  })
  return scopes.map((scope, i) => {
    const rows = found[i] ?? []
    if (rows instanceof Error) return rows
    const setOf = { ...askedOf(scope, range, args), mentioned: args.mentioned }
    return rows.map((row) => ({ ...row, setOf }))
  })
}

export interface TopicPromptsArgs extends PageArgs {
  readonly isTracked?: boolean | null | undefined
}

/** A page of the prompts of each topic, newest first, ties by id: one statement for all topics. */
export async function promptsOfTopics(
  db: Db,
  topicIds: readonly string[],
  { isTracked, limit, offset, afterKey }: TopicPromptsArgs,
): Promise<PromptRow[][]> {
  const rows = await db.$queryRawUnsafe<(PromptRow & { readonly ofTopic: string })[]>(
    promptsByTopic,
    topicIds,
    isTracked ?? null,
    limit,
    offset,
    keyParam(afterKey),
  )
  const byTopic = Map.groupBy(rows, ({ ofTopic }) => ofTopic)
  return topicIds.map((id) => byTopic.get(id) ?? [])
}
