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
import { builder } from './kit/builder.ts'
import { listOf } from './kit/lists/connection.ts'
import { report } from './kit/report.ts'
import { reportFields } from './kit/report-fields.ts'
import { botCategory, hitArgs } from './traffic/crawlers.ts'

const grouping = builder.enumType('CorrelationGrouping', {
  description: 'The key that joins crawler hits, referrals and citations.',
  values: {
    path: { description: 'By path of the page.' },
    platform: { description: 'By AI platform.' },
    botCategory: { description: 'By purpose of the crawler; counts hits only.' },
    botName: { description: 'By crawler; counts hits only.' },
  },
})

const keyed = (name: CorrelationGrouping) => (row: Correlated) =>
  row.groupBy === name ? row.key : null
const ifGrouped = { nullable: true, omitNull: true } as const

export const correlated = builder.objectRef<Correlated>('CorrelationRow').implement({
  description: 'Crawler hits, referrals and citations with the same key.',
  fields: (t) => ({
    path: t.string({
      ...ifGrouped,
      description:
        'Path of the page, without a query string. Null unless rows are grouped by path.',
      restDescription:
        'Path of the page, without a query string. Present only with `groupBy=path`.',
      resolve: keyed('path'),
    }),
    platformId: t.string({
      ...ifGrouped,
      view: 'rest',
      restName: 'platform',
      description: 'Id of the AI platform. Present only with `groupBy=platform`.',
      resolve: keyed('platform'),
    }),
    botCategory: t.field({
      ...ifGrouped,
      type: botCategory,
      description: 'Purpose of the crawler. Null unless rows are grouped by purpose.',
      restDescription: 'Purpose of the crawler. Present only with `groupBy=botCategory`.',
      resolve: (each) => keyed('botCategory')(each) as typeof botCategory.$inferType | null,
    }),
    botName: t.string({
      ...ifGrouped,
      description: 'Name of the crawler. Null unless rows are grouped by crawler.',
      restDescription: 'Name of the crawler. Present only with `groupBy=botName`.',
      resolve: keyed('botName'),
    }),
    crawls: t.expose('crawls', {
      graphName: 'visits',
      type: 'Int',
      description: 'Hits of known crawlers in the window.',
    }),
    referrals: t.expose('referrals', {
      graphName: 'sessions',
      type: 'Int',
      nullable: true,
      description:
        'Sessions that AI assistants sent. Null without web analytics, and by purpose or crawler.',
    }),
    citations: t.expose('citations', {
      graphName: 'citationCount',
      type: 'Int',
      nullable: true,
      description: "Citations of the brand's own pages. Null by purpose or crawler.",
    }),
    crawlToReferral: t.float({
      nullable: true,
      description: 'Crawler hits per referral session; null without referrals.',
      resolve: ({ crawlToReferral }) => crawlToReferral && rounded(crawlToReferral),
    }),
  }),
})

const { groupBy } = builder.args((t) => ({
  groupBy: t.field({
    type: grouping,
    defaultValue: 'path',
    description: 'Key of the rows.',
    extensions: {
      param: { values: correlationGroupings, default: 'path' },
      restDescription: `Key of the rows: ${correlationGroupings.join(', ')}; default \`path\`.`,
    },
  }),
}))

report('trafficCorrelation', {
  ...listOf(builder.objectRef<TrafficCorrelation>('TrafficCorrelation'), correlated, {
    rows: 'rows',
    description: 'Crawler hits, AI referrals and citations, joined by page or AI platform.',
    fields: (t) => ({
      rows: t.expose('rows', {
        type: [correlated],
        description: 'Rows, most hits first, then most referrals and citations.',
      }),
      pagination: reportFields.pagination(t),
      ...reportFields.window(t, 'crawls'),
      note: t.exposeString('note', { description: 'Reminder that a correlation proves no cause.' }),
    }),
  }),
  description:
    'Crawler hits, AI referrals and citations by page or AI platform: a correlation, not an attribution.',
  problems: ['traffic_not_connected'],
  args: { ...windowArgs, ...hitArgs, groupBy, ...pageArgs({ default: 50, max: 1000 }) },
  resolve: (scope, args) => trafficCorrelation(scope, args as typeof args & CorrelationArgs),
})
