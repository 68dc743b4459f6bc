import { rounded } from '../core/metrics.ts'
import {
  type Correlated,
  type CorrelationArgs,
  type CorrelationGrouping,
  correlationGroupings,
  type TrafficCorrelation,
  trafficCorrelation,
} from '../resolvers/correlation/correlation.ts'
import { pageArgs, windowArgs } from './kit/args.ts'
import { builder, report } from './kit/builder.ts'
import { reportFields } from './kit/report-fields.ts'
import { hostArg } from './traffic/args.ts'
import { botCategory } from './traffic/overview.ts'

const grouping = builder.enumType('CorrelationGrouping', {
  description: 'What crawls are set beside referrals and citations by.',
  values: {
    path: { description: 'The page, by its path.' },
    platform: { description: 'The AI platform.' },
    botCategory: { description: 'What the crawler reads pages for; of crawls alone.' },
    botName: { description: 'The crawler itself; of crawls alone.' },
  },
})

const keyed = (name: CorrelationGrouping) => (row: Correlated) =>
  row.groupBy === name ? row.key : null
const ifGrouped = { nullable: true, omitNull: true } as const

const row = builder.objectRef<Correlated>('CorrelationRow').implement({
  description: 'Crawls, referrals and citations that have a path or a platform in common.',
  fields: (t) => ({
    path: t.string({
      ...ifGrouped,
      description: 'Path of the page, without query string. Present only with `groupBy=path`.',
      resolve: keyed('path'),
    }),
    platform: t.string({
      ...ifGrouped,
      description: 'Id of the AI platform. Present only with `groupBy=platform`.',
      resolve: keyed('platform'),
    }),
    botCategory: t.field({
      ...ifGrouped,
      type: botCategory,
      description: 'What the crawler reads pages for. Present only with `groupBy=botCategory`.',
      resolve: (each) => keyed('botCategory')(each) as typeof botCategory.$inferType | null,
    }),
    botName: t.string({
      ...ifGrouped,
      description: 'Name of the crawler. Present only with `groupBy=botName`.',
      resolve: keyed('botName'),
    }),
    crawls: t.expose('crawls', { type: 'SafeInt', description: 'Requests of known crawlers.' }),
    referrals: t.expose('referrals', {
      type: 'SafeInt',
      nullable: true,
      description:
        'Sessions that AI assistants sent; null without web analytics, and where crawlers alone are counted.',
    }),
    citations: t.expose('citations', {
      type: 'SafeInt',
      nullable: true,
      description: 'Citations of own pages in answers; null where crawlers alone are counted.',
    }),
    crawlToReferral: t.float({
      nullable: true,
      description: 'Crawls for each referral; null without referrals.',
      resolve: ({ crawlToReferral }) => crawlToReferral && rounded(crawlToReferral),
    }),
  }),
})

const { groupBy } = builder.args((t) => ({
  groupBy: t.field({
    type: grouping,
    defaultValue: 'path',
    description: `What is counted by: ${correlationGroupings.join(', ')}; \`path\` unless given.`,
    extensions: { param: { values: correlationGroupings, default: 'path' } },
  }),
}))

report('trafficCorrelation', {
  type: builder.objectRef<TrafficCorrelation>('TrafficCorrelation').implement({
    description: 'What crawlers read, beside what people were sent to and what answers cite.',
    fields: (t) => ({
      rows: t.expose('rows', {
        type: [row],
        description: 'Most crawls first, then most referrals and citations, ties by key.',
      }),
      pagination: reportFields.pagination(t),
      dateRange: reportFields.dateRange(t),
      note: t.exposeString('note', { description: 'How these numbers are to be read.' }),
    }),
  }),
  description:
    'What crawlers read, beside what people were sent to and what answers cite: what occurs together, and no attribution.',
  problems: ['traffic_not_connected'],
  args: { ...windowArgs, host: hostArg, groupBy, ...pageArgs({ default: 50, max: 1000 }) },
  resolve: (scope, args) => trafficCorrelation(scope, args as typeof args & CorrelationArgs),
})
