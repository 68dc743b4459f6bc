import { type Ratio, roundedOrZero } from '../../core/metrics.ts'
import { contentTypes as contentTypeNames } from '../../core/sites/content-types.ts'
import type {
  ContentTypeRow,
  contentTypes,
  sourceTrend,
} from '../../resolvers/sources/summaries.ts'
import { builder } from '../kit/builder.ts'
import { success } from '../kit/report-fields.ts'

const contentTypeMetrics = builder
  .objectRef<{ citationRate: Ratio }>('ContentTypeMetrics')
  .implement({
    description: 'The ratios of a content type with their numerators and denominators.',
    fields: (t) => ({
      citationRate: t.field({
        type: 'Metric',
        description: 'Answers that cite such a page, out of all answers in scope.',
        resolve: (row) => row.citationRate,
      }),
    }),
  })

const contentTypeRow = builder.objectRef<ContentTypeRow>('ContentType').implement({
  description: 'A kind of page that answers cite.',
  fields: (t) => ({
    contentType: t.exposeString('contentType', {
      description: `One of ${contentTypeNames.join(', ')}.`,
    }),
    rank: t.expose('rank', { type: 'SafeInt', description: 'Place by `totalUsed`, then name.' }),
    rankChange: t.expose('rankChange', {
      type: 'SafeInt',
      description: 'Rank in the equal window just before, minus `rank`; 0 for a new type.',
    }),
    totalUsed: t.expose('totalUsed', { type: 'SafeInt', description: 'Citations of such pages.' }),
    promptsCount: t.expose('promptsCount', {
      type: 'SafeInt',
      description: 'Distinct prompts whose answers cite such a page.',
    }),
    citationRate: t.float({
      description: 'Percent of the answers in scope that cite at least one such page.',
      resolve: (row) => roundedOrZero(row.citationRate),
    }),
    competitors: t.exposeStringList('competitors', {
      description: 'Up to five competitors whose own domains are cited with the type, most first.',
    }),
    metrics: t.field({
      type: contentTypeMetrics,
      view: 'graph',
      description: 'The ratios with their numerators, denominators and intervals.',
      resolve: (row) => row,
    }),
  }),
})

export const contentTypeList = builder
  .objectRef<Awaited<ReturnType<typeof contentTypes>>>('ContentTypeList')
  .implement({
    description: 'The kinds of pages that answers cite.',
    fields: (t) => ({
      contentTypes: t.field({
        type: [contentTypeRow],
        description: 'The content types, most used first.',
        resolve: (list) => list.contentTypes,
      }),
      success: t.boolean(success),
    }),
  })

const citationCount = builder
  .objectRef<{ date: string; citationCount: number }>('CitationCount')
  .implement({
    description: 'Citations on one day.',
    fields: (t) => ({
      date: t.expose('date', { type: 'Date', description: 'UTC day.' }),
      citationCount: t.expose('citationCount', {
        type: 'SafeInt',
        description: 'Citations of the group on that day.',
      }),
    }),
  })

export const trendReport = builder
  .objectRef<Awaited<ReturnType<typeof sourceTrend>>>('SourceTrend')
  .implement({
    description: 'Citations a day; a day without any counts 0.',
    fields: (t) => ({
      citations: t.field({
        type: [citationCount],
        description: 'One entry a day of the window, oldest first.',
        resolve: (trend) => trend.citations,
      }),
      brandDomain: t.exposeString('brandDomain', {
        description: "The project's own main domain.",
      }),
      success: t.boolean(success),
    }),
  })
