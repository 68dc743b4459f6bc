import DataLoader from 'dataloader'
import { headlineOf } from '../../core/checks/headlines.ts'
import { type Issue, openIssues } from '../../resolvers/issues/issues.ts'
import { builder } from '../kit/builder.ts'
import { oncePerRequest } from '../kit/context.ts'
import { pageLoaders } from '../pages/loaders.ts'
import { pageType } from '../pages/pages.ts'

export const severities = ['critical', 'high', 'medium', 'low'] as const

export const issueSeverity = builder.enumType('IssueSeverity', {
  description: 'How much an issue harms.',
  values: {
    critical: { description: 'Assistants or visitors cannot use the page or the site.' },
    high: { description: 'The page is used, but loses much.' },
    medium: { description: 'The page works worse than it could.' },
    low: { description: 'A detail.' },
  },
})

export const issueStatus = builder.enumType('IssueStatus', {
  description: 'Whether an issue is open.',
  values: {
    open: { description: 'The newest audit of the page or site found the issue.' },
    resolved: { description: 'The issue is gone or ignored.' },
  },
})

const issueResolution = builder.enumType('IssueResolution', {
  description: 'The reason why an issue is resolved.',
  values: {
    fixed: { description: 'A later audit no longer found the issue.' },
    page_removed: { description: 'Nothing refers to the page any more.' },
    superseded: { description: 'Another issue of the page covers it.' },
    check_retired: { description: 'Audits no longer make the check.' },
    ignored: { description: 'A person ignores the issue.' },
  },
})

export const issueCategory = builder.enumType('IssueCategory', {
  description: 'The score that an issue lowers.',
  values: {
    technical: { description: 'The technical score.' },
    content: { description: 'The content score.' },
    aiReadiness: { description: 'The score of how well AI assistants can read the pages.' },
  },
})

export const issueType = builder.objectRef<Issue>('Issue').implement({
  description: 'A fault of a page, or of the site as a whole, that audits found.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'UUID of the issue.' }),
    pageId: t.exposeID('pageId', {
      view: 'rest',
      nullable: true,
      description: 'UUID of the page, which may no longer exist; null for an issue of the site.',
    }),
    url: t.exposeString('url', { description: 'URL of the page or file that has the fault.' }),
    type: t.exposeString('type', {
      description: 'Id of the check that finds the issue, such as `title-missing`.',
    }),
    severity: t.expose('severity', {
      type: issueSeverity,
      description: 'How much the issue harms.',
    }),
    status: t.expose('status', { type: issueStatus, description: 'Whether the issue is open.' }),
    title: t.exposeString('title', { description: 'The fault in a few words.' }),
    headline: t.string({
      view: 'graph',
      description: 'What the check finds, as a heading, such as "Pages without a title".',
      resolve: ({ type, title }) => headlineOf(type, title),
    }),
    description: t.exposeString('description', {
      description: 'The fault with the figures of the page or site.',
    }),
    howToFix: t.exposeString('howToFix', { description: 'How to fix the fault.' }),
    firstSeenAt: t.expose('firstSeenAt', {
      type: 'DateTime',
      description: 'Start of the first audit that found the issue.',
    }),
    lastSeenAt: t.expose('lastSeenAt', {
      type: 'DateTime',
      description: 'Start of the newest audit that found the issue.',
    }),
    category: t.expose('category', {
      type: issueCategory,
      description: 'The score that the issue lowers.',
    }),
    affectedCount: t.expose('affectedCount', {
      type: 'Int',
      description: 'Amount behind the issue; `description` names the unit.',
    }),
    reach: t.expose('reach', {
      type: 'Int',
      description:
        'Ten times the answers that cite the page plus requests of AI crawlers, in the 30 days before the audit; of the site, the sum over tracked pages.',
    }),
    resolution: t.expose('resolution', {
      type: issueResolution,
      nullable: true,
      description: 'The reason why the issue is resolved; null while it is open.',
    }),
    resolvedAt: t.expose('resolvedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'Time when the issue was resolved; null while it is open.',
    }),
    evidence: t.expose('evidence', {
      type: 'JSON',
      view: 'graph',
      description: 'Addresses, lines or texts behind the issue: at most 20 entries.',
    }),
    openedAt: t.expose('openedAt', {
      type: 'DateTime',
      view: 'graph',
      description: 'Time when the issue was last opened.',
    }),
    regressions: t.expose('regressions', {
      type: 'Int',
      view: 'graph',
      description: 'Times that an audit found the issue again after a fix.',
    }),
    ignoredReason: t.exposeString('ignoredReason', {
      nullable: true,
      view: 'graph',
      description: 'Reason that a person gave to ignore the issue; null unless ignored.',
    }),
    page: t.field({
      type: pageType,
      nullable: true,
      view: 'graph',
      description: 'The page with the fault; null for an issue of the site or a removed page.',
      resolve: ({ pageId }, _args, context) =>
        pageId === null ? null : pageLoaders(context).page.load(pageId),
    }),
  }),
})

/** By page. Without a cache: a request may change an issue. */
const ofPage = oncePerRequest(
  ({ services: { db } }) =>
    new DataLoader((ids: readonly string[]) => openIssues(db, ids), { cache: false }),
)

builder.objectField(pageType, 'issues', (t) =>
  t.field({
    type: [issueType],
    view: 'graph',
    description: 'Open issues of the page, the most severe first.',
    resolve: ({ id }, _args, context) => ofPage(context).load(id),
  }),
)
