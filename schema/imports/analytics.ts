import type { RowsResult } from '../../imports/analytics/dated-rows.ts'
import { keyedArgs, projectArgs } from '../kit/args.ts'
import { adminProject, scopeOf } from '../kit/authorize.ts'
import { builder } from '../kit/builder.ts'
import { actorOf } from '../kit/context.ts'
import { bytesOf, rejectedLine, requestWaitMs, takesFile } from './request.ts'

const rowsImportResult = builder.objectRef<RowsResult>('RowsImportResult').implement({
  description: 'Result of an import of rows.',
  fields: (t) => ({
    read: t.expose('read', { type: 'Int', description: 'Rows read.' }),
    loaded: t.expose('loaded', {
      type: 'Int',
      description: 'Rows loaded, including rows that replaced an earlier row.',
    }),
    rejected: t.field({
      type: [rejectedLine],
      description: 'Rows that were not loaded, and why. For JSON, `line` is the number of the row.',
      resolve: (result) => [...result.rejected],
    }),
  }),
})

builder.mutationField('importWebAnalytics', (t) =>
  t.field({
    type: rowsImportResult,
    access: adminProject,
    extensions: takesFile,
    isOutside: true,
    description:
      'Imports sessions by day, page and source from Google Analytics 4, Plausible, Umami or Matomo. A row replaces the earlier row of its key.',
    args: {
      ...projectArgs,
      content: t.arg.string({
        required: true,
        description:
          'A response of `runReport` as JSON, or a web export as CSV or JSON. Dimensions: `date`, `landingPage`, `sessionSource`. Metrics: `sessions`, `totalUsers`, `bounceRate`, `averageSessionDuration`.',
      }),
      ...keyedArgs,
    },
    resolve: async (_root, args, context) => {
      const { project } = await scopeOf(context, String(args.projectId))
      const { services } = context
      const bytes = bytesOf(args.content)
      const options = { projectId: project.id, bytes, waitMs: requestWaitMs }
      const { importWebAnalytics } = await import('../../imports/analytics/web-analytics.ts')
      return importWebAnalytics(services, actorOf(context), options)
    },
  }),
)

builder.mutationField('importSearchConsole', (t) =>
  t.field({
    type: rowsImportResult,
    access: adminProject,
    extensions: takesFile,
    isOutside: true,
    description:
      'Imports clicks and impressions by day, query, page, country and device from Google Search Console. A row replaces the earlier row of its key.',
    args: {
      ...projectArgs,
      content: t.arg.string({
        required: true,
        description:
          'A response of the Search Analytics API, or lines of the bulk export, as JSON.',
      }),
      site: t.arg.string({
        description:
          "The site, such as `sc-domain:example.com`. Default: that of the export, else the project's domain.",
      }),
      dimensions: t.arg.stringList({
        description: 'Dimensions of the API request. Default: date, query, page, country, device.',
      }),
      ...keyedArgs,
    },
    resolve: async (_root, { content, site, dimensions, ...args }, context) => {
      const { project } = await scopeOf(context, String(args.projectId))
      const { services } = context
      const options = { projectId: project.id, bytes: bytesOf(content), site, dimensions }
      const { importSearchConsole } = await import('../../imports/analytics/search-console.ts')
      return importSearchConsole(services, actorOf(context), { ...options, waitMs: requestWaitMs })
    },
  }),
)
