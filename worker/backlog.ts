import { queueNames } from '../core/queues.ts'
import type { Backlog } from '../observability/jobs.ts'
import type { Db } from '../prisma/client.ts'
import { backlogByQueue } from './backlog.sql.ts'

/** The jobs of every queue, in the order of `queueNames`. */
export async function backlogOf(db: Db): Promise<Backlog[]> {
  const rows = await db.$queryRawUnsafe<Backlog[]>(backlogByQueue)
  const known = new Map(rows.map((row) => [row.queue, row]))
  return queueNames.map(
    (queue) => known.get(queue) ?? { queue, waiting: 0, running: 0, oldestSeconds: 0 },
  )
}
