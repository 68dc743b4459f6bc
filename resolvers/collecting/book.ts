import type { Outcome } from '../../core/collecting/providers/reply.ts'
import { inGroups } from '../../core/load/in-groups.ts'
import type { Db } from '../../prisma/client.ts'
import { beginAsks, endAsks } from './asks.sql.ts'

/** A question that is about to be asked. */
export interface Attempt {
  readonly askId: string
  readonly askedAt: Date
  /** US dollars that it is expected to cost; null for an unknown price, which fits under no cap. */
  readonly price: number | null
}

/** How a question ended. `waiting` did not end: it is to be asked again. */
export interface AskEnd {
  readonly state: 'answered' | 'absent' | 'failed' | 'waiting'
  /** Of the reply. */
  readonly askedAt?: Date
  /** Absent without a reply. */
  readonly outcome?: Outcome
  readonly reason?: string
  readonly cost?: number | null
  readonly inputTokens?: number | null
  readonly outputTokens?: number | null
}

export interface EndedAsk extends AskEnd {
  readonly askId: string
}

/** The questions of a project and their money. What begins or ends at the same time shares a statement. */
export interface Book {
  /**
   * Stores that a question is being asked, and reserves what it is expected to cost, before it is.
   * @returns false where it does not fit under a cap of the project
   */
  begin(attempt: Attempt): Promise<boolean>
  /** Ends questions that wait, with their parts of the budget. Others stay unchanged. */
  end(ends: readonly EndedAsk[]): Promise<void>
}

const rowsAtOnce = 5000

/** @param patiently does a statement again while others hold the budget of the project */
export function openBook(
  db: Db,
  projectId: string,
  patiently: <T>(work: () => Promise<T>) => Promise<T> = (work) => work(),
): Book {
  return {
    begin: inGroups(async (attempts: readonly Attempt[]) => {
      const begun = new Set<string>()
      for (const [price, some] of Map.groupBy(attempts, (attempt) => attempt.price)) {
        const ids = some.map(({ askId }) => askId)
        const times = some.map(({ askedAt }) => askedAt.toISOString())
        const day = times.at(-1)?.slice(0, 10)
        const values = [projectId, price, ids, times, day] as const
        const rows = await patiently(() =>
          db.$queryRawUnsafe<{ id: string }[]>(beginAsks, ...values),
        )
        for (const { id } of rows) begun.add(id)
      }
      return attempts.map(({ askId }) => begun.has(askId))
    }),
    end: inGroups(async (groups: readonly (readonly EndedAsk[])[]) => {
      const endedAt = new Date()
      const ends = groups.flat()
      for (let at = 0; at < ends.length; at += rowsAtOnce) {
        const rows = ends.slice(at, at + rowsAtOnce).map(({ askId, reason, ...said }) => ({
          ...said,
          id: askId,
          reason: reason?.slice(0, 300) || null,
          endedAt: said.state === 'waiting' ? null : endedAt,
        }))
        const values = [projectId, JSON.stringify(rows)] as const
        await patiently(() => db.$executeRawUnsafe(endAsks, ...values))
      }
      return groups.map(() => undefined)
    }),
  }
}
