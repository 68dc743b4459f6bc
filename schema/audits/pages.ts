import type { PageArgs } from '../../core/pagination.ts'
import type { Audit } from '../../resolvers/audits/audits.ts'
import {
  type AuditPage,
  type AuditPageList,
  auditPages,
  pagesOfAudits,
} from '../../resolvers/audits/pages.ts'
import { pageArgs } from '../kit/args.ts'
import { together } from '../kit/batch.ts'
import { builder } from '../kit/builder.ts'
import { listOf } from '../kit/lists/connection.ts'
import { connectionField } from '../kit/lists/field.ts'
import { report } from '../kit/report.ts'
import { reportFields } from '../kit/report-fields.ts'
import { pageLoaders } from '../pages/loaders.ts'
import { pageType } from '../pages/pages.ts'
import { auditScores, auditType } from './audit.ts'

const auditPageStatus = builder.enumType('AuditPageStatus', {
  description: 'Result of a page in an audit.',
  values: {
    queued: { description: 'The page waits for its turn.' },
    completed: { description: 'The page was judged, also when it cannot be read.' },
    skipped: {
      description: 'The page was left out: no HTML, foreign host, closed, or out of budget.',
    },
    failed: { description: 'The service failed to check the page.' },
  },
})

export const auditPageType = builder.objectRef<AuditPage>('AuditPage').implement({
  description: 'A page of an audit, as the audit saw it.',
  fields: (t) => ({
    pageId: t.exposeID('pageId', {
      view: 'rest',
      description: 'UUID of the page, which may no longer exist.',
    }),
    url: t.exposeString('url', { description: 'Normalised URL of the page.' }),
    status: t.expose('status', {
      type: auditPageStatus,
      description: 'Result of the page in the audit.',
    }),
    httpStatus: t.expose('httpStatus', {
      type: 'Int',
      nullable: true,
      description: 'Last HTTP status that the page answered with; null without an answer.',
    }),
    scores: t.expose('scores', {
      type: auditScores,
      nullable: true,
      description: 'Scores of the page; null unless completed.',
    }),
    issueCount: t.expose('issueCount', {
      type: 'Int',
      description: 'Issues of the page in the audit, without ignored ones.',
    }),
    page: t.field({
      type: pageType,
      nullable: true,
      view: 'graph',
      description: 'The page of the site; null when the page no longer exists.',
      resolve: ({ pageId }, _args, context) => pageLoaders(context).page.load(pageId),
    }),
  }),
})

const auditPageList = listOf(builder.objectRef<AuditPageList>('AuditPageList'), auditPageType, {
  description: 'A page of the pages of an audit, by URL.',
  rows: 'pages',
  sortKey: ({ url, pageId }) => [url, pageId],
  fields: (t) => ({
    pages: t.expose('pages', { type: [auditPageType], description: 'Pages of the audit, by URL.' }),
    pagination: reportFields.pagination(t),
  }),
})

const size = { default: 50, max: 1000 }

report('auditPages', {
  view: 'rest',
  ...auditPageList,
  description: 'Pages of one audit, with their scores.',
  problems: ['pitch_not_supported'],
  args: {
    ...builder.args((t) => ({
      auditId: t.id({ required: true, description: 'Id of the audit.' }),
    })),
    ...pageArgs(size),
  },
  resolve: (scope, { auditId, ...args }) =>
    auditPages(scope, { ...(args as PageArgs), auditId: String(auditId) }),
})

builder.objectField(auditType, 'pages', (t) =>
  t.field(
    connectionField({
      type: auditPageList.connection,
      description: 'Pages of the audit, by URL.',
      size,
      resolve: ({ id }: Audit, { limit, offset, afterKey }, context) =>
        together(context, 'audit.pages', id, { limit, offset, afterKey }, (ids, page) =>
          pagesOfAudits(context.services.db, ids, page),
        ),
    }),
  ),
)

builder.objectField(pageType, 'latestAudit', (t) =>
  t.field({
    type: auditType,
    nullable: true,
    view: 'graph',
    description: 'The newest completed audit that judged the page; null when none did.',
    resolve: ({ id }, _args, context) => pageLoaders(context).latestAudit.load(id),
  }),
)
