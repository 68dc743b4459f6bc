import { invalid } from '../../core/errors.ts'
import { roundedOrZero } from '../../core/metrics.ts'
import { contentTypes } from '../../core/sites/content-types.ts'
import { domainUrls, sourceUrls, type UrlRow } from '../../resolvers/sources/urls.ts'
import {
  choiceListArg,
  compareInGraph,
  cursorArgs,
  cursorOrOffsetArgs,
  filterArgs,
  windowArgs,
} from '../kit/args.ts'
import { builder } from '../kit/builder.ts'
import { answerFilters, filterInput } from '../kit/inputs.ts'
import { listOf } from '../kit/lists/connection.ts'
import { metricsField, metricsType } from '../kit/metric.ts'
import { report } from '../kit/report.ts'
import { reportFields, success } from '../kit/report-fields.ts'
import { narrowing, pageSize, sourceTypeArg, sourceTypeFilter } from './sources.ts'
import { contentType, sourceType } from './words.ts'

const sourceUrlMetrics = metricsType<UrlRow>(
  'SourceUrlMetrics',
  'The ratio of a cited URL with its numerator and denominator.',
  {
    citationRate: {
      description: 'Percent of answers in the window that cite the URL.',
      measure: 'urlCited',
      resolve: (row) => row.usage,
    },
  },
)

export const sourceUrl = builder.objectRef<UrlRow>('SourceUrl').implement({
  description: 'A normalised URL that answers cite.',
  fields: (t) => ({
    url: t.exposeString('url', { description: 'The normalised URL.' }),
    domain: t.exposeString('domain', { description: 'Registrable domain of the URL.' }),
    title: t.exposeString('title', {
      description: 'Newest title of the page; empty when no answer gave a title.',
    }),
    rank: t.expose('rank', {
      type: 'Int',
      description: 'Rank by `citedIn`, from 1; ties by URL.',
      restDescription: 'Rank by `responsesWithUrl`, from 1; ties by URL.',
    }),
    usage: t.float({
      graphName: 'citationRate',
      description: 'Percent of answers in the window that cite the URL.',
      resolve: (row) => roundedOrZero(row.usage),
    }),
    totalResponses: t.expose('totalResponses', {
      graphName: 'answerCount',
      type: 'Int',
      description: 'Answers in the window, whether or not they cite the URL.',
    }),
    responsesWithUrl: t.expose('responsesWithUrl', {
      graphName: 'citedIn',
      type: 'Int',
      description: 'Answers in the window that cite the URL.',
    }),
    contentType: t.expose('contentType', {
      type: contentType,
      description: `Content type of the page: ${contentTypes.join(', ')}.`,
    }),
    citationType: t.expose('citationType', {
      graphName: 'sourceType',
      type: sourceType,
      description: 'Source type of the domain.',
    }),
    brandMentioned: t.exposeBoolean('brandMentioned', {
      description: 'Whether at least one answer that cites the URL names the brand.',
    }),
    hasContent: t.exposeBoolean('hasContent', {
      description: 'Whether the text of the page is stored.',
    }),
    // The graph has it as `changes.citedIn.percent`.
    periodGrowth: t.exposeFloat('periodGrowth', {
      view: 'rest',
      description:
        'Growth of `responsesWithUrl` since the equal window just before, in percent; 100 for a new URL.',
    }),
    metrics: metricsField(t, sourceUrlMetrics, (row) => row),
  }),
})

const urlsMeaning = 'Cited URLs, most citing answers first.'

// Refused rather than ignored: a client that counts rows would read the first page again and again.
const refusedArgs = builder.args((t) => ({
  offset: t.field({
    type: 'Int',
    description: 'Not accepted: the list pages by `cursor`.',
    extensions: { view: 'rest', param: { refused: true } },
  }),
}))

report('domainUrls', {
  view: 'rest',
  ...listOf(builder.objectRef<Awaited<ReturnType<typeof domainUrls>>>('DomainUrlList'), sourceUrl, {
    name: 'DomainUrl',
    description: 'A page of the cited URLs of one domain.',
    rows: 'urls',
    total: (list) => list.totalUrls,
    fields: (t) => ({
      domain: t.exposeString('domain', { description: 'The registrable domain.' }),
      urls: t.field({
        type: [sourceUrl],
        description: urlsMeaning,
        resolve: (list) => list.urls,
      }),
      hasMore: reportFields.hasMore(t),
      nextCursor: reportFields.nextCursor(t),
      success: t.boolean(success),
    }),
  }),
  description: 'URLs of one domain that answers cite.',
  args: {
    domain: builder.args((t) => ({
      domain: t.string({
        required: true,
        description: 'Domain of the URLs, such as `wikipedia.org`.',
      }),
    })).domain,
    ...windowArgs,
    ...filterArgs,
    ...cursorArgs(pageSize),
    ...refusedArgs,
  },
  resolve: (scope, { offset, ...args }) => {
    if (offset != null) throw invalid('offset', 'is not accepted here: page by `cursor`')
    return domainUrls(scope, args as typeof args & { limit: number })
  },
})

export const sourceUrlList = listOf(
  builder.objectRef<Awaited<ReturnType<typeof sourceUrls>>>('SourceUrlList'),
  sourceUrl,
  {
    description: 'A page of cited URLs.',
    rows: 'urls',
    total: (list) => list.totalUrls,
    fields: (t) => ({
      urls: t.field({
        type: [sourceUrl],
        description: urlsMeaning,
        resolve: (list) => list.urls,
      }),
      totalUrls: t.expose('totalUrls', {
        type: 'Int',
        view: 'rest',
        description: 'Distinct cited URLs, on all pages.',
      }),
      hasMore: reportFields.hasMore(t),
      success: t.boolean(success),
      nextCursor: reportFields.nextCursor(t),
    }),
  },
)

const ofContentTypes = `Only these content types. ${narrowing}`
filterInput('SourceUrlFilter', {
  rows: 'URLs',
  names: answerFilters,
  own: {
    ...sourceTypeFilter,
    contentTypes: (t) => t.field({ type: [contentType], description: ofContentTypes }),
  },
})

report('sourceUrls', {
  ...sourceUrlList,
  description: 'URLs that answers cite, with the number of citing answers.',
  args: {
    ...windowArgs,
    ...filterArgs,
    ...compareInGraph,
    ...cursorOrOffsetArgs(pageSize),
    contentType: choiceListArg(contentTypes, ofContentTypes, 'contentTypes'),
    sourceType: sourceTypeArg,
  },
  resolve: (scope, args) => sourceUrls(scope, args as typeof args & { limit: number }),
})
