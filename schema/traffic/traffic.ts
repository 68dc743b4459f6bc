import type { BotCategory } from '../../core/bots/bots.ts'
import { batched } from '../../resolvers/shared/batch.ts'
import {
  type PlatformSessions,
  type ReferralStep,
  type Referrals,
  referralStepsOfMany,
} from '../../resolvers/traffic/referrals.ts'
import {
  type BotVisits,
  type CategoryVisits,
  type CrawledPage,
  type Crawlers,
  type CrawlPoint,
  type Grouping,
  type PlatformVisits,
  type StatusVisits,
  type TrafficOverview,
  trafficOverview,
} from '../../resolvers/traffic/traffic.ts'
import { compareInGraph, windowArgs } from '../kit/args.ts'
import { scopeOf } from '../kit/authorize.ts'
import { builder } from '../kit/builder.ts'
import { changeSince, countChangeField } from '../kit/change.ts'
import { bucketFields, everyBucket, intervalArgs } from '../kit/history.ts'
import { report } from '../kit/report.ts'
import { type FieldsOf, reportFields } from '../kit/report-fields.ts'
import {
  botCategory,
  botFields,
  groupByArg,
  hitArgs,
  hitsMeaning,
  meaningOfBot,
  trafficGrouping,
} from './crawlers.ts'

const crawlPoint = builder.objectRef<CrawlPoint>('CrawlPoint').implement({
  description: 'Crawler hits on one day, or in one week or month.',
  fields: (t) => ({
    ...bucketFields(t),
    visits: t.expose('total', {
      type: 'Int',
      description: 'Crawler hits from `from` to `to`.',
    }),
  }),
})

/** The change of the hits of a row. */
const visitsChange = <Row extends { readonly visits: number; readonly previous: number | null }>(
  t: FieldsOf<Row>,
) =>
  countChangeField(t, 'the number of hits', ({ visits, previous }: Row) =>
    changeSince(visits, previous),
  )

const seriesMeaning = everyBucket('hits').description

export const platformVisits = builder.objectRef<PlatformVisits>('CrawlsByPlatform').implement({
  description: 'Crawler hits for one AI platform.',
  fields: (t) => ({
    platformId: t.exposeString('platform', {
      view: 'rest',
      restName: 'platform',
      description: meaningOfBot.platform,
    }),
    visits: t.expose('visits', { type: 'Int', description: hitsMeaning }),
    change: visitsChange(t),
    series: t.field({
      type: [crawlPoint],
      view: 'graph',
      description: seriesMeaning,
      args: intervalArgs,
      resolve: (row, { interval }) => row.series(interval ?? 'day'),
    }),
  }),
})

const categoryVisits = builder.objectRef<CategoryVisits>('CrawlsByCategory').implement({
  description: 'Crawler hits for one purpose.',
  fields: (t) => ({
    botCategory: t.expose('botCategory', {
      type: botCategory,
      description: 'Purpose for which the crawlers read pages.',
    }),
    visits: t.expose('visits', { type: 'Int', description: hitsMeaning }),
    change: visitsChange(t),
  }),
})

export const botVisits = builder.objectRef<BotVisits>('CrawlsByBot').implement({
  description: 'Hits of one crawler.',
  fields: (t) => ({
    ...botFields(t),
    visits: t.expose('visits', { type: 'Int', description: hitsMeaning }),
    change: visitsChange(t),
  }),
})

const statusVisits = builder.objectRef<StatusVisits>('CrawlsByStatus').implement({
  description: 'Crawler hits that the site answered with one status.',
  fields: (t) => ({
    statusCode: t.expose('statusCode', {
      type: 'Int',
      description: 'HTTP status of the responses; 0 where the sender did not say it.',
    }),
    visits: t.expose('visits', { type: 'Int', description: hitsMeaning }),
    change: visitsChange(t),
  }),
})

/** An overview with the `groupBy` of REST: null when absent, undefined in GraphQL. */
type Overview = TrafficOverview & { readonly groupBy: Grouping | null | undefined }

const whileGrouped = { nullable: true, omitNull: true, view: 'rest' } as const

const byPurpose = 'Crawler hits by purpose, most hits first.'
const byCrawler = 'Hits by crawler, most hits first.'

const visitsOf = (
  rows: readonly CategoryVisits[],
  isCounted: (category: BotCategory) => boolean,
): number =>
  rows.reduce((sum, { botCategory, visits }) => sum + (isCounted(botCategory) ? visits : 0), 0)

const crawlers = builder
  .objectRef<Crawlers & Pick<Overview, 'groupBy'>>('CrawlerTraffic')
  .implement({
    description: 'Hits of known crawlers; visits of people never count.',
    fields: (t) => ({
      total: t.field({
        type: 'Int',
        description: hitsMeaning,
        resolve: (it) => it.total(),
      }),
      change: countChangeField(t, 'the number of hits', async (it) =>
        changeSince(await it.total(), await it.previousTotal()),
      ),
      aiVisits: t.field({
        type: 'Int',
        view: 'graph',
        description: 'Hits of AI crawlers: for every purpose but a web search engine.',
        resolve: async (it) => visitsOf(await it.byCategory(), (name) => name !== 'search_engine'),
      }),
      searchEngineVisits: t.field({
        type: 'Int',
        view: 'graph',
        description: 'Hits of the crawlers of web search engines, such as Googlebot.',
        resolve: async (it) => visitsOf(await it.byCategory(), (name) => name === 'search_engine'),
      }),
      byPlatform: t.field({
        type: [platformVisits],
        description: 'Crawler hits by AI platform, most hits first.',
        resolve: (it) => it.byPlatform(),
      }),
      byCategory: t.field({
        type: [categoryVisits],
        view: 'graph',
        description: byPurpose,
        resolve: (it) => it.byCategory(),
      }),
      groupedByCategory: t.field({
        ...whileGrouped,
        restName: 'byCategory',
        type: [categoryVisits],
        description: `${byPurpose} Present only with \`groupBy=botCategory\`.`,
        resolve: (it) => (it.groupBy === 'botCategory' ? it.byCategory() : null),
      }),
      byBot: t.field({
        type: [botVisits],
        view: 'graph',
        description: byCrawler,
        resolve: (it) => it.byBot(),
      }),
      groupedByBot: t.field({
        ...whileGrouped,
        restName: 'byBot',
        type: [botVisits],
        description: `${byCrawler} Present only with \`groupBy=botName\`.`,
        resolve: (it) => (it.groupBy === 'botName' ? it.byBot() : null),
      }),
      byStatus: t.field({
        type: [statusVisits],
        view: 'graph',
        description: 'Crawler hits by the HTTP status that the site answered, most hits first.',
        resolve: (it) => it.byStatus(),
      }),
      series: t.field({
        type: [crawlPoint],
        view: 'graph',
        description: seriesMeaning,
        args: intervalArgs,
        resolve: (it, { interval }) => it.series(interval ?? 'day'),
      }),
    }),
  })

export const platformSessions = builder
  .objectRef<PlatformSessions>('ReferralsByPlatform')
  .implement({
    description: 'Sessions that one AI platform sent.',
    fields: (t) => ({
      platformId: t.exposeString('platform', {
        view: 'rest',
        restName: 'platform',
        description: 'Id of the AI platform.',
      }),
      sessions: t.expose('sessions', {
        type: 'Int',
        description: 'Sessions that the AI platform sent.',
      }),
      change: countChangeField(t, 'the number of sessions', ({ sessions, previous }) =>
        changeSince(sessions, previous),
      ),
    }),
  })

export const referralPoint = builder.objectRef<ReferralStep>('AiReferralPoint').implement({
  description: 'Sessions that one AI platform sent on one day, or in one week or month.',
  fields: (t) => ({
    ...bucketFields(t),
    sessions: t.expose('sessions', {
      type: 'Int',
      description: 'Sessions from `from` to `to`.',
    }),
  }),
})

const referrals = builder.objectRef<Referrals>('AiReferrals').implement({
  description: 'Sessions of people whom an AI assistant sent, by web analytics.',
  fields: (t) => ({
    total: t.expose('total', {
      type: 'Int',
      description: 'Sessions that AI assistants sent.',
    }),
    change: countChangeField(t, 'the number of sessions', ({ total, previous }) =>
      changeSince(total, previous),
    ),
    byPlatform: t.field({
      type: [platformSessions],
      description: 'Sessions by AI platform, most sessions first.',
      resolve: (it) => [...it.byPlatform],
    }),
    series: t.field({
      type: [referralPoint],
      view: 'graph',
      description:
        'Sessions by day, week or month and AI platform, oldest first. A platform without sessions has no row.',
      args: intervalArgs,
      resolve: async ({ projectId, asked }, { interval }, context) => {
        const scope = await scopeOf(context, projectId)
        const steps = { ...asked, interval: interval ?? 'day' }
        return batched('traffic.referral-steps', scope, steps, referralStepsOfMany)
      },
    }),
  }),
})

export const crawledPage = builder.objectRef<CrawledPage>('CrawledPage').implement({
  description: 'A page that crawlers requested.',
  fields: (t) => ({
    path: t.exposeString('path', { description: 'Path of the page, without a query string.' }),
    crawls: t.expose('crawls', { graphName: 'visits', type: 'Int', description: hitsMeaning }),
    referrals: t.field({
      type: 'Int',
      nullable: true,
      view: 'rest',
      description: 'Always null: this report does not count referrals by page.',
      resolve: () => null,
    }),
  }),
})

report('trafficOverview', {
  type: builder.objectRef<Overview>('TrafficOverview').implement({
    description: 'Crawler hits, AI referrals and the most crawled pages.',
    fields: (t) => ({
      crawlers: t.field({
        type: crawlers,
        description: 'Hits of known crawlers.',
        resolve: (it) => ({ ...it.crawlers, groupBy: it.groupBy }),
      }),
      referrals: t.field({
        type: referrals,
        description: 'Sessions of people whom an AI assistant sent.',
        resolve: (it) => it.referrals(),
      }),
      topPages: t.field({
        type: [crawledPage],
        description: 'The ten pages with most crawler hits.',
        resolve: (it) => it.topPages(),
      }),
      ...reportFields.window(t, 'crawls'),
      groupBy: t.expose('groupBy', {
        ...whileGrouped,
        type: trafficGrouping,
        description: 'The requested grouping. Present only with `groupBy`.',
      }),
    }),
  }),
  description: 'AI crawlers that read the site: number of hits, and most crawled pages.',
  problems: ['traffic_not_connected'],
  args: { ...windowArgs, ...hitArgs, ...compareInGraph, groupBy: groupByArg },
  resolve: async (scope, { groupBy, ...args }) => ({ ...trafficOverview(scope, args), groupBy }),
})
