import { mostTitleCharacters, reportBody } from '../../core/reports/input.ts'
import { leastPasswordCharacters } from '../../core/reports/limits.ts'
import { resolveWindow, yearWindow } from '../../core/window.ts'
import { createReport } from '../../resolvers/reports/create.ts'
import type { Report } from '../../resolvers/reports/reports.ts'
import { revokeReportShare, shareReport } from '../../resolvers/reports/share.ts'
import { keyedArgs, projectArgs, windowArgsOf } from '../kit/args.ts'
import { scopeOf, writeProject } from '../kit/authorize.ts'
import { builder } from '../kit/builder.ts'
import { actorOf } from '../kit/context.ts'
import { windowOf, withInputNames } from '../kit/inputs.ts'
import { success } from '../kit/report-fields.ts'
import { fullReport, reportPart, reportSummary, reportType } from './report.ts'

const reportChange = builder.objectRef<Report>('ReportChange').implement({
  description: 'Result of a request for a report, or of a change to its link.',
  fields: (t) => ({
    report: t.field({
      type: fullReport,
      view: 'graph',
      description: 'The report after the change.',
      resolve: (row) => row,
    }),
    summary: t.field({
      type: reportSummary,
      view: 'rest',
      restName: 'report',
      description: 'The report that was requested.',
      resolve: (row) => row,
    }),
    success: t.boolean(success),
  }),
})

const graphWindow = windowOf(yearWindow, 'graph')

builder.mutationField('createReport', (t) =>
  t.field({
    type: reportChange,
    nullable: true,
    access: writeProject,
    description:
      'Requests a report of the data of this moment. One report of a project is made at a time.',
    body: reportBody,
    problems: ['plan_upgrade_required', 'project_not_runnable', 'no_workspace', 'quota_exceeded'],
    args: {
      ...projectArgs,
      reportType: t.arg({
        type: reportType,
        required: true,
        description: 'Subject of the report.',
      }),
      title: t.arg.string({
        description: `Title of the report, 1 to ${mostTitleCharacters} Unicode characters after trimming. Default: subject, brand and window.`,
      }),
      ...windowArgsOf(yearWindow, 'rest'),
      ...graphWindow.args,
      share: t.arg.boolean({
        description:
          'Whether everyone with its link may see the report. Default false. Needs a plan that shares reports.',
      }),
      parts: t.arg({
        type: [reportPart],
        description: 'What the page shows below its headline numbers. Default: all.',
        extensions: { view: 'graph' },
      }),
      ...keyedArgs,
    },
    resolve: (_root, { window, parts, ...args }, context) =>
      withInputNames(async () => {
        const scope = await scopeOf(context, String(args.projectId))
        const days = window && resolveWindow(graphWindow.flat({ window }), yearWindow, scope.now)
        return createReport(scope, actorOf(context), {
          ...reportBody.parse(args),
          ...days,
          ...(parts?.length && { parts }),
        })
      }),
  }),
)

const linkArgs = builder.args((t) => ({
  ...projectArgs,
  reportId: t.id({ required: true, description: 'Id of the report.' }),
}))

/** A mutation of the link of a report. */
const linkField = {
  type: reportChange,
  nullable: true,
  access: writeProject,
  view: 'graph',
  problems: ['plan_upgrade_required'],
} as const

builder.mutationField('shareReport', (t) =>
  t.field({
    ...linkField,
    description:
      'Opens a link that shows the report, once completed, to everyone who has it, or changes how it is open. Absent arguments change nothing.',
    args: {
      ...linkArgs,
      until: t.arg({
        type: 'DateTime',
        description: 'Time when the link ends. Null or never given: no end.',
      }),
      password: t.arg.string({
        description: `Password that readers of the link are asked for, of at least ${leastPasswordCharacters} characters. Null or never given: none.`,
      }),
      proofTexts: t.arg.boolean({
        description:
          'Whether the proof of the report has the texts of the answers. Without them their hashes stay. Never given: it has them.',
      }),
      ...keyedArgs,
    },
    resolve: async (_root, { projectId, reportId, until, password, proofTexts }, context) => {
      const scope = await scopeOf(context, String(projectId))
      return shareReport(scope, actorOf(context), String(reportId), {
        until: until == null ? until : new Date(until),
        password,
        proofTexts,
      })
    },
  }),
)

builder.mutationField('revokeReportShare', (t) =>
  t.field({
    ...linkField,
    description: 'Closes the link to a report for good.',
    args: { ...linkArgs, ...keyedArgs },
    resolve: async (_root, args, context) => {
      const scope = await scopeOf(context, String(args.projectId))
      return revokeReportShare(scope, actorOf(context), String(args.reportId))
    },
  }),
)
