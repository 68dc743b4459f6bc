import DataLoader from 'dataloader'
import { type AlarmKind, type DetectorKind, inUnit, unitOf } from '../../core/alarms/kinds/kinds.ts'
import { alarmText } from '../../core/alarms/kinds/words.ts'
import type { Estimate } from '../../core/alarms/series/levels.ts'
import { roundFloat } from '../../core/metrics.ts'
import { storedAs } from '../../core/stored-json.ts'
import { utcDayOf } from '../../core/window.ts'
import type { Alarm } from '../../prisma/generated/client.ts'
import {
  type AlarmArgs,
  alarmInvestigation,
  alarmsById,
  listAlarms,
  requireAlarm,
  windowsOf,
} from '../../resolvers/alarms/alarms.ts'
import type { AlarmEvidence } from '../../resolvers/alarms/week.ts'
import type { ProjectScope } from '../../resolvers/shared/scope.ts'
import { investigation } from '../investigate.ts'
import { inGraph } from '../kit/args.ts'
import { readOfProject, scopeOf } from '../kit/authorize.ts'
import { builder } from '../kit/builder.ts'
import { oncePerRequest } from '../kit/context.ts'
import { filterInput } from '../kit/inputs.ts'
import { connectionOf } from '../kit/lists/connection.ts'
import { connectionField } from '../kit/lists/field.ts'
import { lookup } from '../kit/lookup.ts'
import { dateRangeBlock } from '../kit/report-fields.ts'
import { membersOf, memberType } from '../members/members.ts'
import { changedPrompt, changedSource } from './changed.ts'
import { monitorIn, monitorType } from './monitor.ts'
import {
  alarmEnding,
  alarmKind,
  alarmLevel,
  attribution,
  monitorUnit,
  problemKind,
} from './words.ts'

const evidenceOf = ({ evidence }: Alarm) => evidence as AlarmEvidence

const watchedBy = (kind: string): DetectorKind =>
  kind === 'engine.changed' ? 'control.moved' : (kind as DetectorKind)

type OfKind = Estimate & { readonly kind: string }

const level = ({ kind }: OfKind, value: number) =>
  roundFloat(inUnit(unitOf(watchedBy(kind)), value))

const estimateType = builder.objectRef<OfKind>('AlarmEstimate').implement({
  description: 'The level before and after a change, as far as it was known when the alarm opened.',
  fields: (t) => ({
    unit: t.field({
      type: monitorUnit,
      description: 'Unit of the levels.',
      resolve: ({ kind }) => unitOf(watchedBy(kind)),
    }),
    before: t.float({
      description: 'Level of the days before the change.',
      resolve: (it) => level(it, it.before),
    }),
    after: t.float({
      description: 'Level from the change to the alarm.',
      resolve: (it) => level(it, it.after),
    }),
    low: t.float({
      description: 'Lower end of the 95 % interval of `after`, by the spread of days.',
      resolve: (it) => level(it, it.low),
    }),
    high: t.float({
      description: 'Upper end of the 95 % interval of `after`, by the spread of days.',
      resolve: (it) => level(it, it.high),
    }),
  }),
})

export const alarmType = builder.prismaObject('Alarm', {
  description: 'A change that is not chance, or a state that a rule found.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'UUID of the alarm.' }),
    kind: t.field({
      type: alarmKind,
      description: 'What the alarm is about.',
      resolve: ({ kind }) => kind as AlarmKind,
    }),
    level: t.field({
      type: alarmLevel,
      description: 'How much the alarm asks for.',
      resolve: (it) => alarmLevel.of(it.level),
    }),
    text: t.string({
      description: 'The alarm in one sentence, with its numbers.',
      resolve: (it) =>
        alarmText({
          kind: it.kind as AlarmKind,
          estimate: it.estimate as Estimate | null,
          evidence: evidenceOf(it),
        }),
    }),
    since: t.field({
      type: 'Date',
      description: 'UTC day on which the change probably began, or the state was found.',
      resolve: ({ since }) => utcDayOf(since),
    }),
    openedOn: t.field({
      type: 'Date',
      description: 'UTC day whose data showed it.',
      resolve: ({ openedOn }) => utcDayOf(openedOn),
    }),
    closedOn: t.field({
      type: 'Date',
      nullable: true,
      description: 'UTC day on which it was over; null while the alarm is open.',
      resolve: ({ closedOn }) => closedOn && utcDayOf(closedOn),
    }),
    isOpen: t.boolean({
      description: 'Whether it is not over yet.',
      resolve: ({ closedOn }) => closedOn === null,
    }),
    closedReason: t.field({
      type: alarmEnding,
      nullable: true,
      description: 'Why the alarm is closed; null while it is open.',
      resolve: (it) => alarmEnding.of(it.closedReason),
    }),
    evidence: t.exposeFloat('score', {
      nullable: true,
      description: 'Evidence of the change on the day it opened; null of rules.',
    }),
    threshold: t.exposeFloat('threshold', {
      nullable: true,
      description: 'Evidence that was needed; null of rules.',
    }),
    estimate: t.field({
      type: estimateType,
      nullable: true,
      description: 'The level before and after; null of rules, and of changed prompts and sources.',
      resolve: ({ kind, estimate }) =>
        estimate === null ? null : { ...storedAs<Estimate>(estimate), kind },
    }),
    attribution: t.field({
      type: attribution,
      nullable: true,
      description: 'Whose change it is. Null of all kinds but `visibility_fell`.',
      resolve: (it) => attribution.of(it.attribution),
    }),
    attributedOn: t.field({
      type: 'Date',
      nullable: true,
      description:
        'UTC day whose data showed whose change it is, mostly some days after `openedOn`; null while that is unknown.',
      resolve: ({ attributedOn }) => attributedOn && utcDayOf(attributedOn),
    }),
    problem: t.field({
      type: problemKind,
      nullable: true,
      description: 'State that a rule found; null of changes.',
      resolve: (it) => evidenceOf(it).problem ?? null,
    }),
    subject: t.string({
      nullable: true,
      description:
        'Name of what it is about, such as a schedule or a competitor; null for the project.',
      resolve: (it) => evidenceOf(it).name || null,
    }),
    promptsLost: t.field({
      type: [changedPrompt],
      description:
        'Prompts whose answers mention the brand less often. At most a tenth of those listed did not change.',
      resolve: (it) => [...(evidenceOf(it).lost ?? [])],
    }),
    promptsWon: t.field({
      type: [changedPrompt],
      description:
        'Prompts whose answers mention the brand more often. At most a tenth of those listed did not change.',
      resolve: (it) => [...(evidenceOf(it).won ?? [])],
    }),
    sourcesNew: t.field({
      type: [changedSource],
      description:
        'Domains that answers cite now and not before, the surest first. At most a tenth of those listed did not change.',
      resolve: (it) => [...(evidenceOf(it).found ?? [])],
    }),
    sourcesGone: t.field({
      type: [changedSource],
      description:
        'Domains that answers cited before and not now, the surest first. At most a tenth of those listed did not change.',
      resolve: (it) => [...(evidenceOf(it).gone ?? [])],
    }),
    windowBefore: t.field({
      type: dateRangeBlock,
      description: 'Days before the change that its answers are compared with.',
      resolve: (it) => windowsOf(it).before,
    }),
    windowAfter: t.field({
      type: dateRangeBlock,
      description: 'Days from the change on that its answers are compared with those before.',
      resolve: (it) => windowsOf(it).after,
    }),
    investigation: t.field({
      type: investigation,
      nullable: true,
      description:
        'What made the change: the metric in `windowAfter` against `windowBefore`, with its movers and answers. Null of alarms that are about no metric of answers.',
      resolve: async (it, _args, context) =>
        alarmInvestigation(await scopeOf(context, it.projectId), it),
    }),
    monitor: t.field({
      type: monitorType,
      nullable: true,
      description: 'Monitor that found it; null where the monitor watches nothing now.',
      resolve: (it, _args, context) => monitorIn(context, it.projectId, it.monitorId),
    }),
    acknowledgedAt: t.expose('acknowledgedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'Time when somebody acknowledged the alarm; null until then.',
    }),
    acknowledgedBy: t.field({
      type: memberType,
      nullable: true,
      description: 'Member who acknowledged the alarm; null for a key without user, or nobody.',
      resolve: async ({ projectId, acknowledgedById }, _args, context) => {
        if (acknowledgedById === null) return null
        const { project } = await scopeOf(context, projectId)
        const members = await membersOf(context).load(project.workspaceId)
        return members.find(({ userId }) => userId === acknowledgedById) ?? null
      },
    }),
    note: t.exposeString('note', {
      nullable: true,
      description: 'What people noted on it; null for nothing.',
    }),
  }),
})

/** By id. Without a cache: one request may change an alarm and read it. */
export const alarmLoader = oncePerRequest(
  ({ services: { db } }) =>
    new DataLoader((ids: readonly string[]) => alarmsById(db, ids), { cache: false }),
)

filterInput('AlarmFilter', {
  rows: 'Alarms',
  own: {
    isOpen: (t) =>
      t.boolean({ description: 'True: only open alarms; false: only closed ones. Default: all.' }),
    kinds: (t) => t.field({ type: [alarmKind], description: 'Only alarms of these kinds.' }),
  },
})

const filters = {
  ...inGraph(
    builder.args((t) => ({ isOpen: t.boolean({ description: 'Only open ones.' }) })),
    {
      filter: 'isOpen',
    },
  ),
  ...inGraph(
    builder.args((t) => ({
      kinds: t.field({ type: [alarmKind], description: 'Only alarms of these kinds.' }),
    })),
    { filter: 'kinds' },
  ),
}

builder.objectField('Project', 'alarms', (t) =>
  t.field(
    connectionField({
      type: connectionOf(alarmType, {
        description: 'A page of alarms, newest first.',
        sortKey: ({ openedOn, id }: Alarm) => [openedOn.toISOString(), id],
      }),
      size: { default: 20, max: 100 },
      access: readOfProject,
      description:
        'Alarms: changes that are not chance, and what is wrong with the data, newest first.',
      args: filters,
      resolve: ({ db, project }: ProjectScope, args) =>
        listAlarms(db, project.id, args as AlarmArgs),
    }),
  ),
)

lookup('alarm', {
  description: 'One alarm.',
  id: ['alarmId', 'Id of the alarm.'],
  type: alarmType,
  find: ({ db, project }, id) => requireAlarm(db, project.id, id),
})
