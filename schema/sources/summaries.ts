import { roundedOrZero } from '../../core/metrics.ts'
import { contentTypes as contentTypeNames } from '../../core/sites/content-types.ts'
import { type TrendGroup, trendGroupNames } from '../../resolvers/sources/sources.sql.ts'
import {
  type CitationCount,
  type ContentTypeRow,
  contentTypes,
  sourceTrend,
} from '../../resolvers/sources/sources.ts'
import { choiceArg, filterArgs, windowArgs } from '../kit/args.ts'
import { builder } from '../kit/builder.ts'
import { rankMeaning } from '../kit/change.ts'
import { bucketFields, everyBucket, intervalArgs } from '../kit/history.ts'
import { metricsField, metricsType } from '../kit/metric.ts'
import { report } from '../kit/report.ts'
import { success } from '../kit/report-fields.ts'
import { contentType, sourceGroup } from './words.ts'

const contentTypeMetrics = metricsType<Pick<ContentTypeRow, 'citationRate' | 'cell'>>(
  'ContentTypeMetrics',
  'The ratio of a content type with its numerator and denominator.',
  {
    citationRate: {
      description: 'Percent of answers in the window that cite a page of the content type.',
      measure: 'typeCited',
      resolve: (row) => row.citationRate,
    },
  },
)

const contentTypeRow = builder.objectRef<ContentTypeRow>('ContentType').implement({
  description: 'A content type of cited pages.',
  fields: (t) => ({
    contentType: t.expose('contentType', {
      type: contentType,
      description: `The content type: ${contentTypeNames.join(', ')}.`,
    }),
    rank: t.expose('rank', {
      type: 'Int',
      description: 'Rank by `citationCount`, from 1; ties by the name of the content type.',
      restDescription: 'Rank by `totalUsed`, from 1; ties by the name of the content type.',
    }),
    rankChange: t.expose('rankChange', {
      type: 'Int',
      restDescription:
        'Rank in the equal window just before, minus `rank`; 0 for a new content type.',
      description: `Rank in the equal window just before, minus \`rank\`; 0 for a content type new in the window. ${rankMeaning}`,
    }),
    totalUsed: t.expose('totalUsed', {
      graphName: 'citationCount',
      type: 'Int',
      description: 'Citations of pages of the content type in the window.',
    }),
    promptsCount: t.expose('promptsCount', {
      graphName: 'promptCount',
      type: 'Int',
      description: 'Distinct prompts whose answers cite a page of the content type.',
    }),
    citationRate: t.float({
      description: 'Percent of answers in the window that cite a page of the content type.',
      resolve: (row) => roundedOrZero(row.citationRate),
    }),
    competitors: t.exposeStringList('competitors', {
      description:
        'Up to five competitors whose cited pages have the content type, most citations first.',
    }),
    metrics: metricsField(t, contentTypeMetrics, (row) => row),
  }),
})

report('contentTypes', {
  type: builder.objectRef<Awaited<ReturnType<typeof contentTypes>>>('ContentTypeList').implement({
    description: 'Content types of cited pages.',
    fields: (t) => ({
      contentTypes: t.field({
        type: [contentTypeRow],
        description: 'Content types, most citations first.',
        resolve: (list) => list.contentTypes,
      }),
      success: t.boolean(success),
    }),
  }),
  only: { type: [contentTypeRow], rows: (list) => list.contentTypes },
  description: 'Content types of the pages that answers cite, most citations first.',
  restDescription: 'Content types of the pages that answers cite.',
  args: { ...windowArgs, ...filterArgs },
  resolve: contentTypes,
})

const citationCount = builder.objectRef<CitationCount>('CitationCount').implement({
  description: 'Citations in one row of a trend.',
  fields: (t) => ({
    ...bucketFields(t),
    citationCount: t.expose('citationCount', {
      type: 'Int',
      description: "Citations of the group's domains from `from` to `to`.",
      restDescription: "Citations of the group's domains on the day.",
    }),
  }),
})

report('sourceTrend', {
  type: builder.objectRef<Awaited<ReturnType<typeof sourceTrend>>>('SourceTrend').implement({
    description: 'The trend of the citations of a group of domains.',
    fields: (t) => ({
      citations: t.field({
        type: [citationCount],
        ...everyBucket('citations'),
        resolve: (trend) => trend.citations,
      }),
      brandDomain: t.exposeString('brandDomain', { description: 'Main domain of the brand.' }),
      success: t.boolean(success),
    }),
  }),
  description: 'Citations of a group of domains by day, week or month.',
  restDescription: 'Citations of a group of domains by day.',
  args: {
    group: choiceArg(
      trendGroupNames,
      'top-domains',
      "Domains to count: the brand's, competitors', or the ten most cited.",
      sourceGroup,
    ),
    ...windowArgs,
    ...filterArgs,
    ...intervalArgs,
  },
  resolve: (scope, args) => sourceTrend(scope, args as typeof args & { group: TrendGroup }),
})
