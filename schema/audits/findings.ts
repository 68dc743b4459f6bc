import DataLoader from 'dataloader'
import type { PageResult } from '../../resolvers/audits/pages.ts'
import {
  type AuditFinding,
  type AuditPage,
  findingsOfPages,
  newestResults,
} from '../../resolvers/audits/pages.ts'
import type { Page } from '../../resolvers/pages/pages.ts'
import { together } from '../kit/batch.ts'
import { builder } from '../kit/builder.ts'
import { oncePerRequest } from '../kit/context.ts'
import { connectionOf } from '../kit/lists/connection.ts'
import { connectionField } from '../kit/lists/field.ts'
import { pageType } from '../pages/pages.ts'
import { auditLoaders, auditType } from './audit.ts'
import { checkIn, checkType } from './checks.ts'
import { auditPageType } from './pages.ts'

/** Without a cache: a request may change an audit. */
const findings = oncePerRequest(
  ({ services: { db } }) =>
    new DataLoader((pages: readonly AuditPage[]) => findingsOfPages(db, pages), { cache: false }),
)

const finding = builder.objectRef<AuditFinding>('AuditFinding').implement({
  description: 'A fault that one audit found at one page. Its issue may have changed since.',
  fields: (t) => ({
    type: t.exposeString('type', {
      description: 'Id of the check that found the fault, such as `title-missing`.',
    }),
    description: t.exposeString('description', {
      description: 'The fault with the figures of the page.',
    }),
    affectedCount: t.expose('affectedCount', {
      type: 'Int',
      description: 'Amount behind the fault, such as links or words; `description` names the unit.',
    }),
    evidence: t.expose('evidence', {
      type: 'JSON',
      description: 'Addresses, lines or texts behind the fault: at most 20 entries.',
    }),
    isCounted: t.exposeBoolean('isCounted', {
      description: 'Whether the fault lowers the scores: nobody ignored its issue at that time.',
    }),
    check: t.field({
      type: checkType,
      nullable: true,
      description: 'The check that found the fault; null for a check that audits no longer make.',
      resolve: ({ projectId, type }, _args, context) => checkIn(context, projectId, type),
    }),
  }),
})

builder.objectFields(auditPageType, (t) => ({
  audit: t.field({
    type: auditType,
    nullable: true,
    view: 'graph',
    description: 'The audit that checked the page; null when the audit no longer exists.',
    resolve: ({ auditId }, _args, context) => auditLoaders(context).audit.load(auditId),
  }),
  findings: t.field({
    type: [finding],
    view: 'graph',
    description: 'Faults that the audit found at the page; empty until the audit is completed.',
    resolve: (page, _args, context) => findings(context).load(page),
  }),
}))

const results = connectionOf(auditPageType, {
  name: 'AuditResult',
  description: 'A page of the results of one page of the site.',
  rows: ({ rows }: { readonly rows: readonly PageResult[] }) => rows,
  sortKey: (row) => [(row as PageResult).auditSeq],
  isCounted: true,
})

builder.objectField(pageType, 'audits', (t) =>
  t.field(
    connectionField({
      type: results,
      description: 'Results of the page in completed audits, newest first.',
      size: { default: 10, max: 100 },
      resolve: async ({ id }: Page, { limit, offset, afterKey }, context) => ({
        rows: await together(context, 'page.audits', id, { limit, offset, afterKey }, (ids, page) =>
          newestResults(context.services.db, ids, page),
        ),
      }),
    }),
  ),
)
