import type { PageArgs, Pagination } from '../core/pagination.ts'
import { type AuditRecord, readAuditTrail } from '../resolvers/shared/audit-trail.ts'
import { pageArgs } from './kit/args.ts'
import { adminOfWorkspace, readOfProject } from './kit/authorize.ts'
import { builder } from './kit/builder.ts'
import { reportFields } from './kit/report-fields.ts'
import { workspaceType } from './workspaces/workspaces.ts'

const auditEntry = builder.prismaObject('AuditEntry', {
  description: 'One change: who made it, when, and what was before and after.',
  fields: (t) => ({
    id: t.id({
      description: 'Its number; a newer change has a higher one.',
      resolve: (entry) => String(entry.id),
    }),
    at: t.expose('at', { type: 'DateTime', description: 'When it was made.' }),
    action: t.exposeString('action', {
      description: 'Subject and verb, such as `competitor.add`.',
    }),
    subjectType: t.exposeString('subjectType', {
      description: 'What was changed, such as `competitor`.',
    }),
    subjectId: t.exposeID('subjectId', { description: 'Id of what was changed; it may be gone.' }),
    projectId: t.exposeID('projectId', {
      nullable: true,
      description: 'The project, which may be gone; null for a change to the workspace itself.',
    }),
    userId: t.exposeID('userId', {
      nullable: true,
      description: 'Who made it; null for the command line.',
    }),
    keyId: t.exposeID('keyId', {
      nullable: true,
      description: 'With which key; null for the command line.',
    }),
    before: t.expose('before', {
      type: 'JSON',
      nullable: true,
      description: 'What was changed, as it was; null where it is new.',
    }),
    after: t.expose('after', {
      type: 'JSON',
      nullable: true,
      description: 'What was changed, as it is since; null where it is gone.',
    }),
  }),
})

interface Trail {
  readonly entries: AuditRecord[]
  readonly pagination: Pagination
}

const auditTrail = builder.objectRef<Trail>('AuditTrail').implement({
  description: 'Changes, newest first.',
  fields: (t) => ({
    entries: t.field({
      type: [auditEntry],
      description: 'The changes of this page.',
      resolve: (trail) => trail.entries,
    }),
    pagination: reportFields.pagination(t),
  }),
})

const trailPage = pageArgs({ default: 50, max: 500 })

builder.objectField('Project', 'auditTrail', (t) =>
  t.field({
    type: auditTrail,
    access: readOfProject,
    view: 'graph',
    description: 'Changes to the project and what it tracks, newest first.',
    args: trailPage,
    resolve: ({ db, project }, args) =>
      readAuditTrail(db, { projectId: project.id }, args as PageArgs),
  }),
)

builder.prismaObjectField(workspaceType, 'auditTrail', (t) =>
  t.field({
    type: auditTrail,
    access: adminOfWorkspace,
    view: 'graph',
    description:
      'Changes to members, keys and every project of the workspace, newest first. Needs `admin`.',
    args: trailPage,
    resolve: (workspace, args, context) =>
      readAuditTrail(context.services.db, { workspaceId: workspace.id }, args as PageArgs),
  }),
)
