import { rounded } from '../core/metrics.ts'
import type { PageArgs, Pagination } from '../core/pagination.ts'
import type { DateRange } from '../core/window.ts'
import {
  positionBuckets,
  type SearchDay,
  type SearchRow,
  type SearchTotals,
  searchByFew,
  searchByMany,
  searchPerformance,
  searchWindows,
} from '../resolvers/search-console/search-console.ts'
import { pageArgs } from './kit/args.ts'
import { batched } from './kit/batch.ts'
import { builder, report, type Types } from './kit/builder.ts'
import { metricsField, metricsType } from './kit/metric.ts'
import { dateRangeBlock, reportFields, success } from './kit/report-fields.ts'

type FieldsOf<Shape> = PothosSchemaTypes.ObjectFieldBuilder<Types, Shape>

const problems = [
  'gsc_not_connected',
  'gsc_access_denied',
  'gsc_site_not_linked',
  'query_timeout',
] as const

const searchArgs = builder.args((t) => ({
  window: t.string({
    description: `The window in days that end today: ${searchWindows.join(', ')}; 28d unless given. Ignored beside \`startDate\` and \`endDate\`.`,
  }),
  startDate: t.field({
    type: 'Date',
    description:
      'First day of the window, inclusive. Needs `endDate`. The range may span 365 days.',
  }),
  endDate: t.field({
    type: 'Date',
    description: 'Last day of the window, inclusive. Needs `startDate`.',
  }),
}))

/** What every report of the search console begins with. */
const headFields = <Shape extends { siteUrl: string; window: DateRange }>(t: FieldsOf<Shape>) => ({
  siteUrl: t.string({
    description: 'The linked site, as Search Console writes it, such as `sc-domain:example.com`.',
    resolve: ({ siteUrl }) => siteUrl,
  }),
  window: t.field({
    type: dateRangeBlock,
    description: 'The window, in days of Pacific time, as Search Console counts them.',
    resolve: ({ window }) => window,
  }),
})

const ctrMeaning = 'Clicks in percent of impressions; null without impressions.'

const searchMetrics = metricsType<SearchTotals>(
  'SearchMetrics',
  'The ratios of clicks and impressions with their numerators and denominators.',
  { ctr: { description: ctrMeaning, resolve: ({ ctr }) => ctr } },
)

const countFields = <Shape extends SearchTotals>(t: FieldsOf<Shape>) => ({
  clicks: t.field({
    type: 'SafeInt',
    description: 'Clicks on the site in search results.',
    resolve: ({ clicks }) => clicks,
  }),
  impressions: t.field({
    type: 'SafeInt',
    description: 'How often it was shown there.',
    resolve: ({ impressions }) => impressions,
  }),
  ctr: t.float({
    nullable: true,
    description: ctrMeaning,
    resolve: ({ ctr }) => rounded(ctr),
  }),
  position: t.float({
    nullable: true,
    description: 'Mean place over the impressions, from 1; null without impressions.',
    resolve: ({ position }) => rounded(position),
  }),
  metrics: metricsField(t, searchMetrics, (totals) => totals),
})

type Buckets = Exclude<Awaited<ReturnType<typeof positionBuckets>>[number], Error>

const bucket = builder.objectRef<Buckets['buckets'][number]>('PositionBucket').implement({
  description: 'Queries for which the site stands in one range of places.',
  fields: (t) => ({
    label: t.exposeString('label', { description: 'Top 3, Page 1, Page 2 or Beyond.' }),
    range: t.exposeString('range', { description: '1-3, 4-10, 11-20 or 20+.' }),
    queries: t.expose('queries', { type: 'SafeInt', description: 'Distinct queries.' }),
    clicks: t.expose('clicks', { type: 'SafeInt', description: 'Clicks of these queries.' }),
    impressions: t.expose('impressions', {
      type: 'SafeInt',
      description: 'Impressions of these queries.',
    }),
  }),
})

report('positionBuckets', {
  type: builder.objectRef<Buckets>('PositionBuckets').implement({
    description: 'How far up the site stands in search results.',
    fields: (t) => ({
      ...headFields(t),
      buckets: t.expose('buckets', { type: [bucket], description: 'Always the four, best first.' }),
      totalQueries: t.expose('totalQueries', {
        type: 'SafeInt',
        description: 'Queries of all four. Those that Search Console does not name are in none.',
      }),
      success: t.boolean(success),
    }),
  }),
  description: 'Queries by the place that the site has for them on average.',
  problems,
  args: searchArgs,
  resolve: (scope, args, context) =>
    batched(context, 'search-console.buckets', scope, args, positionBuckets),
})

const searchDay = builder.objectRef<SearchDay>('SearchDay').implement({
  description: 'Clicks and impressions of one day.',
  fields: (t) => ({
    date: t.expose('date', { type: 'Date', description: 'The day.' }),
    ...countFields(t),
  }),
})

const searchTotals = builder.objectRef<SearchTotals>('SearchTotals').implement({
  description: 'Clicks and impressions of the whole window.',
  fields: countFields,
})

type Performance = Exclude<Awaited<ReturnType<typeof searchPerformance>>[number], Error>

report('searchPerformance', {
  type: builder.objectRef<Performance>('SearchPerformance').implement({
    description: 'How the site does in search results.',
    fields: (t) => ({
      ...headFields(t),
      totals: t.expose('totals', { type: searchTotals, description: 'Of the whole window.' }),
      series: t.expose('series', {
        type: [searchDay],
        description: 'One entry a day, oldest first; 0 on a day without any.',
      }),
      success: t.boolean(success),
    }),
  }),
  description: 'Clicks and impressions in search results.',
  problems,
  args: searchArgs,
  resolve: (scope, args, context) =>
    batched(context, 'search-console.days', scope, args, searchPerformance),
})

interface SearchList {
  readonly siteUrl: string
  readonly window: DateRange
  readonly rows: readonly SearchRow[]
}

/** The type of a row that is told apart by one name. */
function rowType(type: string, key: 'query' | 'page' | 'country' | 'device', what: string) {
  return builder.objectRef<SearchRow>(type).implement({
    description: `Clicks and impressions of one ${key}.`,
    fields: (t) => ({
      [key as 'query']: t.exposeString('name', { description: what }),
      ...countFields(t),
    }),
  })
}

function listFields(t: FieldsOf<SearchList>, row: ReturnType<typeof rowType>) {
  return {
    ...headFields(t),
    rows: t.field({
      type: [row],
      description: 'Most clicks first, then most impressions, ties by name.',
      resolve: ({ rows }) => rows,
    }),
  }
}

function reportFew(name: string, type: string, key: 'device' | 'country', what: string) {
  const row = rowType(`${type}Row`, key, what)
  const read = searchByFew(key)
  report(name, {
    type: builder.objectRef<SearchList>(type).implement({
      description: `Clicks and impressions by ${key}.`,
      fields: (t) => ({ ...listFields(t, row), success: t.boolean(success) }),
    }),
    description: `Clicks and impressions in search results, by ${key}.`,
    problems,
    args: searchArgs,
    resolve: (scope, args, context) => batched(context, `search-console.${key}`, scope, args, read),
  })
}

function reportMany(name: string, type: string, key: 'query' | 'page', what: string) {
  const row = rowType(`${type}Row`, key, what)
  const read = searchByMany(key)
  report(name, {
    type: builder.objectRef<SearchList & { pagination: Pagination }>(type).implement({
      description: `A page of clicks and impressions by ${key}.`,
      fields: (t) => ({
        ...listFields(t as unknown as FieldsOf<SearchList>, row),
        pagination: reportFields.pagination(t),
        success: t.boolean(success),
      }),
    }),
    description: `Clicks and impressions in search results, by ${key}.`,
    problems,
    args: { ...searchArgs, ...pageArgs({ default: 50, max: 1000 }) },
    resolve: (scope, args, context) =>
      batched(context, `search-console.${key}`, scope, args as typeof args & PageArgs, read),
  })
}

reportFew('searchDevices', 'SearchDevices', 'device', 'desktop, mobile or tablet.')
reportFew(
  'searchCountries',
  'SearchCountries',
  'country',
  'ISO 3166-1 alpha-3 in lower case, as Search Console writes it; zzz where it is not known.',
)
reportMany(
  'searchQueries',
  'SearchQueries',
  'query',
  'What was searched for. Queries of few people are named by nobody.',
)
reportMany('searchPages', 'SearchPages', 'page', 'Address of the page that was shown.')
