import DataLoader from 'dataloader'
import { together as togetherIn } from '../../resolvers/shared/batch.ts'
import { batchesOf, type Context } from './context.ts'

/** `together` of the resolvers, among all that the request reads. */
export function together<Parent, Args extends object, Answer>(
  context: Context,
  name: string,
  parent: Parent,
  args: Args,
  answerAll: (parents: readonly Parent[], args: Args) => Promise<readonly (Answer | Error)[]>,
  idOf?: (parent: Parent) => unknown,
): Promise<Answer> {
  return togetherIn(batchesOf(context), name, parent, args, answerAll, idOf)
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
