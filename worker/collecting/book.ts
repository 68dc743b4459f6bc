import { inGroups } from '../../core/load/in-groups.ts'
import { type Catalog, patiently } from '../../prisma/client.ts'
import { type Attempt, beginAsks, type EndedAsk, endAsks } from '../../resolvers/collecting/asks.ts'

/** The questions of a key in the catalog: those that begin or end at once share a statement. */
export interface Book {
  /**
   * Notes that a question is being asked, and reserves what it is expected to cost.
   * @returns the time of the request; null where the question does not fit under a cap of the project
   */
  begin(askId: string): Promise<Date | null>
  /** Notes how a question ended, with what it cost. */
  end(end: EndedAsk): Promise<void>
}

let latest = 0

/** An answer is known by its prompt, platform and millisecond: no two questions of a process share the latter. */
function nextMoment(): Date {
  latest = Math.max(Date.now(), latest + 1)
  return new Date(latest)
}

/**
 * A reply that is dearer than expected is the measure for those after it.
 * @param expected US dollars that a question is expected to cost; null for a model without a price
 */
export function openBook(db: Catalog, projectId: string, expected: number | null): Book {
  let price = expected
  return {
    begin: inGroups(async (askIds: readonly string[]) => {
      const attempts = askIds.map((askId): Attempt => ({ askId, askedAt: nextMoment() }))
      // Other workers may hold the budget of the project.
      const begun = await patiently(() => beginAsks(db, projectId, attempts, price))
      return attempts.map(({ askId, askedAt }) => (begun.has(askId) ? askedAt : null))
    }),
    end: inGroups(async (ends: readonly EndedAsk[]) => {
      const costs = ends.map(({ cost }) => cost ?? 0)
      price = price === null ? null : Math.max(price, ...costs)
      await patiently(() => endAsks(db, projectId, ends))
      return ends.map(() => undefined)
    }),
  }
}
