import { botCategories } from '../../core/bots.ts'
import type { Referrals } from '../../resolvers/traffic/referrals.ts'
import type {
  BotVisits,
  CategoryVisits,
  CrawlDay,
  CrawledPage,
  Crawlers,
  Grouping,
  PlatformVisits,
  TrafficOverview,
} from '../../resolvers/traffic/traffic.ts'
import { builder, type Types } from '../kit/builder.ts'
import { reportFields } from '../kit/report-fields.ts'
import { trafficGrouping } from './args.ts'

const categoryMeanings = {
  ai_training: 'Gathers pages that models are trained on.',
  ai_search: 'Keeps the index that an assistant searches.',
  ai_assistant: 'Fetches a page because a user has asked.',
  ai_agent: 'Acts on pages for a user.',
  search_engine: 'Keeps the index of a web search.',
}

export const botCategory = builder.enumType('BotCategory', {
  description: 'What a crawler reads pages for.',
  values: Object.fromEntries(
    botCategories.map((name) => [name, { description: categoryMeanings[name] }]),
  ) as Record<keyof typeof categoryMeanings, { description: string }>,
})

export const platformOfBot = 'Id of the AI platform that the crawler serves.'
export const visitsMeaning =
  'HTTP requests (`server_request` events). Other events are no crawls, and count nowhere.'

const crawlDay = builder.objectRef<CrawlDay>('CrawlDay').implement({
  description: 'Crawls on one day.',
  fields: (t) => ({
    date: t.expose('date', { type: 'Date', description: 'UTC day.' }),
    total: t.expose('total', { type: 'SafeInt', description: 'Crawls on that day.' }),
  }),
})

/** The crawler itself, as the registry last named it. */
export const botFields = <Shape extends Omit<BotVisits, 'visits'>>(
  t: PothosSchemaTypes.ObjectFieldBuilder<Types, Shape>,
) => ({
  botId: t.field({
    type: 'SafeInt',
    description: 'Its number in the registry of crawlers.',
    resolve: (bot) => bot.botId,
  }),
  botName: t.string({ description: 'Its name.', resolve: (bot) => bot.botName }),
  botVendor: t.string({ description: 'Whose crawler it is.', resolve: (bot) => bot.botVendor }),
  botCategory: t.field({
    type: botCategory,
    description: 'What it reads pages for.',
    resolve: (bot) => bot.botCategory,
  }),
})

const platformVisits = builder.objectRef<PlatformVisits>('CrawlsByPlatform').implement({
  description: 'Crawls for one AI platform.',
  fields: (t) => ({
    platform: t.exposeString('platform', { description: platformOfBot }),
    visits: t.expose('visits', { type: 'SafeInt', description: visitsMeaning }),
    series: t.field({
      type: [crawlDay],
      view: 'graph',
      description: 'One entry a day of the window, oldest first; 0 on a day without any.',
      resolve: (row) => row.series(),
    }),
  }),
})

const categoryVisits = builder.objectRef<CategoryVisits>('CrawlsByCategory').implement({
  description: 'Crawls for one purpose.',
  fields: (t) => ({
    botCategory: t.expose('botCategory', {
      type: botCategory,
      description: 'What the crawlers read pages for.',
    }),
    visits: t.expose('visits', { type: 'SafeInt', description: visitsMeaning }),
  }),
})

const botVisits = builder.objectRef<BotVisits>('CrawlsByBot').implement({
  description: 'Crawls by one crawler.',
  fields: (t) => ({
    ...botFields(t),
    visits: t.expose('visits', { type: 'SafeInt', description: visitsMeaning }),
  }),
})

/**
 * An overview, and what a REST client named: null where it named nothing. A GraphQL client names by selecting,
 * and has no such argument.
 */
type Overview = TrafficOverview & { readonly groupBy: Grouping | null | undefined }

const shows = ({ groupBy }: Pick<Overview, 'groupBy'>, grouping: Grouping) =>
  groupBy === undefined || groupBy === grouping

const whileGrouped = { nullable: true, omitNull: true } as const

const crawlers = builder
  .objectRef<Crawlers & Pick<Overview, 'groupBy'>>('CrawlerTraffic')
  .implement({
    description: 'Requests of known crawlers, which never include visits of people.',
    fields: (t) => ({
      total: t.field({
        type: 'SafeInt',
        description: visitsMeaning,
        resolve: (it) => it.total(),
      }),
      byPlatform: t.field({
        type: [platformVisits],
        description: 'By AI platform, most first, ties by id.',
        resolve: (it) => it.byPlatform(),
      }),
      byCategory: t.field({
        ...whileGrouped,
        type: [categoryVisits],
        description:
          'By purpose, most first, ties by name. In REST present only with `groupBy=botCategory`.',
        resolve: (it) => (shows(it, 'botCategory') ? it.byCategory() : null),
      }),
      byBot: t.field({
        ...whileGrouped,
        type: [botVisits],
        description:
          'By crawler, most first, ties by name. In REST present only with `groupBy=botName`.',
        resolve: (it) => (shows(it, 'botName') ? it.byBot() : null),
      }),
      series: t.field({
        type: [crawlDay],
        view: 'graph',
        description: 'One entry a day of the window, oldest first; 0 on a day without any.',
        resolve: (it) => it.series(),
      }),
    }),
  })

const platformSessions = builder
  .objectRef<Referrals['byPlatform'][number]>('ReferralsByPlatform')
  .implement({
    description: 'Sessions that one AI platform sent.',
    fields: (t) => ({
      platform: t.exposeString('platform', { description: 'Id of the AI platform.' }),
      sessions: t.expose('sessions', { type: 'SafeInt', description: 'Sessions.' }),
    }),
  })

const referrals = builder.objectRef<Referrals>('AiReferrals').implement({
  description:
    'Visits of people whom an AI assistant sent, from web analytics; none without it. They are never counted as crawls.',
  fields: (t) => ({
    total: t.expose('total', { type: 'SafeInt', description: 'Sessions.' }),
    byPlatform: t.field({
      type: [platformSessions],
      description: 'By AI platform, most first.',
      resolve: (it) => [...it.byPlatform],
    }),
  }),
})

const crawledPage = builder.objectRef<CrawledPage>('CrawledPage').implement({
  description: 'A page that crawlers read.',
  fields: (t) => ({
    path: t.exposeString('path', { description: 'Its path, without a query string.' }),
    crawls: t.expose('crawls', { type: 'SafeInt', description: visitsMeaning }),
    referrals: t.field({
      type: 'SafeInt',
      nullable: true,
      view: 'rest',
      description: 'Always null: referrals are not told by page here.',
      resolve: () => null,
    }),
  }),
})

export const overviewReport = builder.objectRef<Overview>('TrafficOverview').implement({
  description: 'Who crawls the site, and which pages.',
  fields: (t) => ({
    crawlers: t.field({
      type: crawlers,
      description: 'Requests of known crawlers.',
      resolve: (it) => ({ ...it.crawlers, groupBy: it.groupBy }),
    }),
    referrals: t.field({
      type: referrals,
      description: 'Visits of people whom an AI assistant sent.',
      resolve: (it) => it.referrals(),
    }),
    topPages: t.field({
      type: [crawledPage],
      description: 'The ten most crawled pages, ties by path.',
      resolve: (it) => it.topPages(),
    }),
    dateRange: reportFields.dateRange(t),
    groupBy: t.expose('groupBy', {
      ...whileGrouped,
      type: trafficGrouping,
      view: 'rest',
      description: 'The grouping that was asked for. Present only with `groupBy`.',
    }),
  }),
})
