import { Fault } from '../core/errors.ts'
import type { Pagination } from '../core/pagination.ts'
import {
  type AuditRecord,
  readAuditTrail,
  type SubjectType,
} from '../resolvers/shared/audit-trail.ts'
import type { ProjectScope } from '../resolvers/shared/scope.ts'
import { apiKey, keysOf } from './keys/keys.ts'
import { listedScope, ownerOfWorkspace, readOfProject, readOfWorkspace } from './kit/authorize.ts'
import { builder } from './kit/builder.ts'
import { type Context, sourcesOf } from './kit/context.ts'
import { connectionOf } from './kit/lists/connection.ts'
import { connectionField } from './kit/lists/field.ts'
import { wordsOf } from './kit/words.ts'
import { membersOf, memberType } from './members/members.ts'
import { workspaceType } from './workspaces/workspaces.ts'

const subjectType = wordsOf<SubjectType>(
  'AuditSubject',
  'A type of objects whose changes are kept.',
  {
    workspace: 'A workspace.',
    member: 'A member of a workspace.',
    invitation: 'An invitation to a workspace.',
    key: 'An API key.',
    ingestKey: 'An ingest key.',
    providerKey: 'A key for a provider of AI assistants.',
    channel: 'A channel of notifications.',
    run: 'A run that asks prompts at providers.',
    schedule: 'A schedule that starts runs.',
    project: 'A project.',
    brandAlias: 'An alias of the own brand.',
    ownDomain: 'A domain of the own brand.',
    competitor: 'A competitor.',
    competitorAlias: 'An alias of a competitor.',
    topic: 'A topic.',
    prompt: 'A prompt.',
    location: 'A tracked location.',
    connection: 'A connection of a project to a data source.',
    googleClient: 'The OAuth client of a workspace at Google.',
    googleAccount: 'A Google account that a member has signed in with.',
    bingKey: 'The key of a workspace to Bing Webmaster Tools.',
    feed: 'Data that is pulled daily.',
    import: 'An import.',
    report: 'A report.',
    sitemap: 'The sitemap of a project.',
    setup: 'The set-up of a project.',
    audit: 'An audit.',
    issue: 'An issue.',
    opportunity: 'An opportunity.',
    suggestion: 'A suggested prompt.',
    alarm: 'An alarm.',
    monitor: 'A monitor, which looks for alarms.',
    plannedChange: 'A change that an AI client has planned.',
    mark: 'A mark: something that was done for the brand.',
  },
)

/** A project that still exists and that the key reaches. */
async function reachable(context: Context, projectId: string | null): Promise<ProjectScope | null> {
  if (projectId === null) return null
  try {
    return await listedScope(context, projectId)
  } catch (cause) {
    if (cause instanceof Fault) return null
    throw cause
  }
}

const auditEntry = builder.prismaObject('AuditEntry', {
  description: 'One change: who made it, when, and the state before and after.',
  fields: (t) => ({
    id: t.id({
      description: 'Number of the change; newer changes have higher numbers.',
      resolve: (entry) => String(entry.id),
    }),
    at: t.expose('at', { type: 'DateTime', description: 'Time of the change.' }),
    action: t.exposeString('action', {
      description: 'Action: subject and verb, such as `competitor.add`.',
    }),
    subjectType: t.field({
      type: subjectType,
      description: 'Type of the changed object.',
      resolve: (entry) => entry.subjectType as SubjectType,
    }),
    subjectId: t.exposeID('subjectId', {
      description: 'Id of the changed object, which may no longer exist.',
    }),
    projectId: t.exposeID('projectId', {
      nullable: true,
      description:
        'Id of the project, which may no longer exist; null for a change to the workspace.',
    }),
    userId: t.exposeID('userId', {
      nullable: true,
      description: 'The user who made the change; null for the command line.',
    }),
    keyId: t.exposeID('keyId', {
      nullable: true,
      description: 'The key that made the change; null for the command line.',
    }),
    project: t.field({
      type: 'Project',
      nullable: true,
      description: 'The project; null for a change to the workspace, or when it is gone.',
      resolve: ({ projectId }, _args, context) => reachable(context, projectId),
    }),
    member: t.field({
      type: memberType,
      nullable: true,
      description:
        'The member who made the change; null without a member, or for a key that cannot read members.',
      resolve: async ({ workspaceId, userId }, _args, context) => {
        if (userId === null) return null
        await context.authorize(context, readOfWorkspace, workspaceId)
        const members = await membersOf(context).load(workspaceId)
        return members.find((member) => member.userId === userId) ?? null
      },
    }),
    key: t.field({
      type: apiKey,
      nullable: true,
      description:
        'The key that made the change; null without one, of another workspace, or for who is no owner.',
      resolve: async ({ workspaceId, keyId }, _args, context) => {
        if (keyId === null) return null
        await context.authorize(context, ownerOfWorkspace, workspaceId)
        const keys = await keysOf(context).load(workspaceId)
        return keys.find(({ id }) => id === keyId) ?? null
      },
    }),
    before: t.expose('before', {
      type: 'JSON',
      nullable: true,
      description: 'The object before the change; null when the change added it.',
    }),
    after: t.expose('after', {
      type: 'JSON',
      nullable: true,
      description: 'The object after the change; null when the change removed it.',
    }),
  }),
})

type Workspace = typeof workspaceType.$inferType

interface Trail {
  readonly entries: AuditRecord[]
  readonly pagination: Pagination
}

const entries = connectionOf(auditEntry, {
  description: 'A page of changes, newest first.',
  rows: (trail: Trail) => trail.entries,
  sortKey: ({ id }) => [Number(id)],
})

const size = { default: 50, max: 500 }

builder.objectField('Project', 'auditTrail', (t) =>
  t.field(
    connectionField({
      type: entries,
      description: 'Changes to the project and its tracked objects, newest first.',
      size,
      access: readOfProject,
      resolve: ({ db, project }: ProjectScope, args) =>
        readAuditTrail(db, { projectId: project.id }, args),
    }),
  ),
)

builder.prismaObjectField(workspaceType, 'auditTrail', (t) =>
  t.field(
    connectionField({
      type: entries,
      description: 'Changes to the workspace and its projects, newest first. For owners.',
      size,
      access: ownerOfWorkspace,
      scope: (_workspace: Workspace, context) => sourcesOf(context),
      resolve: ({ id }: Workspace, args, context) =>
        readAuditTrail(context.services.db, { workspaceId: id }, args),
    }),
  ),
)
