import type { Db } from '../../prisma/client.ts'
import { dueSchedule } from './schedules.sql.ts'

/**
 * Starts the runs of all schedules that are due. Each due time starts one run, however many workers look.
 * @returns the number of schedules that were due
 * @throws the first error, after all other schedules had their turn
 */
export async function startDueRuns(db: Db, now: Date): Promise<number> {
  const tried: string[] = []
  const errors: unknown[] = []
  let count = 0
  for (;;) {
    const [due] = await db.$queryRawUnsafe<{ id: string }[]>(dueSchedule, now, tried)
    if (!due) break
    tried.push(due.id)
    // Most minutes have none, and what a run needs is much.
    const { startDue } = await import('./start.ts')
    const wasDue = await startDue(db, due.id, now).catch((error) => {
      errors.push(error)
      return false
    })
    if (wasDue) count += 1
  }
  if (errors.length > 0) throw errors[0]
  return count
}
