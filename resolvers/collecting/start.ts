import { nextDue } from '../../core/collecting/due.ts'
import { Fault, invalid } from '../../core/errors.ts'
import { notEnded } from '../../core/queues.ts'
import type { Db } from '../../prisma/client.ts'
import type { Run, Schedule } from '../../prisma/generated/client.ts'
import { type Actor, commandLine } from '../shared/audit-trail.ts'
import { inTransaction } from '../shared/transaction.ts'
import { type RunProject, startRun } from './runs.ts'
import { selectionOf } from './schedule-input.ts'
import { lockDue } from './schedules.sql.ts'
import { remaining, requireSchedule } from './schedules.ts'

/** A schedule may ask a hundred thousand questions, which are stored at once. */
const startMs = 60_000

interface Started {
  readonly run: Run | null
  readonly problem: string | null
}

/** Starts a run of a schedule, or says why none. @throws {Fault} `invalid_argument`; `project_not_runnable` */
async function start(
  tx: Db,
  actor: Actor,
  project: RunProject,
  schedule: Schedule,
): Promise<Started> {
  const going = await tx.run.count({ where: { scheduleId: schedule.id, status: notEnded } })
  if (going > 0) {
    return { run: null, problem: 'The run before it has not ended.' }
  }
  const { state, problem } = await remaining(tx, project, schedule)
  if (!state) return { run: null, problem }
  const { id: scheduleId, visibility } = schedule
  const terms = { ...selectionOf(state), scheduleId, visibility }
  return { run: await startRun(tx, actor, project, terms), problem }
}

/** Starts the run of a schedule, unless another worker has done so or is about to. @returns whether it was due */
export async function startDue(db: Db, id: string, now: Date): Promise<boolean> {
  const work = async (tx: Db) => {
    const locked = await tx.$queryRawUnsafe<object[]>(lockDue, id, now)
    if (locked.length === 0) return false
    const found = await tx.schedule.findUniqueOrThrow({ where: { id }, include: { project: true } })
    const { project, ...schedule } = found
    const attempt = () => inTransaction(tx, (inner) => start(inner, commandLine, project, schedule))
    const { problem } = project.isActive
      ? await attempt().catch((error): Started => {
          if (error instanceof Fault) return { run: null, problem: error.message }
          throw error
        })
      : { problem: 'The project is not active.' }
    // One run makes up for all times that a stopped service missed.
    const nextRunAt = nextDue(schedule, now)
    await tx.schedule.update({ where: { id }, data: { nextRunAt, problem } })
    return true
  }
  return inTransaction(db, work, { timeout: startMs })
}

/**
 * Starts a run of a schedule now, whether the schedule is on or off. Its next due time stays.
 * @throws {Fault} `not_found`; `project_not_runnable`; `invalid_argument`, also where its run before has not ended
 */
export async function runSchedule(
  db: Db,
  actor: Actor,
  project: RunProject,
  scheduleId: string,
): Promise<Run> {
  return inTransaction(
    db,
    async (tx) => {
      const { id } = await requireSchedule(tx, project.id, scheduleId)
      // Two calls at once start one run.
      await tx.$queryRaw`SELECT FROM "Schedule" WHERE id = ${id}::uuid FOR UPDATE`
      const schedule = await requireSchedule(tx, project.id, id)
      const { run, problem } = await start(tx, actor, project, schedule)
      if (!run) throw invalid('scheduleId', `names a schedule that cannot run. ${problem}`)
      return run
    },
    { timeout: startMs },
  )
}
