import DataLoader from 'dataloader'

/** Of a group. */
const mostItems = 200

/**
 * Gathers calls into groups: those that come while a group is under way are the next one. So a call that waits for a
 * disk or a lock costs its callers one wait, however many they are.
 * @param work takes a group, in the order of the calls. Its results are in the same order; its error is that of each call
 */
export function inGroups<Item, Result>(
  work: (group: readonly Item[]) => Promise<readonly Result[]>,
): (item: Item) => Promise<Result> {
  let underWay: Promise<unknown> = Promise.resolve()
  const begin = (group: readonly Item[]) => {
    const working = work(group)
    underWay = working.catch(() => undefined)
    return working
  }
  const loader = new DataLoader<Item, Result>(begin, {
    cache: false,
    maxBatchSize: mostItems,
    batchScheduleFn: (next) => void underWay.then(next),
  })
  return (item) => loader.load(item)
}
