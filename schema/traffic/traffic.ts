import { botCategories } from '../../core/bots.ts'
import { botsOfMany, trafficBots } from '../../resolvers/traffic/bots.ts'
import { logsOfMany, trafficLogs } from '../../resolvers/traffic/logs.ts'
import { type ReadReferrals, referralsOfMany } from '../../resolvers/traffic/referrals.ts'
import type { PageAsk, TrafficListArgs } from '../../resolvers/traffic/scope.ts'
import { statusOfMany } from '../../resolvers/traffic/status.ts'
import { countsOfMany, type ReadCounts, trafficOverview } from '../../resolvers/traffic/traffic.ts'
import { pageArgs, windowArgs } from '../kit/args.ts'
import { batched } from '../kit/batch.ts'
import { builder, report } from '../kit/builder.ts'
import { groupByArg, hostArg } from './args.ts'
import { botReport, logReport, statusReport } from './lists.ts'
import { botCategory, overviewReport } from './overview.ts'

report('trafficOverview', {
  type: overviewReport,
  description: 'Which AI crawlers read the site, how often, and which pages.',
  problems: ['traffic_not_connected'],
  args: { ...windowArgs, host: hostArg, groupBy: groupByArg },
  resolve: async (scope, { groupBy, ...args }, context) => {
    const read: ReadCounts = (ask) => batched(context, 'traffic.counts', scope, ask, countsOfMany)
    const readReferrals: ReadReferrals = (ask) =>
      batched(context, 'traffic.referrals', scope, ask, referralsOfMany)
    return { ...trafficOverview(scope, args, read, readReferrals), groupBy }
  },
})

report('trafficBots', {
  type: botReport,
  description: 'The AI crawlers that read the site, a page of them.',
  args: { ...windowArgs, host: hostArg, ...pageArgs({ default: 50, max: 1000 }) },
  resolve: (scope, args, context) =>
    trafficBots(scope, args as typeof args & TrafficListArgs, (ask) =>
      batched(context, 'traffic.bots', scope, ask, botsOfMany),
    ),
})

const logArgs = builder.args((t) => ({
  botName: t.string({ description: 'Only crawls of the crawler with this name, in any case.' }),
  botCategory: t.field({
    type: botCategory,
    description: `Only crawls for this purpose: ${botCategories.join(', ')}.`,
    extensions: { param: { values: botCategories } },
  }),
  path: t.string({ description: 'Only crawls of this very path, without a query string.' }),
}))

report('trafficLogs', {
  type: logReport,
  description: 'Single crawls, newest first.',
  problems: ['traffic_not_connected'],
  args: { ...windowArgs, host: hostArg, ...logArgs, ...pageArgs({ default: 25, max: 100 }) },
  resolve: (scope, args, context) =>
    trafficLogs(scope, args as typeof args & TrafficListArgs, (ask: PageAsk) =>
      batched(context, 'traffic.logs', scope, ask, logsOfMany),
    ),
})

report('trafficStatus', {
  type: statusReport,
  description: 'Which sources of crawls are connected, and when the newest event came.',
  problems: ['query_timeout'],
  args: {},
  resolve: (scope, args, context) => batched(context, 'traffic.status', scope, args, statusOfMany),
})
