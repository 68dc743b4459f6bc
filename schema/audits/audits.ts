import { type Audit, type AuditListArgs, audit, audits } from '../../resolvers/audits/audits.ts'
import { inGraph, pageArgs } from '../kit/args.ts'
import { builder } from '../kit/builder.ts'
import { filterInput } from '../kit/inputs.ts'
import { listOf } from '../kit/lists/connection.ts'
import { lookup } from '../kit/lookup.ts'
import { report } from '../kit/report.ts'
import { reportFields } from '../kit/report-fields.ts'
import { auditRecord, auditState, auditType } from './audit.ts'

const states = ['queued', 'running', 'completed', 'failed'] as const

const narrowing = builder.args((t) => ({
  status: t.field({
    type: auditState,
    description: `Only audits of this status: ${states.map((name) => `\`${name}\``).join(', ')}.`,
    extensions: { param: { values: states } },
  }),
}))
inGraph(narrowing, { filter: 'statuses', input: 'AuditFilter' })

filterInput('AuditFilter', {
  rows: 'Audits',
  own: {
    statuses: (t) => t.field({ type: [auditState], description: 'Only audits of these statuses.' }),
  },
})

report('audits', {
  ...listOf(builder.objectRef<Awaited<ReturnType<typeof audits>>>('AuditList'), auditType, {
    description: 'A page of audits, newest first.',
    rows: 'audits',
    sortKey: ({ createdAt, id }) => [createdAt.toISOString(), id],
    fields: (t) => ({
      project: reportFields.project(t),
      audits: t.expose('audits', {
        type: [auditType],
        description: 'Audits of this page, newest first.',
      }),
      pagination: reportFields.pagination(t),
    }),
  }),
  description: 'Audits of the pages of a project, newest first.',
  problems: ['pitch_not_supported'],
  args: { ...narrowing, ...pageArgs({ default: 50, max: 1000 }) },
  resolve: (scope, args) => audits(scope, args as typeof args & AuditListArgs),
})

lookup('audit', {
  description: 'One audit.',
  id: ['auditId', 'Id of the audit.'],
  type: auditType,
  rest: {
    field: 'getAudit',
    type: builder.objectRef<Audit>('AuditReply').implement({
      description: 'One audit.',
      fields: (t) => ({
        audit: t.field({
          type: auditRecord,
          description: 'The audit with its progress.',
          resolve: (row) => row,
        }),
      }),
    }),
    problems: ['pitch_not_supported'],
  },
  find: audit,
})
