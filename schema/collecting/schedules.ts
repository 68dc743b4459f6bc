import type { Schedule } from '../../prisma/generated/client.ts'
import {
  lastRuns,
  loadSchedules,
  runCounts,
  runsOfSchedules,
} from '../../resolvers/collecting/edges.ts'
import {
  createSchedule,
  deleteSchedule,
  planSchedule,
  planStored,
  requireSchedule,
  type SchedulePlan,
  updateSchedule,
} from '../../resolvers/collecting/schedules.ts'
import { runSchedule } from '../../resolvers/collecting/start.ts'
import type { ProjectScope } from '../../resolvers/shared/scope.ts'
import { keyedArgs, projectArgs, wholeSize } from '../kit/args.ts'
import { readOfProject, scopeOf, writeProject } from '../kit/authorize.ts'
import { freshLoader, together } from '../kit/batch.ts'
import { builder } from '../kit/builder.ts'
import { actorOf, oncePerRequest } from '../kit/context.ts'
import { connectionOf } from '../kit/lists/connection.ts'
import { connectionField } from '../kit/lists/field.ts'
import { projectChange } from '../kit/project-mutation.ts'
import { locationType } from '../locations/locations.ts'
import { locationOf } from '../projects/members.ts'
import { runPlan, withTextIds } from './plan.ts'
import { runConnection, runType, runVisibility } from './runs.ts'
import { changedArgs, newArgs, optionArgs, scheduleId } from './schedule-args.ts'

const schedulePlan = builder.objectRef<SchedulePlan>('SchedulePlan').implement({
  description: 'What the runs of a schedule ask and cost.',
  fields: (t) => ({
    run: t.field({
      type: runPlan,
      description: 'What one run asks and costs.',
      resolve: (plan) => plan,
    }),
    runsPerMonth: t.expose('runsPerMonth', {
      type: 'Int',
      description: 'Runs that are due in the next 30 days.',
    }),
    expectedMonthlyCost: t.exposeFloat('expectedMonthlyCost', {
      nullable: true,
      description:
        'Expected cost of 30 days in US dollars; null where the price of a model is unknown.',
    }),
  }),
})

const lastRunOf = oncePerRequest(({ services: { db } }) =>
  freshLoader((ids: readonly string[]) => lastRuns(db, ids)),
)
const runCountOf = oncePerRequest(({ services: { db } }) =>
  freshLoader((ids: readonly string[]) => runCounts(db, ids)),
)
const schedulesOf = oncePerRequest(({ services: { db } }) =>
  freshLoader((ids: readonly string[]) => loadSchedules(db, ids)),
)

export const scheduleType = builder.prismaObject('Schedule', {
  description: 'A schedule, which starts runs of a project at set times.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'UUID of the schedule.' }),
    name: t.exposeString('name', { description: 'Name of the schedule, unique in its project.' }),
    enabled: t.exposeBoolean('enabled', { description: 'Whether the schedule starts runs.' }),
    cron: t.exposeString('cron', {
      description: 'Times of the runs: minute, hour, day of the month, month, day of the week.',
    }),
    timeZone: t.exposeString('timeZone', { description: 'IANA time zone of `cron`.' }),
    spreadMinutes: t.expose('spreadMinutes', {
      type: 'Int',
      description:
        'Minutes by which a run may start after its time; always the same for a schedule.',
    }),
    promptIds: t.exposeIDList('promptIds', {
      description: 'Ids of prompts. Default, without topics: all tracked prompts.',
    }),
    topicIds: t.exposeIDList('topicIds', {
      description: 'Ids of topics whose tracked prompts are asked.',
    }),
    keys: t.exposeStringList('keys', {
      description: 'Labels of the provider keys. An empty list stands for all provider keys.',
    }),
    locations: t.field({
      type: [locationType],
      description: 'Locations that prompts are asked from. An empty list stands for no place.',
      resolve: async ({ projectId, locationIds }, _args, context) => {
        const found = await Promise.all(locationIds.map((id) => locationOf(context, projectId, id)))
        return found.filter((location) => location !== undefined)
      },
    }),
    language: t.exposeString('language', {
      nullable: true,
      description: "BCP 47 tag of the answers' language; null where assistants choose.",
    }),
    repetitions: t.expose('repetitions', {
      type: 'Int',
      description: 'How often each prompt is asked at each provider and location.',
    }),
    visibility: t.field({
      type: runVisibility,
      description: 'When reports show the answers of a run.',
      resolve: ({ visibility }) => visibility,
    }),
    nextRunAt: t.expose('nextRunAt', {
      type: 'DateTime',
      nullable: true,
      description: 'Time when the next run is due; null while the schedule is off.',
    }),
    problem: t.exposeString('problem', {
      nullable: true,
      description:
        'Fault at the last due time, such as a run that had not ended; null without one.',
    }),
    lastRun: t.field({
      type: runType,
      nullable: true,
      description: 'The newest run; null before the first run.',
      resolve: ({ id }, _args, context) => lastRunOf(context).load(id),
    }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      description: 'Time when the schedule was created.',
    }),
    updatedAt: t.expose('updatedAt', {
      type: 'DateTime',
      description: 'Time of the last change or the last due time.',
    }),
  }),
})

builder.prismaObjectField(scheduleType, 'plan', (t) =>
  t.field({
    type: schedulePlan,
    nullable: true,
    description: 'What the runs ask and cost; null where nothing is left to ask.',
    resolve: async (schedule, _args, context) => {
      const { db, project } = await scopeOf(context, schedule.projectId)
      return planStored(db, project, schedule)
    },
  }),
)

builder.prismaObjectField(scheduleType, 'runs', (t) =>
  t.field(
    connectionField({
      type: runConnection,
      description: 'Runs that the schedule started, newest first.',
      size: { default: 10, max: 100 },
      resolve: async (schedule: Schedule, { limit, afterKey }, context, { db }: ProjectScope) => ({
        rows: await together(
          context,
          'Schedule.runs',
          schedule.id,
          { limit, afterKey: [...(afterKey ?? [])] },
          (ids, page) => runsOfSchedules(db, ids, { ...page, afterKey }),
        ),
        total: () => runCountOf(context).load(schedule.id),
      }),
    }),
  ),
)

builder.objectField('Project', 'schedules', (t) =>
  t.field(
    connectionField({
      type: connectionOf(scheduleType, {
        description: 'Schedules of a project, by name.',
        sortKey: ({ name, id }: Schedule) => [name, id],
        isWhole: true,
      }),
      size: wholeSize,
      access: readOfProject,
      description: 'Schedules that start runs of the project, by name.',
      resolve: async ({ project }: ProjectScope, _args, context) => ({
        rows: await schedulesOf(context).load(project.id),
      }),
    }),
  ),
)

builder.objectField('Project', 'schedule', (t) =>
  t.field({
    type: scheduleType,
    access: readOfProject,
    description: 'One schedule.',
    args: { id: t.arg.id({ required: true, description: 'Id of the schedule.' }) },
    resolve: ({ db, project }: ProjectScope, { id }) => requireSchedule(db, project.id, String(id)),
  }),
)

builder.objectField('Project', 'schedulePlan', (t) =>
  t.field({
    type: schedulePlan,
    access: readOfProject,
    view: 'graph',
    description: 'What a schedule would ask, with the cost of a run and of 30 days.',
    args: { ...newArgs, ...optionArgs },
    resolve: ({ db, project }: ProjectScope, args) => planSchedule(db, project, withTextIds(args)),
  }),
)

builder.mutationField('createSchedule', (t) =>
  t.field({
    type: scheduleType,
    access: writeProject,
    view: 'graph',
    description: 'Stores a schedule, which starts runs from then on.',
    args: { ...projectArgs, ...newArgs, ...optionArgs, ...keyedArgs },
    resolve: async (_root, { projectId, idempotencyKey: _key, ...given }, context) => {
      const { project } = await scopeOf(context, String(projectId))
      const input = withTextIds(given)
      const { db } = context.services
      return (await createSchedule(db, actorOf(context), project.id, input)).row
    },
  }),
)

builder.mutationField('updateSchedule', (t) =>
  t.field({
    type: scheduleType,
    access: writeProject,
    view: 'graph',
    description: 'Updates the given fields of a schedule. Null means the default.',
    args: { ...projectArgs, ...scheduleId, ...changedArgs, ...optionArgs, ...keyedArgs },
    resolve: async (_root, args, context) => {
      const { projectId, scheduleId: id, idempotencyKey: _key, ...given } = args
      const { project } = await scopeOf(context, String(projectId))
      const change = withTextIds(given)
      const { db } = context.services
      return (await updateSchedule(db, actorOf(context), project.id, String(id), change)).row
    },
  }),
)

builder.mutationField('deleteSchedule', (t) =>
  t.field({
    type: projectChange,
    access: writeProject,
    view: 'graph',
    description: 'Removes a schedule. Its runs and their answers stay.',
    args: { ...projectArgs, ...scheduleId, ...keyedArgs },
    resolve: async (_root, args, context) => {
      const { project } = await scopeOf(context, String(args.projectId))
      const { db } = context.services
      const change = await deleteSchedule(db, actorOf(context), project.id, String(args.scheduleId))
      return { projectId: project.id, ...change }
    },
  }),
)

builder.mutationField('runSchedule', (t) =>
  t.field({
    type: runType,
    access: writeProject,
    view: 'graph',
    problems: ['project_not_runnable'],
    description: 'Starts a run of a schedule now, even when it is off.',
    args: { ...projectArgs, ...scheduleId, ...keyedArgs },
    resolve: async (_root, args, context) => {
      const { project } = await scopeOf(context, String(args.projectId))
      return runSchedule(context.services.db, actorOf(context), project, String(args.scheduleId))
    },
  }),
)
