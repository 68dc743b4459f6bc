import {
  type Issue,
  type IssueListArgs,
  type IssueSummary,
  issue,
  issues,
} from '../../resolvers/issues/issues.ts'
import { inGraph, pageArgs } from '../kit/args.ts'
import { builder } from '../kit/builder.ts'
import { countMap, countMapSchema, keyCount } from '../kit/counts.ts'
import { filterInput } from '../kit/inputs.ts'
import { listOf } from '../kit/lists/connection.ts'
import { lookup } from '../kit/lookup.ts'
import { report } from '../kit/report.ts'
import { reportFields } from '../kit/report-fields.ts'
import { issueSeverity, issueStatus, issueType, severities } from './issue.ts'

const filters = ['open', 'resolved', 'all'] as const

/** REST names one state; the graph takes a list of `IssueStatus`. */
const listedIssues = builder.enumType('ListedIssues', {
  description: 'Issues to list.',
  values: {
    open: { description: 'Open issues.' },
    resolved: { description: 'Resolved issues, also ignored ones.' },
    all: { description: 'Open and resolved issues.' },
  },
})

const severityCounts = builder.objectRef<IssueSummary['bySeverity']>('SeverityCounts').implement({
  description: 'Issues of each severity.',
  fields: (t) => ({
    critical: t.expose('critical', { type: 'Int', description: 'Critical issues.' }),
    high: t.expose('high', { type: 'Int', description: 'Issues of high severity.' }),
    medium: t.expose('medium', { type: 'Int', description: 'Issues of medium severity.' }),
    low: t.expose('low', { type: 'Int', description: 'Issues of low severity.' }),
  }),
})

const counted = 'over all pages of the list'

const summary = builder.objectRef<IssueSummary>('IssueSummary').implement({
  description: `Counts of the issues that match the filters, ${counted}.`,
  fields: (t) => ({
    total: t.expose('total', { type: 'Int', description: 'Issues.' }),
    bySeverity: t.expose('bySeverity', {
      type: severityCounts,
      description: 'Issues of each severity.',
    }),
    byType: t.field({
      type: 'JSON',
      view: 'rest',
      json: countMapSchema,
      description: 'Issues by check, for checks with issues.',
      resolve: ({ types }) => countMap(types),
    }),
    typeCounts: t.field({
      type: [keyCount],
      view: 'graph',
      description: 'Issues by check, most first.',
      resolve: ({ types }) => [...types],
    }),
  }),
})

const narrowing = builder.args((t) => ({
  severity: t.field({
    type: [issueSeverity],
    description: `Only issues of these severities: ${severities.map((name) => `\`${name}\``).join(', ')}.`,
    extensions: { param: { values: severities, list: true } },
  }),
  status: t.field({
    type: listedIssues,
    description: 'Issues to list: `open`, `resolved` or `all`; default `open`.',
    extensions: { param: { values: filters, default: 'open' } },
  }),
  pageId: t.id({ description: 'Only issues of this page.' }),
}))
inGraph({ severity: narrowing.severity }, { filter: 'severities' })
inGraph({ status: narrowing.status }, { filter: 'statuses' })
inGraph({ pageId: narrowing.pageId }, { filter: 'pageId' })

filterInput('IssueFilter', {
  rows: 'Issues',
  own: {
    severities: (t) =>
      t.field({ type: [issueSeverity], description: 'Only issues of these severities.' }),
    statuses: (t) =>
      t.field({ type: [issueStatus], description: 'Only these issues. Default `open`.' }),
    pageId: (t) => t.id({ description: 'Only issues of this page.' }),
  },
})

report('issues', {
  ...listOf(builder.objectRef<Awaited<ReturnType<typeof issues>>>('IssueList'), issueType, {
    description: 'A page of issues: the most severe first, then the largest reach.',
    rows: 'issues',
    sortKey: ({ severity, reach, url, type, id }) => [severity, reach, url, type, id],
    fields: (t) => ({
      project: reportFields.project(t),
      summary: t.expose('summary', {
        type: summary,
        description: `Counts of the issues that match the filters, ${counted}.`,
      }),
      pagination: reportFields.pagination(t),
      issues: t.expose('issues', {
        type: [issueType],
        description:
          'Issues of this page: the most severe first, then the largest reach, then by URL, check and id.',
      }),
    }),
  }),
  description: 'Faults of pages and of the site, as audits found them.',
  args: {
    ...narrowing,
    ...pageArgs({ default: 50, max: 5000 }),
  },
  resolve: (scope, args) => issues(scope, args as typeof args & IssueListArgs),
})

lookup('issue', {
  description: 'One issue.',
  id: ['issueId', 'Id of the issue.'],
  type: issueType,
  rest: {
    field: 'getIssue',
    type: builder.objectRef<Issue>('IssueReply').implement({
      description: 'One issue.',
      fields: (t) => ({
        issue: t.field({ type: issueType, description: 'The issue.', resolve: (row) => row }),
      }),
    }),
  },
  find: issue,
})
