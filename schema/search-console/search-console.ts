import type { OutputRef } from '@pothos/core'
import { rounded } from '../../core/metrics.ts'
import type { PageArgs, Pagination } from '../../core/pagination.ts'
import {
  type Head,
  positionBuckets,
  type SearchPoint,
  type SearchRow,
  type SearchTotals,
  searchByFew,
  searchByMany,
  searchPerformance,
  searchWindow,
  searchWindows,
} from '../../resolvers/search-console/search-console.ts'
import { batched, type One } from '../../resolvers/shared/batch.ts'
import { compareInGraph, inGraph, pageArgs } from '../kit/args.ts'
import { builder } from '../kit/builder.ts'
import { changeSince, changesMeaning, countChangeField, unsampledChange } from '../kit/change.ts'
import { bucketFields, everyBucket, intervalArgs } from '../kit/history.ts'
import { listOf } from '../kit/lists/connection.ts'
import { metricsField, metricsType } from '../kit/metric.ts'
import { report } from '../kit/report.ts'
import type { FieldsOf } from '../kit/report-fields.ts'
import { dataAvailable, dateRangeBlock, reportFields, success } from '../kit/report-fields.ts'
import { device } from './device.ts'
import { searchEngine } from './engine.ts'
import { periodsField } from './periods.ts'

const problems = [
  'gsc_not_connected',
  'gsc_access_denied',
  'gsc_site_not_linked',
  'query_timeout',
] as const

const searchWindowArgs = inGraph(
  builder.args((t) => ({
    window: t.string({
      description: `Window in days that ends today: ${searchWindows.join(', ')}; default 28d. Ignored with \`startDate\` and \`endDate\`.`,
    }),
    startDate: t.field({
      type: 'Date',
      description:
        'First day of the window, inclusive; not after today. Needs `endDate`; at most 365 days.',
    }),
    endDate: t.field({
      type: 'Date',
      description: 'Last day of the window, inclusive. Needs `startDate`.',
    }),
  })),
  { window: searchWindow },
)

const searchArgs = {
  ...builder.args((t) => ({
    engine: t.field({
      type: searchEngine,
      description:
        'Search engine whose search console is read; `google` unless given. Numbers of two engines are never added up.',
      extensions: { view: 'graph' },
    }),
  })),
  ...searchWindowArgs,
}

const covered = {
  type: dateRangeBlock,
  description: 'The window that the report covers, in days of Pacific time.',
} as const

/** The first fields of every Search Console report. */
const headFields = <Shape extends Head>(t: FieldsOf<Shape>) => ({
  engine: t.field({
    type: searchEngine,
    view: 'graph',
    description: 'Search engine that the report is of.',
    resolve: ({ engine }) => engine,
  }),
  siteUrl: t.string({
    description: 'Linked site, such as `sc-domain:example.com`.',
    resolve: ({ siteUrl }) => siteUrl,
  }),
  dateRange: t.field({ ...covered, view: 'graph', resolve: ({ window }) => window }),
  dataAvailable: dataAvailable(t, 'search', ({ engine }) =>
    engine === 'bing' ? 'bingSearch' : 'search',
  ),
  window: t.field({ ...covered, view: 'rest', resolve: ({ window }) => window }),
})

const ctrMeaning = 'Click-through rate: clicks in percent of impressions. Null without any.'

const searchMetrics = metricsType<SearchTotals>(
  'SearchMetrics',
  'The click-through rate with its numerator and denominator.',
  { ctr: { description: ctrMeaning, measure: 'independent', resolve: ({ ctr }) => ctr } },
)

const countFields = <Shape extends SearchTotals>(t: FieldsOf<Shape>) => ({
  clicks: t.field({
    type: 'SafeInt',
    description: 'Clicks on the site in search results.',
    resolve: ({ clicks }) => clicks,
  }),
  impressions: t.field({
    type: 'SafeInt',
    description: 'Times that search results showed the site.',
    resolve: ({ impressions }) => impressions,
  }),
  ctr: t.float({
    nullable: true,
    description: ctrMeaning,
    resolve: ({ ctr }) => rounded(ctr),
  }),
  position: t.float({
    nullable: true,
    description: 'Mean position in search results; 1 is first. Null without impressions.',
    resolve: ({ position }) => rounded(position),
  }),
  metrics: metricsField(t, searchMetrics, (totals) => totals),
})

interface Compared {
  readonly now: SearchTotals
  readonly before: SearchTotals
}

const searchChanges = builder.objectRef<Compared>('SearchChanges').implement({
  description: 'Changes of clicks and impressions since an earlier window.',
  fields: (t) => ({
    clicks: countChangeField(
      t,
      'the number of clicks',
      ({ now, before }) => changeSince(now.clicks, before.clicks),
      'SafeInt',
    ),
    impressions: countChangeField(
      t,
      'the number of impressions',
      ({ now, before }) => changeSince(now.impressions, before.impressions),
      'SafeInt',
    ),
    ctr: unsampledChange(
      t,
      'Change of the click-through rate in percentage points.',
      ({ now, before }) => ({ now: now.ctr, before: before.ctr }),
    ),
    position: unsampledChange(
      t,
      'Change of the mean position; above 0 the site is shown later than before.',
      ({ now, before }) => ({ now: now.position, before: before.position }),
    ),
  }),
})

/** `changes` of totals, or of a row. */
const changesField = <Shape extends SearchTotals>(t: FieldsOf<Shape>) =>
  t.field({
    type: searchChanges,
    nullable: true,
    view: 'graph',
    description: `${changesMeaning} Null without \`compare\`.`,
    resolve: (now: Shape) => (now.previous ? { now, before: now.previous } : null),
  })

type Buckets = One<typeof positionBuckets>

const bucket = builder.objectRef<Buckets['buckets'][number]>('PositionBucket').implement({
  description: 'Queries whose mean position of the site is in one range.',
  fields: (t) => ({
    label: t.exposeString('label', {
      description: 'Name of the range: Top 3, Page 1, Page 2 or Beyond.',
    }),
    range: t.exposeString('range', {
      description: 'Positions of the range: 1-3, 4-10, 11-20 or 20+.',
    }),
    queries: t.expose('queries', {
      graphName: 'queryCount',
      type: 'Int',
      description: 'Distinct queries in the range.',
    }),
    clicks: t.expose('clicks', {
      type: 'SafeInt',
      description: 'Clicks of the queries in the range.',
    }),
    impressions: t.expose('impressions', {
      type: 'SafeInt',
      description: 'Impressions of the queries in the range.',
    }),
  }),
})

report('positionBuckets', {
  type: builder.objectRef<Buckets>('PositionBuckets').implement({
    description: 'Queries by mean position of the site.',
    fields: (t) => ({
      ...headFields(t),
      buckets: t.expose('buckets', {
        type: [bucket],
        description: 'The four ranges, best position first; always all four.',
      }),
      totalQueries: t.expose('totalQueries', {
        graphName: 'queryCount',
        type: 'Int',
        description: 'Queries in all four ranges, without anonymised ones.',
      }),
      success: t.boolean(success),
    }),
  }),
  description: 'Search queries by mean position of the site.',
  problems,
  args: searchArgs,
  resolve: (scope, args) => batched('search-console.buckets', scope, args, positionBuckets),
})

const searchPoint = builder.objectRef<SearchPoint>('SearchPoint').implement({
  description: 'Clicks and impressions in one row of a series.',
  extensions: { restName: 'SearchDay' },
  fields: (t) => ({
    ...bucketFields(t, 'day in Pacific time'),
    ...countFields(t),
  }),
})

const searchTotals = builder.objectRef<SearchTotals>('SearchTotals').implement({
  description: 'Clicks and impressions of the whole window.',
  fields: (t) => ({ ...countFields(t), changes: changesField(t) }),
})

type Performance = One<typeof searchPerformance>

report('searchPerformance', {
  type: builder.objectRef<Performance>('SearchPerformance').implement({
    description: 'Clicks and impressions of the site in search results.',
    fields: (t) => ({
      ...headFields(t),
      totals: t.expose('totals', {
        type: searchTotals,
        description: 'Clicks and impressions of the whole window.',
      }),
      series: t.field({
        type: [searchPoint],
        ...everyBucket('data'),
        args: intervalArgs,
        resolve: ({ series }, { interval }) => series(interval ?? 'day'),
      }),
      success: t.boolean(success),
    }),
  }),
  description: 'Clicks and impressions of the site in search results, by day, week or month.',
  restDescription: 'Clicks and impressions of the site in search results, by day.',
  problems,
  args: { ...searchArgs, ...compareInGraph },
  resolve: (scope, args) => batched('search-console.days', scope, args, searchPerformance),
})

interface SearchList extends Head {
  readonly rows: readonly SearchRow[]
}

/** The type of a row that one name identifies. */
const rowNames = {
  query: 'SearchQuery',
  page: 'SearchPage',
  country: 'SearchCountry',
  device: 'SearchDevice',
}

function rowType(restName: string, key: keyof typeof rowNames, what: string) {
  const type = rowNames[key]
  // The page itself is `page` in the graph.
  const [field, options] =
    key === 'page' ? ['nameOfPage', { view: 'rest', restName: 'page' } as const] : [key, {}]
  const nameType: OutputRef | 'String' = key === 'device' ? device : 'String'
  return builder.objectRef<SearchRow>(type).implement({
    description: `Clicks and impressions of one ${key}.`,
    extensions: { restName },
    fields: (t) => ({
      [field as 'query']: t.field({
        type: nameType,
        ...options,
        description: what,
        resolve: ({ name }) => name,
      }),
      ...(key === 'page' && {
        url: t.exposeString('name', { view: 'graph', description: what }),
      }),
      ...countFields(t),
      changes: changesField(t),
    }),
  })
}

type RowKey = keyof typeof rowNames

function listFields<List extends SearchList>(
  t: FieldsOf<List>,
  row: ReturnType<typeof rowType>,
  key: RowKey,
) {
  return {
    ...headFields(t),
    periods: periodsField(t, key),
    rows: t.field({
      type: [row],
      description: 'Rows, most clicks first, then most impressions.',
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
      fields: (t) => ({ ...listFields(t, row, key), success: t.boolean(success) }),
    }),
    description: `Clicks and impressions of the site in search results, by ${key}.`,
    problems,
    args: { ...searchArgs, ...compareInGraph },
    resolve: (scope, args) => batched(`search-console.${key}`, scope, args, read),
  })
}

function reportMany(name: string, type: string, key: 'query' | 'page', what: string) {
  const row = rowType(`${type}Row`, key, what)
  const read = searchByMany(key)
  report(name, {
    ...listOf(builder.objectRef<SearchList & { pagination: Pagination }>(type), row, {
      description: `A page of clicks and impressions by ${key}, most clicks first.`,
      rows: 'rows',
      fields: (t) => ({
        ...listFields(t, row, key),
        pagination: reportFields.pagination(t),
        success: t.boolean(success),
      }),
    }),
    description: `Clicks and impressions of the site in search results, by ${key}.`,
    problems,
    args: { ...searchArgs, ...compareInGraph, ...pageArgs({ default: 50, max: 1000 }) },
    resolve: (scope, args) =>
      batched(`search-console.${key}`, scope, args as typeof args & PageArgs, read),
  })
  return row
}

reportFew(
  'searchDevices',
  'SearchDevices',
  'device',
  'Device of the searcher: desktop, mobile or tablet.',
)
reportFew(
  'searchCountries',
  'SearchCountries',
  'country',
  'ISO 3166-1 alpha-3 code of the country in lower case; zzz for an unknown country.',
)
export const searchQuery = reportMany(
  'searchQueries',
  'SearchQueries',
  'query',
  'Text of the query. Search Console leaves out queries of few people.',
)
export const searchPage = reportMany(
  'searchPages',
  'SearchPages',
  'page',
  'URL of the page that search results showed.',
)
