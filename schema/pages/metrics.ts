import type { PageClicks } from '../../resolvers/pages/clicks.ts'
import { type PageMetrics, pageMetrics } from '../../resolvers/pages/metrics.ts'
import { windowArgs } from '../kit/args.ts'
import { builder, report } from '../kit/builder.ts'
import { reportFields } from '../kit/report-fields.ts'

const day = { type: 'Date', description: 'The day.' } as const

const citationDay = builder
  .objectRef<PageMetrics['citations']['series'][number]>('PageCitationDay')
  .implement({
    description: 'Citations of a page on one day.',
    fields: (t) => ({
      date: t.expose('date', day),
      count: t.expose('count', { type: 'SafeInt', description: 'Answers that cite it.' }),
    }),
  })

const referralDay = builder
  .objectRef<PageMetrics['referrals']['series'][number]>('PageReferralDay')
  .implement({
    description: 'Sessions that one AI platform sent to a page on one day.',
    fields: (t) => ({
      date: t.expose('date', day),
      platform: t.exposeString('platform', { description: 'Id of the platform.' }),
      sessions: t.expose('sessions', { type: 'SafeInt', description: 'How many there were.' }),
    }),
  })

const crawlDay = builder
  .objectRef<PageMetrics['crawls']['series'][number]>('PageCrawlDay')
  .implement({
    description: 'Requests of one AI crawler for a page on one day.',
    fields: (t) => ({
      date: t.expose('date', day),
      botName: t.exposeString('botName', { description: 'The crawler.' }),
      visits: t.expose('visits', { type: 'SafeInt', description: 'How many there were.' }),
    }),
  })

const isAvailable = 'Whether that is known: false where nothing that tells it is connected.'

const citations = builder.objectRef<PageMetrics['citations']>('PageCitations').implement({
  description: 'Citations of a page in AI answers.',
  fields: (t) => ({
    available: t.exposeBoolean('available', { description: 'Always true.' }),
    series: t.expose('series', { type: [citationDay], description: 'Every day of the window.' }),
  }),
})

const referrals = builder.objectRef<PageMetrics['referrals']>('PageReferrals').implement({
  description: 'Sessions that AI assistants sent to a page.',
  fields: (t) => ({
    available: t.exposeBoolean('available', { description: isAvailable }),
    series: t.expose('series', {
      type: [referralDay],
      description: 'Every day of the window for each platform that sent any, by day and platform.',
    }),
  }),
})

const crawls = builder.objectRef<PageMetrics['crawls']>('PageCrawls').implement({
  description: 'Requests of AI crawlers for a page.',
  fields: (t) => ({
    available: t.exposeBoolean('available', { description: isAvailable }),
    series: t.expose('series', {
      type: [crawlDay],
      description: 'Every day of the window for each crawler that came, by day and crawler.',
    }),
  }),
})

const clickDay = builder.objectRef<PageClicks['series'][number]>('PageClickDay').implement({
  description: 'What a page got in search results on one day.',
  fields: (t) => ({
    date: t.expose('date', day),
    clicks: t.expose('clicks', { type: 'SafeInt', description: 'Clicks on it.' }),
    impressions: t.expose('impressions', {
      type: 'SafeInt',
      description: 'How often it stood there.',
    }),
  }),
})

const clicks = builder.objectRef<PageClicks>('PageClicks').implement({
  description: 'Clicks on a page in search results, by the search console.',
  fields: (t) => ({
    available: t.exposeBoolean('available', { description: isAvailable }),
    series: t.expose('series', { type: [clickDay], description: 'Every day of the window.' }),
  }),
})

report('pageMetrics', {
  type: builder.objectRef<PageMetrics>('PageMetrics').implement({
    description: 'What became of one page, day by day.',
    fields: (t) => ({
      url: t.exposeString('url', { description: 'Its normalised URL.' }),
      citations: t.expose('citations', { type: citations, description: 'In AI answers.' }),
      referrals: t.expose('referrals', { type: referrals, description: 'From AI assistants.' }),
      crawls: t.expose('crawls', { type: crawls, description: 'By AI crawlers.' }),
      clicks: t.field({
        type: clicks,
        view: 'graph',
        description: 'In search results.',
        resolve: (report) => report.clicks(),
      }),
      dateRange: reportFields.dateRange(t),
    }),
  }),
  description:
    'How often AI answers cite one page, AI assistants send people to it, and AI crawlers read it.',
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
