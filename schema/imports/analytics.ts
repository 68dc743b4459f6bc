import type { RowsResult } from '../../imports/analytics/dated-rows.ts'
import { importSearchConsole } from '../../imports/analytics/search-console.ts'
import { importWebAnalytics } from '../../imports/analytics/web-analytics.ts'
import { linkAnalytics } from '../../resolvers/connections/analytics.ts'
import { projectArgs } from '../kit/args.ts'
import { adminProject, scopeOf } from '../kit/authorize.ts'
import { builder } from '../kit/builder.ts'
import { actorOf } from '../kit/context.ts'
import { bytesOf, rejectedLine, requestWaitMs } from './request.ts'

const rowsImportResult = builder.objectRef<RowsResult>('RowsImportResult').implement({
  description: 'What became of the rows of an import.',
  fields: (t) => ({
    read: t.expose('read', { type: 'SafeInt', description: 'Rows read.' }),
    loaded: t.expose('loaded', {
      type: 'SafeInt',
      description: 'Rows that are there now. One that was there before is replaced.',
    }),
    rejected: t.field({
      type: [rejectedLine],
      description: 'Rows that were not loaded, and why; those of JSON are numbered as rows.',
      resolve: (result) => [...result.rejected],
    }),
  }),
})

builder.mutationField('importWebAnalytics', (t) =>
  t.field({
    type: rowsImportResult,
    access: adminProject,
    description:
      'Loads sessions by day, page and source out of Google Analytics 4, and links the project to web analytics. A row that is there already is replaced. Use `sightline import web-analytics` for files of any size.',
    args: {
      ...projectArgs,
      content: t.arg.string({
        required: true,
        description:
          'An answer of `runReport` as JSON, or an export of the web page as CSV, with the dimensions `date`, `landingPage`, `sessionSource` and the metrics `sessions`, `totalUsers`, `bounceRate`, `averageSessionDuration`.',
      }),
    },
    resolve: async (_root, args, context) => {
      const { project } = await scopeOf(context, String(args.projectId))
      const { services } = context
      const bytes = bytesOf(args.content)
      const begin = () =>
        linkAnalytics(services.db, actorOf(context), project.id, 'webAnalytics', null)
      return importWebAnalytics(services, {
        projectId: project.id,
        bytes,
        waitMs: requestWaitMs,
        begin,
      })
    },
  }),
)

builder.mutationField('importSearchConsole', (t) =>
  t.field({
    type: rowsImportResult,
    access: adminProject,
    description:
      'Loads clicks and impressions by day, query, page, country and device out of Google Search Console, and links the project to the site. A row that is there already is replaced. Use `sightline import search-console` for files of any size.',
    args: {
      ...projectArgs,
      content: t.arg.string({
        required: true,
        description: 'An answer of the Search Analytics API, or lines of the bulk export, as JSON.',
      }),
      site: t.arg.string({
        description:
          'The site, such as `sc-domain:example.com`; that of the bulk export, else the domain of the project, unless given.',
      }),
      dimensions: t.arg.stringList({
        description:
          'By what the API was asked, in that order: date, query, page, country, device unless given.',
      }),
    },
    resolve: async (_root, { content, site, dimensions, ...args }, context) => {
      const { project } = await scopeOf(context, String(args.projectId))
      const { services } = context
      const begin = (name: string | null) =>
        linkAnalytics(services.db, actorOf(context), project.id, 'searchConsole', name)
      const options = { projectId: project.id, bytes: bytesOf(content), site, dimensions }
      return importSearchConsole(services, { ...options, waitMs: requestWaitMs, begin })
    },
  }),
)
