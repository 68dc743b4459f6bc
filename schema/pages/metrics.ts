import { type DateRange, yearWindow } from '../../core/window.ts'
import {
  type CitingAnswers,
  citingAnswers,
  type UrlOfProject,
} from '../../resolvers/pages/citations.ts'
import {
  citationsOfPages,
  clicksOfPages,
  crawlsOfPages,
  type PageCitations,
  type PageClicks,
  type PageCrawls,
  type PageMetrics,
  type PageReferrals,
  pageMetrics,
  referralsOfPages,
} from '../../resolvers/pages/metrics.ts'
import { totalOf, totalsBy } from '../../resolvers/pages/totals.ts'
import type { ProjectScope } from '../../resolvers/shared/scope.ts'
import { timesRetrieved } from '../../resolvers/sources/retrieved.ts'
import { windowArgs } from '../kit/args.ts'
import { readOfOwner, scopeOf } from '../kit/authorize.ts'
import { together } from '../kit/batch.ts'
import { builder } from '../kit/builder.ts'
import type { Context } from '../kit/context.ts'
import { bucketFields, intervalArgs } from '../kit/history.ts'
import { windowOf, withInputNames } from '../kit/inputs.ts'
import { coverageField } from '../kit/method/coverage.ts'
import { methodField } from '../kit/method/method.ts'
import { report } from '../kit/report.ts'
import { dataAvailable, reportFields } from '../kit/report-fields.ts'
import { sliceOf, sliceParents } from '../kit/slice-parents.ts'
import { platformSessions } from '../traffic/traffic.ts'
import { pageType } from './pages.ts'

type Point<Part extends { series: (...args: never[]) => readonly unknown[] }> = ReturnType<
  Part['series']
>[number]

const citationDay = builder.objectRef<Point<PageCitations>>('PageCitationPoint').implement({
  description: 'Citations of a page in one row of a series.',
  extensions: { restName: 'PageCitationDay' },
  fields: (t) => ({
    ...bucketFields(t),
    count: t.expose('count', {
      graphName: 'citedIn',
      type: 'Int',
      description: 'Answers that cite the page.',
    }),
  }),
})

export const referralDay = builder.objectRef<Point<PageReferrals>>('PageReferralPoint').implement({
  description: 'Sessions that one AI platform sent to a page in one row of a series.',
  extensions: { restName: 'PageReferralDay' },
  fields: (t) => ({
    ...bucketFields(t),
    platformId: t.exposeString('platform', {
      view: 'rest',
      restName: 'platform',
      description: 'Id of the AI platform.',
    }),
    sessions: t.expose('sessions', { type: 'Int', description: 'Sessions.' }),
  }),
})

export const crawlDay = builder.objectRef<Point<PageCrawls>>('PageCrawlPoint').implement({
  description: 'Requests of one AI crawler for a page in one row of a series.',
  extensions: { restName: 'PageCrawlDay' },
  fields: (t) => ({
    ...bucketFields(t),
    botName: t.exposeString('botName', { description: 'Name of the AI crawler.' }),
    visits: t.expose('visits', { type: 'Int', description: 'Requests.' }),
  }),
})

const isAvailable = 'Whether data is available; false when no data source is connected.'

const nullWithout = 'null when no data source is connected'
const total = { type: 'Int', nullable: true, view: 'graph' } as const

export const crawlsByBot = builder
  .objectRef<ReturnType<typeof totalsBy>[number]>('PageCrawlsByBot')
  .implement({
    description: 'Requests of one AI crawler for a page.',
    fields: (t) => ({
      botName: t.exposeString('name', { description: 'Name of the AI crawler.' }),
      visits: t.expose('total', {
        type: 'Int',
        description: 'Requests in the window.',
      }),
    }),
  })

export const citingPlatform = builder
  .objectRef<CitingAnswers['platforms'][number] & { readonly projectId: string }>('CitingPlatform')
  .implement({
    description: 'Answers of one AI platform that cite a page.',
    fields: (t) => ({
      citedIn: t.expose('answers', {
        type: 'Int',
        description: 'Answers of the platform that cite the page.',
      }),
    }),
  })

type Cited = PageCitations & PageMetrics & { readonly scope: ProjectScope }

/** The answers that cite a page, by platform. Those of all pages of a request take one statement. */
const citingOf = ({ page, dateRange }: Cited, context: Context) =>
  together(context, 'pages.citing-answers', page, dateRange, citingAnswers)

const citations = builder.objectRef<Cited>('PageCitations').implement({
  description: 'Answers that cite a page.',
  fields: (t) => ({
    available: t.exposeBoolean('available', { view: 'rest', description: 'Always true.' }),
    series: t.field({
      type: [citationDay],
      description: 'Citations in every day, week or month of the window, oldest first.',
      restDescription: 'Citations on every day of the window, oldest first.',
      args: intervalArgs,
      resolve: ({ series }, { interval }) => [...series(interval ?? 'day')],
    }),
    total: t.field({
      ...total,
      nullable: false,
      description: 'Answers in the window that cite the page.',
      resolve: (part) => totalOf(part, ({ count }) => count) ?? 0,
    }),
    lastCitedOn: t.field({
      type: 'Date',
      nullable: true,
      view: 'graph',
      description:
        'UTC day of the newest answer in the window that cites the page; null without one.',
      resolve: async (part, _args, context) => (await citingOf(part, context)).lastCitedOn,
    }),
    byPlatform: t.field({
      type: [citingPlatform],
      view: 'graph',
      description: 'Answers that cite the page by AI platform, most answers first.',
      resolve: async (part, _args, context) => {
        const { platforms } = await citingOf(part, context)
        return platforms.map((row) => ({ projectId: part.scope.project.id, ...row }))
      },
    }),
    dataAvailable: dataAvailable(t),
    coverage: coverageField(t),
    method: methodField(t),
  }),
})

const retrievals = builder.objectRef<PageMetrics>('PageRetrievals').implement({
  description: 'Answers for which AI assistants read a page, and which do not cite it.',
  fields: (t) => ({
    total: t.field({
      type: 'Int',
      description:
        'Answers in the window for which AI assistants read the page, and which do not cite it.',
      resolve: ({ page, dateRange }, _args, context) =>
        together(context, 'sources.times-retrieved', page, dateRange, timesRetrieved),
    }),
  }),
})

const referrals = builder.objectRef<PageReferrals>('PageReferrals').implement({
  description: 'Sessions that AI assistants sent to a page, by day.',
  fields: (t) => ({
    available: t.exposeBoolean('available', { description: isAvailable }),
    series: t.field({
      type: [referralDay],
      args: intervalArgs,
      resolve: ({ series }, { interval }) => [...series(interval ?? 'day')],
      description: 'Sessions in every day, week or month by AI platform.',
      restDescription:
        'Sessions on every day for each AI platform that sent any, sorted by day and platform.',
    }),
    total: t.field({
      ...total,
      description: `Sessions that AI assistants sent to the page in the window; ${nullWithout}.`,
      resolve: (part) => totalOf(part, ({ sessions }) => sessions),
    }),
    byPlatform: t.field({
      type: [platformSessions],
      view: 'graph',
      description: 'Sessions in the window by AI platform, most sessions first.',
      resolve: (part) =>
        totalsBy(
          part,
          ({ platform }) => platform,
          ({ sessions }) => sessions,
        ).map(({ projectId, name, total: sessions }) => ({ projectId, platform: name, sessions })),
    }),
  }),
})

const crawls = builder.objectRef<PageCrawls>('PageCrawls').implement({
  description: 'Requests of AI crawlers for a page, by day.',
  fields: (t) => ({
    available: t.exposeBoolean('available', { description: isAvailable }),
    series: t.field({
      type: [crawlDay],
      args: intervalArgs,
      resolve: ({ series }, { interval }) => [...series(interval ?? 'day')],
      description: 'Requests in every day, week or month by AI crawler.',
      restDescription:
        'Requests on every day for each AI crawler that sent any, sorted by day and crawler.',
    }),
    total: t.field({
      ...total,
      description: `Requests of AI crawlers for the page in the window; ${nullWithout}.`,
      resolve: (part) => totalOf(part, ({ visits }) => visits),
    }),
    byBot: t.field({
      type: [crawlsByBot],
      view: 'graph',
      description: 'Requests in the window by AI crawler, most requests first.',
      resolve: (part) =>
        totalsBy(
          part,
          ({ botName }) => botName,
          ({ visits }) => visits,
        ),
    }),
  }),
})

const clickDay = builder.objectRef<Point<PageClicks>>('PageClickPoint').implement({
  description: 'Clicks and impressions of a page in search results in one row of a series.',
  fields: (t) => ({
    ...bucketFields(t),
    clicks: t.expose('clicks', { type: 'SafeInt', description: 'Clicks on the page.' }),
    impressions: t.expose('impressions', {
      type: 'SafeInt',
      description: 'Times that search results showed the page.',
    }),
  }),
})

const clicks = builder.objectRef<PageClicks>('PageClicks').implement({
  description: 'Clicks on a page in search results by day, from Search Console.',
  fields: (t) => ({
    available: t.exposeBoolean('available', { description: isAvailable }),
    series: t.field({
      type: [clickDay],
      description: 'Clicks in every day, week or month of the window, oldest first.',
      args: intervalArgs,
      resolve: ({ series }, { interval }) => [...series(interval ?? 'day')],
    }),
    total: t.field({
      ...total,
      type: 'SafeInt',
      description: `Clicks on the page in the window; ${nullWithout}.`,
      resolve: (part) => totalOf(part, ({ clicks }) => clicks),
    }),
    impressions: t.field({
      ...total,
      type: 'SafeInt',
      description: `Times that search results showed the page in the window; ${nullWithout}.`,
      resolve: (part) => totalOf(part, ({ impressions }) => impressions),
    }),
  }),
})

/** One part of the metrics of pages. All pages of a request take one statement. */
function readPart<Part>(
  name: string,
  read: (pages: readonly UrlOfProject[], range: DateRange) => Promise<readonly Part[]>,
) {
  return ({ page, dateRange }: PageMetrics, _args: object, context: Context) =>
    together(context, `pages.${name}`, page, dateRange, read)
}

const readCitations = readPart('citations', citationsOfPages)

const metrics = builder.objectRef<PageMetrics>('PageMetrics').implement({
  description: 'Citations, referrals, crawls and clicks of one page, by day.',
  fields: (t) => ({
    url: t.string({
      description: 'Normalised URL of the page.',
      resolve: ({ page }) => page.url,
    }),
    citations: t.field({
      type: citations,
      description: 'Citations of the page in AI answers.',
      resolve: async (it, args, context) => {
        const part = await readCitations(it, args, context)
        const { scope, url } = it.page
        const slice = sliceOf(sliceParents.page, { projectId: scope.project.id, url })
        return { ...part, ...it, scope: { ...scope, slice } }
      },
    }),
    referrals: t.field({
      type: referrals,
      description: 'Sessions that AI assistants sent to the page.',
      resolve: readPart('referrals', referralsOfPages),
    }),
    crawls: t.field({
      type: crawls,
      description: 'Requests of AI crawlers for the page.',
      resolve: readPart('crawls', crawlsOfPages),
    }),
    retrievals: t.field({
      type: retrievals,
      view: 'graph',
      description: 'Answers for which AI assistants read the page without citing it.',
      resolve: (it) => it,
    }),
    clicks: t.field({
      type: clicks,
      view: 'graph',
      description: 'Clicks on the page in search results.',
      resolve: readPart('clicks', clicksOfPages),
    }),
    dateRange: reportFields.dateRange(t),
  }),
})

const window = windowOf(yearWindow)

builder.objectField(pageType, 'metrics', (t) =>
  t.field({
    type: metrics,
    nullable: true,
    view: 'graph',
    description:
      'How the page was crawled, retrieved, cited and visited, and its clicks in search results.',
    access: readOfOwner,
    args: window.args,
    resolve: ({ projectId, url }, args, context) =>
      withInputNames(async () =>
        pageMetrics(await scopeOf(context, projectId), { url, ...window.flat(args) }),
      ),
  }),
)

report('pageMetrics', {
  type: metrics,
  description: 'Citations, AI sessions and crawler requests of one page.',
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
  resolve: async (scope, args) => pageMetrics(scope, args),
})
