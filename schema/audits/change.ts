import type { Audit } from '../../resolvers/audits/audits.ts'
import { cancelAudit } from '../../resolvers/audits/cancel.ts'
import { type AuditRequest, auditBody, createAudit } from '../../resolvers/audits/create.ts'
import { keyedArgs, projectArgs } from '../kit/args.ts'
import { scopeOf, writeProject } from '../kit/authorize.ts'
import { builder } from '../kit/builder.ts'
import { actorOf } from '../kit/context.ts'
import { success } from '../kit/report-fields.ts'
import { auditType, requestedAudit } from './audit.ts'

const auditRequest = builder.objectRef<Audit>('AuditRequest').implement({
  description: 'Result of a request for an audit.',
  fields: (t) => ({
    audit: t.field({
      type: auditType,
      view: 'graph',
      description: 'The audit, which waits for the worker.',
      resolve: (row) => row,
    }),
    auditInRest: t.field({
      type: requestedAudit,
      view: 'rest',
      restName: 'audit',
      description: 'The audit, which waits for the worker.',
      resolve: (row) => row,
    }),
    success: t.boolean(success),
  }),
})

builder.mutationField('createAudit', (t) =>
  t.field({
    type: auditRequest,
    nullable: true,
    access: writeProject,
    description: 'Requests an audit of pages. Default: all tracked pages. Needs `write`.',
    body: auditBody,
    problems: [
      ...(['no_domain', 'no_workspace', 'no_pages', 'bulk_limit_exceeded'] as const),
      ...(['quota_exceeded', 'project_not_runnable', 'pitch_not_supported'] as const),
    ],
    args: {
      ...projectArgs,
      pageIds: t.arg.idList({
        description: 'Ids of pages, at most 10000; others are ignored. Default: all tracked pages.',
      }),
      maxPages: t.arg({
        type: 'Int',
        description:
          'Only this many tracked pages: the most cited and crawled in 30 days. Excludes `pageIds`.',
      }),
      externalLinks: t.arg.boolean({
        description:
          'Whether to request the links of the pages to other sites, too, at most 1000 of them. Default: false.',
        extensions: { view: 'graph' },
      }),
      ...keyedArgs,
    },
    resolve: async (_root, args, context) =>
      createAudit(
        await scopeOf(context, String(args.projectId)),
        actorOf(context),
        args as AuditRequest,
        context.services.privateHosts,
      ),
  }),
)

builder.mutationField('cancelAudit', (t) =>
  t.field({
    type: auditType,
    nullable: true,
    access: writeProject,
    view: 'graph',
    description: 'Ends an audit before its findings become issues. Needs `write`.',
    problems: ['pitch_not_supported'],
    args: {
      ...projectArgs,
      auditId: t.arg.id({ required: true, description: 'Id of the audit.' }),
      ...keyedArgs,
    },
    resolve: async (_root, { projectId, auditId }, context) =>
      cancelAudit(await scopeOf(context, String(projectId)), actorOf(context), String(auditId)),
  }),
)
