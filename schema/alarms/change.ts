import type { InputFieldMap, InputShapeFromFields } from '@pothos/core'
import type { Db } from '../../prisma/client.ts'
import {
  type AlarmChange,
  acknowledgeAlarm,
  addMonitor,
  muteMonitor,
  removeMonitor,
  unmuteMonitor,
  updateMonitor,
} from '../../resolvers/alarms/change.ts'
import type { Actor } from '../../resolvers/shared/audit-trail.ts'
import { keyedArgs, projectArgs } from '../kit/args.ts'
import { writeProject } from '../kit/authorize.ts'
import { builder } from '../kit/builder.ts'
import { actorOf } from '../kit/context.ts'
import { alarmType } from './alarm.ts'
import { monitorIn, monitorsIn, monitorType } from './monitor.ts'
import { ownMonitorKind } from './words.ts'

const alarmChange = builder.objectRef<AlarmChange>('AlarmChange').implement({
  description: 'Result of a change to an alarm.',
  fields: (t) => ({
    changed: t.exposeBoolean('changed', {
      description: 'False when the alarm had this state already, so nothing was written.',
    }),
    alarm: t.expose('alarm', { type: alarmType, description: 'The alarm after the change.' }),
  }),
})

builder.mutationField('acknowledgeAlarm', (t) =>
  t.field({
    type: alarmChange,
    description: 'Notes that somebody has seen an alarm. It stays open until it is over.',
    access: writeProject,
    view: 'graph',
    args: {
      ...projectArgs,
      alarmId: t.arg.id({ required: true, description: 'Id of the alarm.' }),
      note: t.arg.string({ description: 'What to note on it, 1 to 500 characters.' }),
      ...keyedArgs,
    },
    resolve: (_root, { projectId, alarmId, note }, context) =>
      acknowledgeAlarm(
        context.services.db,
        actorOf(context),
        { projectId: String(projectId), alarmId: String(alarmId) },
        { note },
      ),
  }),
)

interface Outcome {
  readonly projectId: string
  readonly monitorId: string
  readonly changed: boolean
}

const monitorChange = builder.objectRef<Outcome>('MonitorChange').implement({
  description: 'Result of a change to a monitor.',
  fields: (t) => ({
    changed: t.exposeBoolean('changed', {
      description: 'False when the monitor had this state already, so nothing was written.',
    }),
    monitor: t.field({
      type: monitorType,
      nullable: true,
      description:
        'The monitor after the change; null when it was removed, or watches nothing now.',
      resolve: ({ projectId, monitorId }, _args, context) => {
        monitorsIn(context).clear(projectId)
        return monitorIn(context, projectId, monitorId)
      },
    }),
  }),
})

interface Target {
  readonly projectId: string
  readonly monitorId: string
}

/** A mutation of one monitor, for keys with `write`. */
function monitorMutation<Args extends InputFieldMap>(
  name: string,
  description: string,
  args: Args,
  change: (
    db: Db,
    actor: Actor,
    target: Target,
    args: InputShapeFromFields<Args>,
  ) => Promise<{ readonly changed: boolean }>,
): void {
  const ids = builder.args((t) => ({
    ...projectArgs,
    monitorId: t.id({ required: true, description: 'Id of the monitor.' }),
  }))
  builder.mutationField(name, (t) =>
    t.field({
      type: monitorChange,
      description,
      access: writeProject,
      view: 'graph',
      args: { ...ids, ...(args as InputFieldMap), ...keyedArgs },
      resolve: async (_root, given, context) => {
        const target = {
          projectId: String(given.projectId).toLowerCase(),
          monitorId: String(given.monitorId).toLowerCase(),
        }
        const { db } = context.services
        const input: object = given
        const asked = input as InputShapeFromFields<Args>
        const { changed } = await change(db, actorOf(context), target, asked)
        return { ...target, changed }
      },
    }),
  )
}

monitorMutation(
  'muteMonitor',
  'Sends no messages about the alarms of a monitor until a time. The monitor keeps looking, and its alarms are listed.',
  builder.args((t) => ({
    until: t.field({
      type: 'DateTime',
      required: true,
      description: 'Time until which no messages are sent, at most a year away.',
    }),
  })),
  (db, actor, target, { until }) => muteMonitor(db, actor, target, { until: new Date(until) }),
)

monitorMutation(
  'unmuteMonitor',
  'Sends messages about the alarms of a monitor again.',
  {},
  unmuteMonitor,
)

const weightArg = builder.args((t) => ({
  weight: t.float({
    description:
      'Part of the budget, above 0 up to 1, in proportion to those of the other monitors; null for that of the kind.',
  }),
}))

monitorMutation(
  'updateMonitor',
  'Switches a monitor on or off, or sets its part of the budget. What is off leaves its part to the others.',
  {
    ...builder.args((t) => ({
      isEnabled: t.boolean({ description: 'Whether the monitor looks at all.' }),
    })),
    ...weightArg,
  },
  updateMonitor,
)

monitorMutation(
  'removeMonitor',
  'Removes a monitor that somebody added, with its alarms.',
  {},
  removeMonitor,
)

builder.mutationField('addMonitor', (t) =>
  t.field({
    type: monitorChange,
    description:
      'Adds a monitor of the visibility on one AI platform or for one topic. The monitors then share the budget again by their weights.',
    access: writeProject,
    view: 'graph',
    args: {
      ...projectArgs,
      kind: t.arg({
        type: ownMonitorKind,
        required: true,
        description: 'What the monitor watches.',
      }),
      platform: t.arg.string({
        description: 'Slug of the AI platform to watch. Not together with `topicId`.',
      }),
      topicId: t.arg.id({
        description: 'Id of the topic to watch. Not together with `platform`.',
      }),
      ...builder.args(() => weightArg),
      ...keyedArgs,
    },
    resolve: async (_root, given, context) => {
      const { kind, platform, weight } = given
      const projectId = String(given.projectId).toLowerCase()
      const topicId = given.topicId == null ? null : String(given.topicId)
      const input = { kind, platform, topicId, weight }
      const { db } = context.services
      const { changed, monitor } = await addMonitor(db, actorOf(context), projectId, input)
      return { projectId, monitorId: monitor.id, changed }
    },
  }),
)
