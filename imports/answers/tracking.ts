import type { Db } from '../../prisma/client.ts'

/** A change of the tracking of a prompt. */
export interface TrackingChange {
  readonly at: Date
  readonly isTracked: boolean
}

/** When a prompt was tracked. */
export interface TrackingHistory {
  readonly createdAt: Date
  /** As it is now. */
  readonly isTracked: boolean
  /** Oldest first. */
  readonly changes: readonly TrackingChange[]
}

/**
 * Whether an answer of this time counts: its prompt was tracked then, or did not exist yet.
 * @see the contract's metrics, "Words"
 */
export function wasTracked({ createdAt, isTracked, changes }: TrackingHistory, at: Date): boolean {
  if (at < createdAt) return true
  const last = changes.findLast((change) => change.at <= at)
  if (last) return last.isTracked
  const [first] = changes
  return first ? !first.isTracked : isTracked
}

/** The histories of prompts, by id. */
export async function readTracking(
  db: Db,
  promptIds: readonly string[],
): Promise<Map<string, TrackingHistory>> {
  const prompts = await db.prompt.findMany({
    where: { id: { in: [...promptIds] } },
    select: {
      id: true,
      createdAt: true,
      isTracked: true,
      revisions: {
        where: { change: { in: ['archived', 'unarchived'] } },
        select: { createdAt: true, change: true },
        orderBy: { revision: 'asc' },
      },
    },
  })
  return new Map(
    prompts.map(({ id, createdAt, isTracked, revisions }) => {
      const changes = revisions.map((revision) => ({
        at: revision.createdAt,
        isTracked: revision.change === 'unarchived',
      }))
      return [id, { createdAt, isTracked, changes }]
    }),
  )
}
