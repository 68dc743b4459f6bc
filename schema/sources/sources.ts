import { roundedOrZero } from '../../core/metrics.ts'
import { sourceTypes } from '../../core/sites/source-types.ts'
import { type DomainSort, domainSorts } from '../../resolvers/sources/sources.sql.ts'
import { type DomainRow, sourceDomains } from '../../resolvers/sources/sources.ts'
import {
  choiceArg,
  choiceListArg,
  compareInGraph,
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
import { contentType, domainSort, sourceType } from './words.ts'

const domainMetrics = metricsType<DomainRow>(
  'SourceDomainMetrics',
  'The ratios of a cited domain with their numerators and denominators.',
  {
    citationRate: {
      description: 'Percent of answers in the window that cite the domain.',
      measure: 'domainCited',
      resolve: (row) => row.usage,
    },
    citationsPerCitingAnswer: {
      description: 'Mean number of citations of the domain per answer that cites the domain.',
      measure: 'domainCitationsWhereCited',
      resolve: (row) => row.avgCitations,
    },
    citationsPerAnswer: {
      description: 'Mean number of citations of the domain per answer in the window.',
      measure: 'domainCitations',
      resolve: (row) => row.avgCitationsPerResponse,
    },
  },
)

export const sourceDomain = builder.objectRef<DomainRow>('SourceDomain').implement({
  description: 'A registrable domain that answers cite.',
  fields: (t) => ({
    domain: t.exposeString('domain', {
      description: 'The registrable domain, such as `wikipedia.org`.',
    }),
    rank: t.expose('rank', {
      type: 'Int',
      description: 'Rank by `citationCount`, from 1; ties by domain name.',
      restDescription: 'Rank by `totalCitations`, from 1; ties by domain name.',
    }),
    frequency: t.expose('frequency', {
      graphName: 'citedIn',
      type: 'Int',
      description: 'Answers in the window that cite the domain.',
    }),
    avgCitations: t.float({
      graphName: 'citationsPerCitingAnswer',
      description: 'Mean number of citations of the domain per answer that cites the domain.',
      resolve: (row) => roundedOrZero(row.avgCitations),
    }),
    type: t.expose('type', {
      type: sourceType,
      description: `Source type of the domain: ${sourceTypes.join(', ')}. \`brand\` and \`competitor\` are domains of this project.`,
    }),
    totalCitations: t.expose('totalCitations', {
      graphName: 'citationCount',
      type: 'Int',
      description: 'Citations of the domain: one for each URL that an answer cites.',
    }),
    models: t.exposeStringList('models', {
      description: 'Models whose answers cite the domain, most citations first.',
    }),
    pageCount: t.expose('pageCount', {
      type: 'Int',
      description: 'Distinct cited URLs of the domain.',
    }),
    usage: t.float({
      graphName: 'citationRate',
      description: 'Percent of answers in the window that cite the domain.',
      resolve: (row) => roundedOrZero(row.usage),
    }),
    avgCitationsPerResponse: t.float({
      graphName: 'citationsPerAnswer',
      description: 'Mean number of citations of the domain per answer in the window.',
      resolve: (row) => roundedOrZero(row.avgCitationsPerResponse),
    }),
    topContentTypes: t.field({
      type: [contentType],
      resolve: (row) => row.topContentTypes.map((type) => contentType.of(type)),
      description: 'Up to three content types of the cited pages, most citations first.',
    }),
    subdomains: t.exposeStringList('subdomains', {
      description: 'Cited hosts of the domain, except the bare domain and `www.`.',
    }),
    metrics: metricsField(t, domainMetrics, (row) => row),
  }),
})

const sourceDomainList = listOf(
  builder.objectRef<Awaited<ReturnType<typeof sourceDomains>>>('SourceDomainList'),
  sourceDomain,
  {
    description: 'A page of cited domains.',
    rows: 'sources',
    total: (list) => list.totalSources,
    fields: (t) => ({
      sources: t.field({
        type: [sourceDomain],
        description: 'Cited domains, in the order of `sort`.',
        resolve: (list) => list.sources,
      }),
      totalSources: t.expose('totalSources', {
        type: 'Int',
        view: 'rest',
        description: 'Distinct cited domains, on all pages.',
      }),
      hasMore: reportFields.hasMore(t),
      success: t.boolean(success),
      totalCitations: t.field({
        type: 'Int',
        view: 'rest',
        description: 'Alias of `totalSources`, kept for old clients.',
        resolve: (list) => list.totalSources,
      }),
      nextCursor: reportFields.nextCursor(t),
    }),
  },
)

export const pageSize = { default: 20, max: 1000 }

export const narrowing = 'Ratios still count all answers in the window.'

const ofSourceTypes = `Only these source types. ${narrowing}`

export const sourceTypeArg = choiceListArg(sourceTypes, ofSourceTypes, 'sourceTypes')

/** The field of `filter` for `sourceTypeArg`. */
export const sourceTypeFilter = {
  sourceTypes: (t) => t.field({ type: [sourceType], description: ofSourceTypes }),
} satisfies Parameters<typeof filterInput>[1]['own']

filterInput('SourceFilter', { rows: 'Sources', names: answerFilters, own: sourceTypeFilter })

report('sourceDomains', {
  ...sourceDomainList,
  description: 'Domains that answers cite, with the number of citations.',
  args: {
    ...windowArgs,
    ...filterArgs,
    ...compareInGraph,
    ...cursorOrOffsetArgs(pageSize),
    sort: choiceArg(
      domainSorts,
      '-citations',
      'Order of the rows.',
      domainSort,
      ' A leading `-` is descending.',
    ),
    sourceType: sourceTypeArg,
  },
  resolve: (scope, args) =>
    sourceDomains(scope, args as typeof args & { limit: number; sort: DomainSort }),
})
