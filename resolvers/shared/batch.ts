import DataLoader from 'dataloader'
import { fingerprint } from '../../core/pagination.ts'
import { keyOfScope } from './asked.ts'
import type { Batches, ProjectScope } from './scope.ts'

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

/**
 * Answers `name` for one parent. All parents that the request asks for at the same time, under the same arguments, are
 * answered together.
 * @param idOf an id of the parent, for answers that stay the same during the request; without it each is read again
 */
export function together<Parent, Args extends object, Answer>(
  batches: Batches,
  name: string,
  parent: Parent,
  args: Args,
  answerAll: (parents: readonly Parent[], args: Args) => Promise<readonly (Answer | Error)[]>,
  idOf?: (parent: Parent) => unknown,
): Promise<Answer> {
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
  batches.set(key, made as DataLoader<unknown, unknown, unknown>)
  return made.load(parent)
}

/** A later page shows the data and the days of its first page, so it is read apart. */
const nameAt = (name: string, { pinned, now }: ProjectScope) =>
  pinned ? `${name} at ${pinned.load} ${now.getTime()}` : name

/**
 * Answers the report `name` on one project or slice. All scopes that the request asks for at the same time, with the
 * same arguments, are answered together.
 */
export function batched<Args extends object, Answer>(
  name: string,
  scope: ProjectScope,
  given: Args,
  answerMany: AnswerMany<Args, Answer>,
): Promise<Answer> {
  // A root field has the project among its arguments; the batch holds several projects.
  const { projectId: _project, ...rest } = given as Args & { projectId?: unknown }
  const args = rest as Args
  return together(scope.batches, nameAt(name, scope), scope, args, answerMany, keyOfScope)
}

/** One of the parts of a report that are counted by a key. */
interface AskedPart<Key> {
  readonly scope: ProjectScope
  readonly by: Key
}

/**
 * The part of a report on one project or slice that is counted by a key. All keys that the request asks for at the same time
 * are read together, and so are all scopes that ask for the same keys.
 * @param answerMany the parts by key, of each scope
 */
export function batchedPart<Key extends string, Args extends object, Part>(
  name: string,
  scope: ProjectScope,
  by: Key,
  args: Args,
  answerMany: (
    scopes: readonly ProjectScope[],
    args: Args,
    by: readonly Key[],
  ) => Promise<readonly (ReadonlyMap<Key, Part> | Error)[]>,
): Promise<Part | undefined> {
  const partsOf = async (parts: readonly AskedPart<Key>[]) => {
    const found = new Map<string, ReadonlyMap<Key, Part> | Error>()
    const ofScopes = Map.groupBy(parts, (part) => keyOfScope(part.scope))
    const groups = Map.groupBy(ofScopes.values(), keysOf)
    await Promise.all(
      [...groups.values()].map(async (group) => {
        const scopes = group.flatMap(([part]) => (part ? [part.scope] : []))
        const keys = (group[0] ?? []).map((part) => part.by).toSorted()
        const answers = await answerMany(scopes, args, keys).catch(errorOfAll(scopes))
        for (const [i, one] of scopes.entries()) {
          const answer = answers[i]
          if (answer) found.set(keyOfScope(one), answer)
        }
      }),
    )
    return parts.map((part) => {
      const ofScope = found.get(keyOfScope(part.scope))
      return ofScope instanceof Error ? ofScope : ofScope?.get(part.by)
    })
  }
  const idOf = (part: AskedPart<Key>) => `${keyOfScope(part.scope)} ${part.by}`
  return together(scope.batches, nameAt(name, scope), { scope, by }, args, partsOf, idOf)
}

const keysOf = (parts: readonly AskedPart<string>[]) =>
  parts
    .map(({ by }) => by)
    .toSorted()
    .join()

/** The error of a statement is that of each scope it reads: statements beside it keep their answers. */
const errorOfAll = (scopes: readonly ProjectScope[]) => (cause: unknown) =>
  scopes.map(() => (cause instanceof Error ? cause : new Error(String(cause))))
