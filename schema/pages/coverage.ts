import { rounded } from '../../core/metrics.ts'
import type { PageArgs } from '../../core/pagination.ts'
import { type SitemapCoverage, sitemapCoverage } from '../../resolvers/pages/coverage.ts'
import { pageArgs, windowArgs } from '../kit/args.ts'
import { builder, report } from '../kit/builder.ts'
import { reportFields } from '../kit/report-fields.ts'
import { hostArg } from '../traffic/crawlers.ts'

const coverageSummary = builder
  .objectRef<SitemapCoverage['summary']>('SitemapCoverageSummary')
  .implement({
    description: 'How much of a sitemap AI crawlers read.',
    fields: (t) => ({
      sitemapUrls: t.expose('sitemapUrls', {
        type: 'SafeInt',
        description: 'URLs of the sitemap.',
      }),
      crawledUrls: t.expose('crawledUrls', {
        type: 'SafeInt',
        description: 'Those that a crawler read in the window.',
      }),
      coverageRate: t.float({
        nullable: true,
        description: 'Percent of them; null without a sitemap.',
        resolve: ({ coverage }) => rounded(coverage),
      }),
    }),
  })

const uncrawledUrl = builder
  .objectRef<SitemapCoverage['uncrawled'][number]>('UncrawledUrl')
  .implement({
    description: 'A URL of the sitemap that no AI crawler read in the window.',
    fields: (t) => ({
      url: t.exposeString('url', { description: 'Its normalised URL.' }),
      path: t.exposeString('path', { description: 'Its path.' }),
      lastCrawledAt: t.expose('lastCrawledAt', {
        type: 'DateTime',
        nullable: true,
        description: 'When one last read it, before the window; null where none ever did.',
      }),
    }),
  })

report('sitemapCoverage', {
  type: builder.objectRef<SitemapCoverage>('SitemapCoverage').implement({
    description: 'What AI crawlers read of the sitemap, and what they did not.',
    fields: (t) => ({
      summary: t.expose('summary', { type: coverageSummary, description: 'Counts of all of it.' }),
      uncrawled: t.expose('uncrawled', {
        type: [uncrawledUrl],
        description: 'What no crawler read, by URL.',
      }),
      pagination: reportFields.pagination(t),
      dateRange: reportFields.dateRange(t),
    }),
  }),
  description: 'How much of the sitemap AI crawlers read, and what they left out.',
  problems: ['traffic_not_connected', 'query_timeout'],
  args: { ...windowArgs, host: hostArg, ...pageArgs({ default: 50, max: 1000 }) },
  resolve: (scope, args) => sitemapCoverage(scope, args as typeof args & PageArgs),
})
