import { type Obtained, obtainedFrom } from '../../core/collecting/obtained.ts'
import type { PageArgs, SortKey } from '../../core/pagination.ts'
import type { Db } from '../../prisma/client.ts'
import type { Run, Schedule } from '../../prisma/generated/client.ts'
import { groupById, groupByProject, oneById } from '../shared/by-project.ts'
import { keyParam } from '../shared/lists/keyset.ts'
import {
  answersOfEachRun,
  countedAnswers,
  countedRuns,
  newestRuns,
  runsOfAnswers,
  runsOfEach,
} from './schedules.sql.ts'

type Page = Pick<PageArgs, 'limit'> & { readonly afterKey?: SortKey | undefined }

/** The schedules of each project, by name. */
export async function loadSchedules(db: Db, projectIds: readonly string[]): Promise<Schedule[][]> {
  const where = { projectId: { in: [...projectIds] } }
  const rows = await db.schedule.findMany({ where, orderBy: [{ name: 'asc' }, { id: 'asc' }] })
  return groupByProject(projectIds, rows)
}

/** Schedules by id, in order; null where unknown. */
export async function schedulesById(db: Db, ids: readonly string[]): Promise<(Schedule | null)[]> {
  const rows = await db.schedule.findMany({ where: { id: { in: [...ids] } } })
  return oneById(ids, rows, ({ id }) => id)
}

/** The newest run of each schedule; null where it has none. */
export async function lastRuns(db: Db, ids: readonly string[]): Promise<(Run | null)[]> {
  const newest = await db.$queryRawUnsafe<{ id: string }[]>(newestRuns, ids)
  const rows = await db.run.findMany({ where: { id: { in: newest.map(({ id }) => id) } } })
  return oneById(ids, rows, ({ scheduleId }) => scheduleId)
}

/** A page of the runs of each schedule, newest first. */
export async function runsOfSchedules(
  db: Db,
  ids: readonly string[],
  { limit, afterKey }: Page,
): Promise<Run[][]> {
  const rows = await db.$queryRawUnsafe<Run[]>(runsOfEach, ids, limit, keyParam(afterKey))
  return groupById(ids, rows, ({ scheduleId }) => scheduleId)
}

/** A page of the ids of the shown answers of each run, newest first. */
export async function answersOfRuns(
  db: Db,
  ids: readonly string[],
  { limit, afterKey }: Page,
): Promise<string[][]> {
  type Row = { readonly runId: string; readonly answerId: string }
  const rows = await db.$queryRawUnsafe<Row[]>(answersOfEachRun, ids, limit, keyParam(afterKey))
  const ofRuns = groupById(ids, rows, ({ runId }) => runId)
  return ofRuns.map((own) => own.map(({ answerId }) => answerId))
}

async function countsOf(db: Db, statement: string, ids: readonly string[]): Promise<number[]> {
  const rows = await db.$queryRawUnsafe<{ id: string; count: number }[]>(statement, ids)
  return oneById(ids, rows, ({ id }) => id).map((row) => row?.count ?? 0)
}

/** The number of runs of each schedule. */
export const runCounts = (db: Db, ids: readonly string[]) => countsOf(db, countedRuns, ids)

/** The number of shown answers of each run. */
export const answerCounts = (db: Db, ids: readonly string[]) => countsOf(db, countedAnswers, ids)

/** How each answer was obtained. An answer that no run has asked for was imported. */
export async function obtainedOf(db: Db, answerIds: readonly string[]): Promise<Obtained[]> {
  const rows = await db.ask.findMany({
    where: { answerId: { in: [...answerIds] } },
    select: { answerId: true, provider: true, model: true },
  })
  const found = new Map(
    rows.map(({ answerId, provider, model }) => [answerId, obtainedFrom(provider, model)] as const),
  )
  return answerIds.map((id) => found.get(id) ?? 'imported')
}

/** The run that asked for each answer; null for an answer of another import. */
export async function runsOf(db: Db, answerIds: readonly string[]): Promise<(Run | null)[]> {
  const rows = await db.$queryRawUnsafe<(Run & { answerId: string })[]>(runsOfAnswers, answerIds)
  return oneById(answerIds, rows, ({ answerId }) => answerId)
}
