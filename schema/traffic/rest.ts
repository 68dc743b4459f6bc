import type { Pagination } from '../../core/pagination.ts'
import type { DateRange } from '../../core/window.ts'
import {
  botsOfMany,
  type TrafficBot,
  trafficBots,
  trafficGroups,
} from '../../resolvers/traffic/bots.ts'
import type { TrafficListArgs } from '../../resolvers/traffic/scope.ts'
import type { Grouping } from '../../resolvers/traffic/traffic.ts'
import { pageArgs, windowArgs } from '../kit/args.ts'
import { readProject, scopeOf } from '../kit/authorize.ts'
import { batched } from '../kit/batch.ts'
import { builder } from '../kit/builder.ts'
import { reportFields } from '../kit/report-fields.ts'
import { groupByArg, hostArg, trafficGrouping } from './args.ts'
import { botCategory, platformOfBot, visitsMeaning } from './overview.ts'

/** The list of crawlers in the shape of REST, whose rows may be groups; GraphQL selects groups in the overview. */

type Row = { readonly visits: number; readonly platform?: string } & Partial<TrafficBot>

const ofBot = { nullable: true, omitNull: true } as const

const row = builder.objectRef<Row>('TrafficBotRow').implement({
  description: 'A crawler that came; with `groupBy` a platform or a category.',
  fields: (t) => ({
    platform: t.exposeString('platform', { ...ofBot, description: platformOfBot }),
    botId: t.expose('botId', {
      ...ofBot,
      type: 'SafeInt',
      description: 'Its number in the registry of crawlers.',
    }),
    botName: t.exposeString('botName', { ...ofBot, description: 'Its name.' }),
    botVendor: t.exposeString('botVendor', { ...ofBot, description: 'Whose crawler it is.' }),
    botCategory: t.expose('botCategory', {
      ...ofBot,
      type: botCategory,
      description: 'What it reads pages for.',
    }),
    visits: t.expose('visits', { type: 'SafeInt', description: visitsMeaning }),
    paths: t.expose('paths', {
      ...ofBot,
      type: 'SafeInt',
      description: 'Distinct paths that it read.',
    }),
    firstSeen: t.field({
      ...ofBot,
      type: 'DateTime',
      description: 'When it first came, in the window.',
      resolve: ({ firstMs }) => (firstMs === undefined ? null : new Date(firstMs)),
    }),
    lastSeen: t.field({
      ...ofBot,
      type: 'DateTime',
      description: 'When it last came, in the window.',
      resolve: ({ lastMs }) => (lastMs === undefined ? null : new Date(lastMs)),
    }),
  }),
})

interface RowPage {
  readonly bots: Row[]
  readonly pagination: Pagination
  readonly dateRange: DateRange
  readonly groupBy: Grouping | null
}

const page = builder.objectRef<RowPage>('TrafficBotRowList').implement({
  description: 'A page of the crawlers that came, or of groups of them.',
  fields: (t) => ({
    bots: t.expose('bots', { type: [row], description: 'Most crawls first, ties by name.' }),
    pagination: reportFields.pagination(t, {
      description: 'Where the page stands; without `totalCount`.',
    }),
    dateRange: reportFields.dateRange(t),
    groupBy: t.expose('groupBy', {
      type: trafficGrouping,
      nullable: true,
      omitNull: true,
      description: 'The grouping that was asked for. Present only with `groupBy`.',
    }),
  }),
})

const projectId = builder.args((t) => ({
  projectId: t.id({ required: true, description: 'Id of the project.' }),
})).projectId

builder.queryField('listTrafficBots', (t) =>
  t.field({
    type: page,
    nullable: true,
    access: readProject,
    view: 'rest',
    description: 'The AI crawlers that read the site, a page of them.',
    problems: ['traffic_not_connected'],
    args: {
      projectId,
      ...windowArgs,
      host: hostArg,
      groupBy: groupByArg,
      ...pageArgs({ default: 50, max: 1000 }),
    },
    resolve: async (_root, { projectId: id, groupBy = null, ...given }, context) => {
      const scope = await scopeOf(context, id)
      const args = given as typeof given & TrafficListArgs
      const list =
        groupBy === 'platform' || groupBy === 'botCategory'
          ? await trafficGroups(scope, args, groupBy)
          : await trafficBots(scope, args, (ask) =>
              batched(context, 'traffic.bots', scope, ask, botsOfMany),
            )
      return { ...list, groupBy }
    },
  }),
)
