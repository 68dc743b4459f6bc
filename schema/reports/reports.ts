import { reportTypes } from '../../core/reports/input.ts'
import type { ReportArgs } from '../../resolvers/reports/reports.ts'
import { report as findReport, type Report, reports } from '../../resolvers/reports/reports.ts'
import type { ProjectScope } from '../../resolvers/shared/scope.ts'
import { inGraph, pageArgs } from '../kit/args.ts'
import { builder } from '../kit/builder.ts'
import { filterInput } from '../kit/inputs.ts'
import { listOf } from '../kit/lists/connection.ts'
import { lookup } from '../kit/lookup.ts'
import { report } from '../kit/report.ts'
import { reportFields } from '../kit/report-fields.ts'
import { fullReport, reportSummary, reportType } from './report.ts'

type List = Awaited<ReturnType<typeof reports>> & { readonly scope: ProjectScope }

const listDescription = 'Reports of this page, newest first.'

const narrowing = builder.args((t) => ({
  reportType: t.field({
    type: reportType,
    description: 'Only reports about this subject.',
    extensions: { param: { values: reportTypes } },
  }),
}))
inGraph(narrowing, { filter: 'reportTypes' })

filterInput('ReportFilter', {
  rows: 'Reports',
  own: {
    reportTypes: (t) =>
      t.field({ type: [reportType], description: 'Only reports about these subjects.' }),
  },
})

report('reports', {
  ...listOf(builder.objectRef<List>('ReportList'), fullReport, {
    description: 'A page of reports, newest first.',
    rows: 'reports',
    sortKey: ({ createdAt, id }) => [createdAt.toISOString(), id],
    fields: (t) => ({
      project: reportFields.project(t),
      reports: t.field({
        type: [fullReport],
        view: 'graph',
        description: listDescription,
        resolve: (list) => list.reports,
      }),
      summaries: t.field({
        type: [reportSummary],
        view: 'rest',
        restName: 'reports',
        description: listDescription,
        resolve: (list) => list.reports,
      }),
      pagination: reportFields.pagination(t),
    }),
  }),
  description: 'Reports that were requested, newest first.',
  args: { ...narrowing, ...pageArgs({ default: 50, max: 1000 }) },
  resolve: async (scope, args) => ({
    scope,
    ...(await reports(scope, args as typeof args & ReportArgs)),
  }),
})

lookup('report', {
  description: 'One report with its numbers.',
  id: ['reportId', 'Id of the report.'],
  type: fullReport,
  rest: {
    field: 'getReport',
    type: builder.objectRef<Report>('ReportReply').implement({
      description: 'One report.',
      fields: (t) => ({
        report: t.field({
          type: fullReport,
          description: 'The report with its numbers.',
          resolve: (row) => row,
        }),
      }),
    }),
  },
  find: findReport,
})
