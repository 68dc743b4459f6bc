import { rounded } from '../../core/metrics.ts'
import type { PageArgs } from '../../core/pagination.ts'
import { type SitemapCoverage, sitemapCoverage } from '../../resolvers/pages/coverage.ts'
import { pageArgs, windowArgs } from '../kit/args.ts'
import { builder } from '../kit/builder.ts'
import { listOf } from '../kit/lists/connection.ts'
import { report } from '../kit/report.ts'
import { reportFields } from '../kit/report-fields.ts'
import { hitArgs } from '../traffic/crawlers.ts'

const coverageSummary = builder
  .objectRef<SitemapCoverage['summary']>('SitemapCoverageSummary')
  .implement({
    description: 'Share of the sitemap that AI crawlers read.',
    fields: (t) => ({
      sitemapUrls: t.expose('sitemapUrls', {
        type: 'Int',
        description: 'URLs in the sitemap.',
      }),
      crawledUrls: t.expose('crawledUrls', {
        type: 'Int',
        description: 'Sitemap URLs that an AI crawler read in the window.',
      }),
      coverageRate: t.float({
        nullable: true,
        description:
          'Percent of sitemap URLs that an AI crawler read in the window; null without a sitemap.',
        resolve: ({ coverage }) => rounded(coverage),
      }),
    }),
  })

export const uncrawledUrl = builder
  .objectRef<SitemapCoverage['uncrawled'][number]>('UncrawledUrl')
  .implement({
    description: 'A URL of the sitemap that no AI crawler read in the window.',
    fields: (t) => ({
      url: t.exposeString('url', { description: 'The normalised URL.' }),
      path: t.exposeString('path', { description: 'Path of the URL.' }),
      lastCrawledAt: t.expose('lastCrawledAt', {
        type: 'DateTime',
        nullable: true,
        description: 'Time when an AI crawler last read the URL, before the window; null if never.',
      }),
    }),
  })

report('sitemapCoverage', {
  ...listOf(builder.objectRef<SitemapCoverage>('SitemapCoverage'), uncrawledUrl, {
    rows: 'uncrawled',
    description: 'Sitemap URLs that AI crawlers read, and URLs that they did not read.',
    fields: (t) => ({
      summary: t.expose('summary', {
        type: coverageSummary,
        description: 'Counts over the whole sitemap.',
      }),
      uncrawled: t.expose('uncrawled', {
        type: [uncrawledUrl],
        description: 'URLs that no AI crawler read in the window, sorted by URL.',
      }),
      pagination: reportFields.pagination(t),
      ...reportFields.window(t, 'crawls'),
    }),
  }),
  description: 'Share of the sitemap that AI crawlers read, and the URLs that they did not read.',
  problems: ['traffic_not_connected', 'query_timeout'],
  args: { ...windowArgs, ...hitArgs, ...pageArgs({ default: 50, max: 1000 }) },
  resolve: (scope, args) => sitemapCoverage(scope, args as typeof args & PageArgs),
})
