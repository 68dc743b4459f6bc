import DataLoader from 'dataloader'
import { fingerprint } from '../../core/pagination.ts'
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

type Batch<Answer> = DataLoader<ProjectScope, Answer, string>

const batchesOf = oncePerRequest(() => new Map<string, Batch<unknown>>())

/**
 * Answers the report `name` on one project. All projects that the request asks for at the same time, with the
 * same arguments, are answered together.
 */
export function batched<Args extends object, Answer>(
  context: Context,
  name: string,
  scope: ProjectScope,
  given: Args,
  answerMany: AnswerMany<Args, Answer>,
): Promise<Answer> {
  const batches = batchesOf(context)
  // A root field has the project among its arguments; the batch holds several projects.
  const { projectId: _project, ...args } = given as Args & { projectId?: unknown }
  const key = fingerprint(name, args)
  const existing = batches.get(key) as Batch<Answer> | undefined
  if (existing) return existing.load(scope)
  const made: Batch<Answer> = new DataLoader((scopes) => answerMany(scopes, args as Args), {
    cacheKeyFn: ({ project }) => project.id,
  })
  batches.set(key, made)
  return made.load(scope)
}
