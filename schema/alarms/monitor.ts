import DataLoader from 'dataloader'
import {
  type DetectorKind,
  inUnit,
  monitorKinds,
  ruleKinds,
  unitOf,
} from '../../core/alarms/kinds/kinds.ts'
import { monitorTitle } from '../../core/alarms/kinds/words.ts'
import type { Day } from '../../core/alarms/series/days.ts'
import { bandOf, levelOfDay } from '../../core/alarms/series/levels.ts'
import { roundFloat } from '../../core/metrics.ts'
import { type MonitorState, monitorsOf } from '../../resolvers/alarms/monitors.ts'
import type { ProjectScope } from '../../resolvers/shared/scope.ts'
import { wholeSize } from '../kit/args.ts'
import { readOfProject, scopeOf } from '../kit/authorize.ts'
import { builder } from '../kit/builder.ts'
import { type Context, oncePerRequest } from '../kit/context.ts'
import { connectionOf } from '../kit/lists/connection.ts'
import { connectionField } from '../kit/lists/field.ts'
import { competitorOf, platformById, topicOf } from '../projects/members.ts'
import { platformType } from '../projects/platforms.ts'
import { competitorType } from '../projects/tracked-brands.ts'
import { topicType } from '../topics/topics.ts'
import { monitorKind, monitorStatus, monitorUnit } from './words.ts'

/** The monitors of a project with their states: one count of the series for all that a request asks. */
export const monitorsIn = oncePerRequest(
  (context: Context) =>
    new DataLoader((ids: readonly string[]) =>
      Promise.all(
        ids.map(async (id) => {
          const scope = await scopeOf(context, id)
          return monitorsOf(scope, scope.now)
        }),
      ),
    ),
)

export async function monitorIn(context: Context, projectId: string, id: string) {
  const monitors = await monitorsIn(context).load(projectId)
  return monitors.find((monitor) => monitor.id === id) ?? null
}

interface Point {
  readonly day: Day
  readonly kind: DetectorKind
  readonly evidence: number | null
}

const point = builder.objectRef<Point>('MonitorPoint').implement({
  description: 'One day of what a monitor watches.',
  fields: (t) => ({
    date: t.field({ type: 'Date', description: 'UTC day.', resolve: ({ day }) => day.day }),
    value: t.float({
      nullable: true,
      description: 'Level of the day in the unit of the monitor; null without what it counts.',
      resolve: ({ day, kind }) => {
        const level = levelOfDay(day)
        return level === null ? null : roundFloat(inUnit(unitOf(kind), level))
      },
    }),
    evidence: t.exposeFloat('evidence', {
      nullable: true,
      description:
        'Evidence of a change after the day; null on days of the reference. At `threshold`, it is an alarm.',
    }),
  }),
})

const band = builder
  .objectRef<{ readonly low: number; readonly high: number }>('MonitorBand')
  .implement({
    description: 'Where nineteen of twenty days lie that are like those of the reference.',
    fields: (t) => ({
      low: t.exposeFloat('low', { description: 'Lower end, in the unit of the monitor.' }),
      high: t.exposeFloat('high', { description: 'Upper end, in the unit of the monitor.' }),
    }),
  })

const isRule = (kind: string) => ruleKinds.some((rule) => rule === kind)

/** What the monitor is narrowed to, by its name. */
async function nameOf(monitor: MonitorState, context: Context): Promise<string | null> {
  const { projectId, competitorId, platform, topicId } = monitor
  if (competitorId !== null) {
    return (await competitorOf(context, projectId, competitorId))?.name ?? null
  }
  if (topicId !== null) return (await topicOf(context, projectId, topicId))?.name ?? null
  if (platform === null) return null
  return (await platformById(context, projectId, platform))?.displayName ?? platform
}

export const monitorType = builder.objectRef<MonitorState>('Monitor').implement({
  description:
    'A monitor of a project, which looks each morning whether the day before shows a change that is not chance. A rule has no series and no budget.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'UUID of the monitor.' }),
    kind: t.field({
      type: monitorKind,
      description: 'What the monitor watches.',
      resolve: ({ kind }) => kind,
    }),
    title: t.string({
      description: 'The monitor in a few words, with what it is narrowed to.',
      resolve: async (monitor, _args, context) =>
        monitorTitle(monitor.kind, await nameOf(monitor, context)),
    }),
    status: t.field({
      type: monitorStatus,
      description: 'What the monitor does.',
      resolve: ({ status }) => status,
    }),
    competitor: t.field({
      type: competitorType,
      nullable: true,
      description: 'Competitor that the monitor watches; null where it watches none.',
      resolve: ({ projectId, competitorId }, _args, context) =>
        competitorId === null ? null : competitorOf(context, projectId, competitorId),
    }),
    platform: t.field({
      type: platformType,
      nullable: true,
      description: 'AI platform whose answers are watched; null for all.',
      resolve: ({ projectId, platform }, _args, context) =>
        platform === null ? null : platformById(context, projectId, platform),
    }),
    topic: t.field({
      type: topicType,
      nullable: true,
      description: 'Topic whose prompts are watched; null for all prompts.',
      resolve: ({ projectId, topicId }, _args, context) =>
        topicId === null ? null : topicOf(context, projectId, topicId),
    }),
    isRule: t.boolean({
      description: 'Whether a rule checks a state, rather than statistics a change.',
      resolve: ({ kind }) => isRule(kind),
    }),
    isOwn: t.exposeBoolean('isOwn', {
      description: 'Whether somebody added the monitor. Only such a monitor can be removed.',
    }),
    isEnabled: t.exposeBoolean('isEnabled', { description: 'Whether the monitor looks at all.' }),
    muteEndsAt: t.expose('mutedUntil', {
      type: 'DateTime',
      nullable: true,
      description:
        'Time until which no messages about its alarms are sent; null while the monitor is not muted.',
    }),
    weight: t.exposeFloat('weight', {
      nullable: true,
      description: 'Part of the budget as somebody set it; null for that of the kind.',
    }),
    falseAlarmsPerYear: t.float({
      nullable: true,
      description:
        'False alarms that it may raise in a year, on average. Those of all monitors sum to the promise. Null of rules, and where it looks at nothing.',
      resolve: ({ budget }) => budget,
    }),
    threshold: t.float({
      nullable: true,
      description: 'Evidence that is an alarm; null where it looks at nothing.',
      resolve: ({ threshold }) => threshold,
    }),
    evidence: t.float({
      nullable: true,
      description: 'Evidence after the newest look; null before the first look.',
      resolve: ({ looks }) => looks.at(-1)?.evidence,
    }),
    blockDays: t.exposeInt('blockDays', {
      description: 'Days that are one look, since neighbouring days resemble each other.',
    }),
    referenceFrom: t.field({
      type: 'Date',
      nullable: true,
      description: 'First day that later days are compared with; null before it.',
      resolve: ({ reference }) => reference.from,
    }),
    referenceDays: t.int({
      description: 'Days with answers that the first look is compared with, so far.',
      resolve: ({ reference }) => reference.days,
    }),
    unit: t.field({
      type: monitorUnit,
      nullable: true,
      description: 'Unit of the levels; null of rules.',
      resolve: ({ kind }) => (isRule(kind) ? null : unitOf(kind as DetectorKind)),
    }),
    band: t.field({
      type: band,
      nullable: true,
      description: 'Usual levels, by the days of the reference; null with few days.',
      resolve: ({ kind, days, reference }) => {
        const found = bandOf(days, reference)
        if (found === null) return null
        const [low, high] = [found.low, found.high].map((level) =>
          roundFloat(inUnit(unitOf(kind as DetectorKind), level)),
        )
        return { low: low ?? 0, high: high ?? 0 }
      },
    }),
    points: t.field({
      type: [point],
      description: 'Levels by day, of the newest up to 360 days.',
      resolve: ({ kind, days, looks }): Point[] => {
        const evidence = new Map(looks.map((look) => [look.day, look.evidence]))
        return days.map((day) => ({
          day,
          kind: kind as DetectorKind,
          evidence: evidence.get(day.day) ?? null,
        }))
      },
    }),
  }),
})

builder.objectField('Project', 'monitors', (t) =>
  t.field(
    connectionField({
      type: connectionOf(monitorType, {
        description: 'The monitors of a project.',
        sortKey: ({ kind, id }) => [monitorKinds.indexOf(kind), id],
        isWhole: true,
      }),
      size: wholeSize,
      access: readOfProject,
      description:
        'Monitors that look for changes which are not chance: together they raise at most one false alarm a year.',
      resolve: async ({ project }: ProjectScope, _args, context) => ({
        rows: await monitorsIn(context).load(project.id),
      }),
    }),
  ),
)
