import { randomUUID } from 'node:crypto'
import { dueInMonth, nextDue } from '../../core/collecting/due.ts'
import { dollars } from '../../core/collecting/providers/cost.ts'
import { invalid, notFound } from '../../core/errors.ts'
import { isUuid } from '../../core/uuid.ts'
import type { Db } from '../../prisma/client.ts'
import type { Schedule } from '../../prisma/generated/client.ts'
import type { Actor, Edit, Facts } from '../shared/audit-trail.ts'
import { changeProject, type LockedProject, type ProjectChangeResult } from '../shared/change.ts'
import { planRun, type RunPlan } from './plan.ts'
import {
  readChange,
  readSchedule,
  type ScheduleChange,
  type ScheduleInput,
  type ScheduleState,
  selectionOf,
} from './schedule-input.ts'

const mostSchedules = 100

export interface SchedulePlan extends RunPlan {
  /** Due times of the next 30 days. */
  readonly runsPerMonth: number
  /** US dollars of 30 days; null where a price is unknown. */
  readonly expectedMonthlyCost: number | null
}

interface Where {
  readonly id: string
  readonly workspaceId: string
}

/** What a schedule asks and costs. @throws {Fault} `invalid_argument` */
async function planOf(db: Db, project: Where, id: string, state: ScheduleState) {
  const plan = await planRun(db, project, selectionOf(state))
  const runsPerMonth = dueInMonth({ ...state, id }, new Date())
  const { expectedCost } = plan
  const expectedMonthlyCost = expectedCost === null ? null : dollars(expectedCost * runsPerMonth)
  return { ...plan, runsPerMonth, expectedMonthlyCost } satisfies SchedulePlan
}

/**
 * What a schedule would ask and cost. Stores nothing.
 * @throws {Fault} `invalid_argument`
 */
export function planSchedule(db: Db, project: Where, input: ScheduleInput): Promise<SchedulePlan> {
  return planOf(db, project, '', readSchedule(input))
}

/** What a stored schedule asks and costs; null where nothing that it names is left. */
export async function planStored(
  db: Db,
  project: Where,
  schedule: Schedule,
): Promise<SchedulePlan | null> {
  const { state } = await remaining(db, project, schedule)
  return state && planOf(db, project, schedule.id, state)
}

/** The schedule without what is gone of what it names; null where a list has nothing left. */
export interface Remaining {
  readonly state: Schedule | null
  /** What is gone, in words; null where nothing is. */
  readonly problem: string | null
}

/** Leaves out prompts, topics, keys and locations that are gone since the schedule was stored. */
export async function remaining(db: Db, project: Where, schedule: Schedule): Promise<Remaining> {
  const projectId = project.id
  const select = { id: true } as const
  const { promptIds, topicIds, keys, locationIds } = schedule
  const [prompts, topics, labels, locations] = await Promise.all([
    db.prompt.findMany({ where: { projectId, isTracked: true, id: { in: promptIds } }, select }),
    db.topic.findMany({ where: { projectId, id: { in: topicIds } }, select }),
    db.providerKey.findMany({
      where: { workspaceId: project.workspaceId, label: { in: keys } },
      select: { label: true },
    }),
    db.location.findMany({ where: { projectId, id: { in: locationIds } }, select }),
  ])
  const idsOf = (rows: readonly { readonly id: string }[]) => rows.map(({ id }) => id)
  const left = {
    promptIds: idsOf(prompts),
    topicIds: idsOf(topics),
    keys: labels.map((row) => row.label),
    locationIds: idsOf(locations),
  }
  const words = {
    promptIds: 'prompt',
    topicIds: 'topic',
    keys: 'provider key',
    locationIds: 'location',
  }
  const gone = Object.entries(words).flatMap(([name, word]) => {
    const count =
      schedule[name as keyof typeof left].length - left[name as keyof typeof left].length
    return count === 0 ? [] : [`${count} ${word}${count === 1 ? '' : 's'}`]
  })
  const isEmptied = (...names: (keyof typeof left)[]) =>
    names.some((name) => schedule[name].length > 0) &&
    names.every((name) => left[name].length === 0)
  const isOver = isEmptied('promptIds', 'topicIds') || isEmptied('keys') || isEmptied('locationIds')
  return {
    state: isOver ? null : { ...schedule, ...left },
    problem:
      gone.length === 0 ? null : `Of what the schedule names, these are gone: ${gone.join(', ')}.`,
  }
}

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)

const dueAfter = (id: string, state: ScheduleState, now: Date) =>
  state.enabled ? nextDue({ ...state, id }, now) : null

async function refuseSameName(tx: Db, projectId: string, name: string, id: string): Promise<void> {
  const found = await tx.schedule.findFirst({ where: { projectId, name, id: { not: id } } })
  if (found) throw invalid('name', 'must differ from the names of other schedules', name)
}

export interface SavedSchedule extends ProjectChangeResult {
  readonly row: Schedule
}

const withoutWorkspace = ({ id, workspaceId }: LockedProject) => ({ id, workspaceId })

/**
 * Stores a schedule.
 * @throws {Fault} `invalid_argument`; `not_found`
 */
export function createSchedule(
  db: Db,
  actor: Actor,
  projectId: string,
  input: ScheduleInput,
): Promise<SavedSchedule> {
  const state = readSchedule(input)
  return changeProject(db, actor, projectId, async (tx, project) => {
    const id = randomUUID()
    await refuseSameName(tx, project.id, state.name, id)
    if ((await tx.schedule.count({ where: { projectId: project.id } })) >= mostSchedules) {
      throw invalid('name', `is of one schedule too many: a project has at most ${mostSchedules}`)
    }
    await planOf(tx, withoutWorkspace(project), id, state)
    const nextRunAt = dueAfter(id, state, new Date())
    const row = await tx.schedule.create({
      data: { ...state, id, projectId: project.id, nextRunAt },
    })
    const edit: Edit = { action: 'schedule.create', subject: ['schedule', id], after: { ...state } }
    return { subjectId: id, row, edits: [edit] }
  })
}

/**
 * Changes a schedule. Its next run is due by the new terms; a run that goes on does not change.
 * @throws {Fault} `invalid_argument`; `not_found`
 */
export function updateSchedule(
  db: Db,
  actor: Actor,
  projectId: string,
  scheduleId: string,
  input: ScheduleChange,
): Promise<SavedSchedule> {
  const given = readChange(input)
  return changeProject(db, actor, projectId, async (tx, project) => {
    const known = await requireSchedule(tx, project.id, scheduleId)
    const { id } = known
    const names = (Object.keys(given) as (keyof ScheduleState)[]).filter(
      (name) => !same(known[name], given[name]),
    )
    if (names.length === 0) return { subjectId: id, row: known, edits: [] }
    const state: ScheduleState = { ...known, ...given }
    await refuseSameName(tx, project.id, state.name, id)
    await planOf(tx, withoutWorkspace(project), id, state)
    const nextRunAt = dueAfter(id, state, new Date())
    const data = { ...given, nextRunAt, problem: null }
    const row = await tx.schedule.update({ where: { id }, data })
    const only = (from: Partial<ScheduleState>) =>
      Object.fromEntries(names.map((name) => [name, from[name] ?? null])) as Facts
    const edit: Edit = {
      action: 'schedule.update',
      subject: ['schedule', id],
      before: only(known),
      after: only(given),
    }
    return { subjectId: id, row, edits: [edit] }
  })
}

/**
 * Removes a schedule. Its runs and their answers stay.
 * @throws {Fault} `not_found`
 */
export function deleteSchedule(
  db: Db,
  actor: Actor,
  projectId: string,
  scheduleId: string,
): Promise<ProjectChangeResult> {
  return changeProject(db, actor, projectId, async (tx, project) => {
    const { id, name, cron } = await requireSchedule(tx, project.id, scheduleId)
    await tx.schedule.delete({ where: { id } })
    const before = { name, cron }
    const edit: Edit = { action: 'schedule.delete', subject: ['schedule', id], before }
    return { subjectId: id, edits: [edit] }
  })
}

/** @throws {Fault} `not_found` */
export async function requireSchedule(
  db: Db,
  projectId: string,
  scheduleId: string,
): Promise<Schedule> {
  const where = { id: scheduleId, projectId }
  const found = isUuid(scheduleId) ? await db.schedule.findFirst({ where }) : null
  if (!found) throw notFound()
  return found
}
