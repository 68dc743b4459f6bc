import { type ServiceName, serviceNames } from '../../core/collecting/providers/surfaces/names.ts'
import type { Db } from '../../prisma/client.ts'
import type { Ask, ProviderTask } from '../../prisma/generated/client.ts'

/** The tasks at services for the questions of a run. */

/** A task that has not ended, with its question. */
export type OpenTask = ProviderTask & { readonly ask: Ask }

const open = { nextLookAt: { not: null } } as const

/** The questions of a run that one key asks at one surface. */
export interface TaskGroup {
  readonly providerKeyId: string
  readonly provider: ServiceName
  readonly model: string
  /** US dollars of a unit of the service, as it was stated when the run began. */
  readonly unitPrice: number | null
}

/** The groups of a run with questions that wait. */
export async function taskGroups(db: Db, runId: string): Promise<TaskGroup[]> {
  const rows = await db.ask.groupBy({
    by: ['providerKeyId', 'provider', 'model', 'unitPrice'],
    where: { runId, state: 'waiting', provider: { in: [...serviceNames] } },
    orderBy: [{ providerKeyId: 'asc' }, { model: 'asc' }],
  })
  return rows as TaskGroup[]
}

const ofGroup = ({ providerKeyId, model }: TaskGroup) => ({ providerKeyId, model })

/** Tasks of a group that are to be looked at, those that wait longest first. */
export async function dueTasks(
  db: Db,
  runId: string,
  group: TaskGroup,
  limit: number,
): Promise<OpenTask[]> {
  return db.providerTask.findMany({
    where: { runId, nextLookAt: { lte: new Date() }, ask: ofGroup(group) },
    include: { ask: true },
    orderBy: [{ nextLookAt: 'asc' }, { id: 'asc' }],
    take: limit,
  })
}

/** Questions of a group that wait for their task, in the order of their prompts. */
export function unsubmittedAsks(
  db: Db,
  runId: string,
  group: TaskGroup,
  limit: number,
): Promise<Ask[]> {
  return db.ask.findMany({
    where: { runId, state: 'waiting', ...ofGroup(group), task: null },
    orderBy: [{ repetition: 'asc' }, { promptId: 'asc' }, { id: 'asc' }],
    take: limit,
  })
}

/** All questions of a group that wait, with a task and without. */
export const asksOfGroup = (db: Db, runId: string, group: TaskGroup): Promise<Ask[]> =>
  db.ask.findMany({ where: { runId, state: 'waiting', ...ofGroup(group) } })

/** Open tasks of a group. */
export const countOpenTasks = (db: Db, runId: string, group: TaskGroup): Promise<number> =>
  db.providerTask.count({ where: { runId, ...open, ask: ofGroup(group) } })

/** Open tasks of a run that their service may have taken. */
export const tasksOfRun = (db: Db, runId: string) =>
  db.providerTask.findMany({
    where: { runId, ...open },
    select: { askId: true, expectedCost: true },
  })

/** Stores a task before it is sent. */
export function addTask(
  db: Db,
  { id: askId, runId }: Pick<Ask, 'id' | 'runId'>,
  expectedCost: number | null,
): Promise<ProviderTask> {
  return db.providerTask.create({ data: { askId, runId, expectedCost } })
}

/** Removes a task that no service has taken. */
export async function dropTask(db: Db, id: string): Promise<void> {
  await db.providerTask.deleteMany({ where: { id } })
}

type TaskChange = Partial<
  Pick<ProviderTask, 'taskId' | 'state' | 'startedAt' | 'nextLookAt' | 'looks' | 'submittedAt'>
>

/** Notes how far a task is. */
export async function noteTask(db: Db, id: string, change: TaskChange): Promise<void> {
  await db.providerTask.updateMany({ where: { id }, data: change })
}

/** Ends a task: nobody looks at it any more. */
export async function endTask(db: Db, id: string, state: 'done' | 'failed'): Promise<void> {
  const data = { state, nextLookAt: null, endedAt: new Date() }
  await db.providerTask.updateMany({ where: { id }, data })
}

/** Ends the open tasks of questions that have ended: their worker died between the two. */
export async function settleTasks(db: Db, runId: string): Promise<void> {
  const data = { state: 'done' as const, nextLookAt: null, endedAt: new Date() }
  await db.providerTask.updateMany({
    where: { runId, ...open, ask: { state: { not: 'waiting' } } },
    data,
  })
}

/** When a task of the run is to be looked at next; null without an open task. */
export async function nextLook(db: Db, runId: string): Promise<Date | null> {
  const found = await db.providerTask.aggregate({
    where: { runId, ...open },
    _min: { nextLookAt: true },
  })
  return found._min.nextLookAt
}

/** Removes the tasks of questions that are asked again: each gets another one. */
export async function dropTasksOfFailed(db: Db, runId: string): Promise<void> {
  await db.providerTask.deleteMany({ where: { runId, ask: { state: 'failed' } } })
}
