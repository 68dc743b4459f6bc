import DataLoader from 'dataloader'
import { fingerprint } from '../../core/pagination.ts'
import { keyOfScope } from '../../resolvers/shared/asked.ts'
import type { ProjectScope } from '../../resolvers/shared/scope.ts'
import { type Context, oncePerRequest } from './context.ts'

/**
 * One report on several projects, under the same arguments: an answer each, in their order, or the error
 * that the project's own answer failed with.
 */
export type AnswerMany<Args, Answer> = (
  scopes: readonly ProjectScope[],
  args: Args,
) => Promise<readonly (Answer | Error)[]>

/** The result for one project of a resolver that reads several. */
export type One<Many extends (...args: never[]) => Promise<readonly unknown[]>> = Exclude<
  Awaited<ReturnType<Many>>[number],
  Error
>

type Batch = DataLoader<unknown, unknown, unknown>

const batchesOf = oncePerRequest(() => new Map<string, Batch>())

/**
 * Answers the field `name` for one parent. All parents that the request asks for at the same time, under the same
 * arguments, are answered together.
 * @param idOf an id of the parent, for answers that stay the same during the request; without it each is read again
 */
export function together<Parent, Args extends object, Answer>(
  context: Context,
  name: string,
  parent: Parent,
  args: Args,
  answerAll: (parents: readonly Parent[], args: Args) => Promise<readonly (Answer | Error)[]>,
  idOf?: (parent: Parent) => unknown,
): Promise<Answer> {
  const batches = batchesOf(context)
  const key = fingerprint(name, args as Record<string, unknown>)
  const existing = batches.get(key) as DataLoader<Parent, Answer, unknown> | undefined
  if (existing) return existing.load(parent)
  const answerEach = async (parents: readonly Parent[]) => {
    // Two aliases of a list ask for one parent twice: a join would double its rows.
    const distinct = [...new Set(parents)]
    const answers = await answerAll(distinct, args)
    const byParent = new Map(distinct.map((each, i) => [each, answers[i]]))
    return parents.map((each) => byParent.get(each) as Answer | Error)
  }
  const made = new DataLoader<Parent, Answer, unknown>(answerEach, {
    ...(idOf ? { cacheKeyFn: idOf } : { cache: false }),
  })
  batches.set(key, made as Batch)
  return made.load(parent)
}

/**
 * Answers the report `name` on one project or slice. All scopes that the request asks for at the same time, with the
 * same arguments, are answered together.
 */
export function batched<Args extends object, Answer>(
  context: Context,
  name: string,
  scope: ProjectScope,
  given: Args,
  answerMany: AnswerMany<Args, Answer>,
): Promise<Answer> {
  // A root field has the project among its arguments; the batch holds several projects.
  const { projectId: _project, ...args } = given as Args & { projectId?: unknown }
  // A later page shows the data and the days of its first page, so it is read apart.
  const at = scope.pinned ? ` at ${scope.pinned.load} ${scope.now.getTime()}` : ''
  return together(context, name + at, scope, args as Args, answerMany, keyOfScope)
}

/**
 * A loader without a cache, for what one request may change and read. It asks for each id of a level once. A way through
 * the graph that comes back leads to the same few ids from ever more objects.
 */
export function freshLoader<Value>(load: (ids: readonly string[]) => Promise<readonly Value[]>) {
  return new DataLoader<string, Value>(
    async (ids) => {
      const asked = [...new Set(ids)]
      const values = await load(asked)
      const byId = new Map(asked.map((id, place) => [id, values[place]]))
      return ids.map((id) => byId.get(id) as Value)
    },
    { cache: false },
  )
}
