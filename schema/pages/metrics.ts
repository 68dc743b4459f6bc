import type { PageClicks } from '../../resolvers/pages/metrics.ts'
import { type PageMetrics, pageMetrics } from '../../resolvers/pages/metrics.ts'
import { windowArgs } from '../kit/args.ts'
import { builder } from '../kit/builder.ts'
import { report } from '../kit/report.ts'
import { reportFields } from '../kit/report-fields.ts'

const day = { type: 'Date', description: 'UTC day.' } as const

const citationDay = builder
  .objectRef<PageMetrics['citations']['series'][number]>('PageCitationDay')
  .implement({
    description: 'Citations of a page on one day.',
    fields: (t) => ({
      date: t.expose('date', day),
      count: t.expose('count', {
        type: 'SafeInt',
        description: 'Number of answers that cite the page.',
      }),
    }),
  })

const referralDay = builder
  .objectRef<PageMetrics['referrals']['series'][number]>('PageReferralDay')
  .implement({
    description: 'Sessions that one AI platform sent to a page on one day.',
    fields: (t) => ({
      date: t.expose('date', day),
      platform: t.exposeString('platform', { description: 'Id of the AI platform.' }),
      sessions: t.expose('sessions', { type: 'SafeInt', description: 'Number of sessions.' }),
    }),
  })

const crawlDay = builder
  .objectRef<PageMetrics['crawls']['series'][number]>('PageCrawlDay')
  .implement({
    description: 'Requests of one AI crawler for a page on one day.',
    fields: (t) => ({
      date: t.expose('date', day),
      botName: t.exposeString('botName', { description: 'Name of the AI crawler.' }),
      visits: t.expose('visits', { type: 'SafeInt', description: 'Number of requests.' }),
    }),
  })

const isAvailable = 'Whether data is available; false when no data source is connected.'

const citations = builder.objectRef<PageMetrics['citations']>('PageCitations').implement({
  description: 'Citations of a page in AI answers, by day.',
  fields: (t) => ({
    available: t.exposeBoolean('available', { description: 'Always true.' }),
    series: t.expose('series', {
      type: [citationDay],
      description: 'Citations on every day of the window, oldest first.',
    }),
  }),
})

const referrals = builder.objectRef<PageMetrics['referrals']>('PageReferrals').implement({
  description: 'Sessions that AI assistants sent to a page, by day.',
  fields: (t) => ({
    available: t.exposeBoolean('available', { description: isAvailable }),
    series: t.expose('series', {
      type: [referralDay],
      description:
        'Sessions on every day for each AI platform that sent any, sorted by day and platform.',
    }),
  }),
})

const crawls = builder.objectRef<PageMetrics['crawls']>('PageCrawls').implement({
  description: 'Requests of AI crawlers for a page, by day.',
  fields: (t) => ({
    available: t.exposeBoolean('available', { description: isAvailable }),
    series: t.expose('series', {
      type: [crawlDay],
      description:
        'Requests on every day for each AI crawler that sent any, sorted by day and crawler.',
    }),
  }),
})

const clickDay = builder.objectRef<PageClicks['series'][number]>('PageClickDay').implement({
  description: 'Clicks and impressions of a page in search results on one day.',
  fields: (t) => ({
    date: t.expose('date', day),
    clicks: t.expose('clicks', { type: 'SafeInt', description: 'Clicks on the page.' }),
    impressions: t.expose('impressions', {
      type: 'SafeInt',
      description: 'Number of times that search results showed the page.',
    }),
  }),
})

const clicks = builder.objectRef<PageClicks>('PageClicks').implement({
  description: 'Clicks on a page in search results by day, from Search Console.',
  fields: (t) => ({
    available: t.exposeBoolean('available', { description: isAvailable }),
    series: t.expose('series', {
      type: [clickDay],
      description: 'Clicks on every day of the window, oldest first.',
    }),
  }),
})

report('pageMetrics', {
  type: builder.objectRef<PageMetrics>('PageMetrics').implement({
    description: 'Citations, referrals, crawls and clicks of one page, by day.',
    fields: (t) => ({
      url: t.exposeString('url', { description: 'Normalised URL of the page.' }),
      citations: t.expose('citations', {
        type: citations,
        description: 'Citations of the page in AI answers.',
      }),
      referrals: t.expose('referrals', {
        type: referrals,
        description: 'Sessions that AI assistants sent to the page.',
      }),
      crawls: t.expose('crawls', {
        type: crawls,
        description: 'Requests of AI crawlers for the page.',
      }),
      clicks: t.field({
        type: clicks,
        view: 'graph',
        description: 'Clicks on the page in search results.',
        resolve: (report) => report.clicks(),
      }),
      dateRange: reportFields.dateRange(t),
    }),
  }),
  description:
    'Citations of one page in AI answers, sessions from AI assistants, and requests of AI crawlers.',
  problems: ['query_timeout'],
  args: {
    ...builder.args((t) => ({
      url: t.string({
        required: true,
        description: 'An http or https URL of the page, normalised like the URLs of citations.',
      }),
    })),
    ...windowArgs,
  },
  resolve: pageMetrics,
})
