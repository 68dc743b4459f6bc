import type { Pagination } from '../../core/pagination.ts'
import type { DateRange } from '../../core/window.ts'
import type { ProjectScope } from '../../resolvers/shared/scope.ts'
import {
  type TrafficBot,
  type TrafficBotPage,
  trafficBots,
  trafficGroups,
} from '../../resolvers/traffic/bots.ts'
import type { TrafficListArgs } from '../../resolvers/traffic/crawls.ts'
import { crawlsBy, type Grouping } from '../../resolvers/traffic/traffic.ts'
import { compareInGraph, pageArgs, projectArgs, windowArgs } from '../kit/args.ts'
import { readProject, scopeOf } from '../kit/authorize.ts'
import { builder } from '../kit/builder.ts'
import { countChangeField } from '../kit/change.ts'
import { listOf } from '../kit/lists/connection.ts'
import { report } from '../kit/report.ts'
import { reportFields } from '../kit/report-fields.ts'
import {
  botCategory,
  botFields,
  groupByArg,
  hitArgs,
  hitsMeaning,
  meaningOfBot,
  trafficGrouping,
} from './crawlers.ts'

const botPageArgs = pageArgs({ default: 50, max: 1000 })

export const trafficBot = builder.objectRef<TrafficBot>('Crawler').implement({
  extensions: { restName: 'TrafficBot' },
  description: 'A crawler with hits in the window.',
  fields: (t) => ({
    ...botFields(t),
    visits: t.expose('visits', { type: 'Int', description: hitsMeaning }),
    change: countChangeField(t, 'the number of hits', async (bot, context) => {
      if (!bot.compared) return null
      const crawls = { ...bot.crawls, ...bot.compared }
      const scope = await scopeOf(context, bot.projectId)
      const rows = await crawlsBy(scope, crawls, 'botName')
      const ofBot = rows.filter(({ key }) => key[2] === String(bot.botId))
      return { now: bot.visits, before: ofBot.reduce((sum, { visits }) => sum + visits, 0) }
    }),
    paths: t.expose('paths', { type: 'Int', description: meaningOfBot.paths }),
    firstSeen: t.field({
      graphName: 'firstSeenAt',
      type: 'DateTime',
      description: meaningOfBot.firstSeen,
      resolve: ({ firstMs }) => new Date(firstMs),
    }),
    lastSeen: t.field({
      graphName: 'lastSeenAt',
      type: 'DateTime',
      description: meaningOfBot.lastSeen,
      resolve: ({ lastMs }) => new Date(lastMs),
    }),
  }),
})

const withoutTotal = { description: 'The position of the page in its list; `totalCount` is null.' }

report('trafficBots', {
  graphName: 'crawlers',
  ...listOf(builder.objectRef<TrafficBotPage>('TrafficBotList'), trafficBot, {
    description: 'A page of the crawlers with hits in the window, most hits first.',
    rows: 'bots',
    isCounted: true,
    fields: (t) => ({
      bots: t.expose('bots', {
        type: [trafficBot],
        description: 'Crawlers, most hits first.',
      }),
      pagination: reportFields.pagination(t, withoutTotal),
      ...reportFields.window(t, 'crawls'),
    }),
  }),
  description: 'AI crawlers that read the site, most hits first.',
  args: { ...windowArgs, ...hitArgs, ...compareInGraph, ...botPageArgs },
  resolve: (scope, args) => trafficBots(scope, args as typeof args & TrafficListArgs),
})

// In REST the rows of this list may be groups; a GraphQL client selects groups in the overview.

type Row = { readonly visits: number; readonly platform?: string } & Partial<TrafficBot>

const ofBot = { nullable: true, omitNull: true } as const

const row = builder.objectRef<Row>('TrafficBotRow').implement({
  description: 'A crawler with hits in the window; with `groupBy` an AI platform or a purpose.',
  fields: (t) => ({
    platform: t.exposeString('platform', { ...ofBot, description: meaningOfBot.platform }),
    botId: t.expose('botId', { ...ofBot, type: 'Int', description: meaningOfBot.botId }),
    botName: t.exposeString('botName', { ...ofBot, description: meaningOfBot.botName }),
    botVendor: t.exposeString('botVendor', { ...ofBot, description: meaningOfBot.botVendor }),
    botCategory: t.expose('botCategory', {
      ...ofBot,
      type: botCategory,
      description: meaningOfBot.botCategory,
    }),
    visits: t.expose('visits', { type: 'Int', description: hitsMeaning }),
    paths: t.expose('paths', { ...ofBot, type: 'Int', description: meaningOfBot.paths }),
    firstSeen: t.field({
      ...ofBot,
      type: 'DateTime',
      description: meaningOfBot.firstSeen,
      resolve: ({ firstMs }) => (firstMs === undefined ? null : new Date(firstMs)),
    }),
    lastSeen: t.field({
      ...ofBot,
      type: 'DateTime',
      description: meaningOfBot.lastSeen,
      resolve: ({ lastMs }) => (lastMs === undefined ? null : new Date(lastMs)),
    }),
  }),
})

interface RowPage {
  readonly scope: ProjectScope
  readonly bots: Row[]
  readonly pagination: Pagination
  readonly dateRange: DateRange
  readonly groupBy: Grouping | null
}

const page = builder.objectRef<RowPage>('TrafficBotRowList').implement({
  description: 'A page of the crawlers with hits in the window, or of groups of crawlers.',
  fields: (t) => ({
    bots: t.expose('bots', {
      type: [row],
      description: 'Crawlers or groups of crawlers, most hits first.',
    }),
    pagination: reportFields.pagination(t, withoutTotal),
    ...reportFields.window(t, 'crawls'),
    groupBy: t.expose('groupBy', {
      type: trafficGrouping,
      nullable: true,
      omitNull: true,
      description: 'The requested grouping. Present only with `groupBy`.',
    }),
  }),
})

builder.queryField('listTrafficBots', (t) =>
  t.field({
    type: page,
    nullable: true,
    access: readProject,
    view: 'rest',
    description: 'AI crawlers that read the site, most hits first.',
    problems: ['traffic_not_connected'],
    args: {
      ...projectArgs,
      ...windowArgs,
      ...hitArgs,
      groupBy: groupByArg,
      ...botPageArgs,
    },
    resolve: async (_root, { projectId: id, groupBy = null, ...given }, context) => {
      const scope = await scopeOf(context, id)
      const args = given as typeof given & TrafficListArgs
      const list =
        groupBy === 'platform' || groupBy === 'botCategory'
          ? await trafficGroups(scope, args, groupBy)
          : await trafficBots(scope, args)
      return { ...list, groupBy }
    },
  }),
)
