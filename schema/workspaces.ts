import { loadKeys } from '../resolvers/keys/keys.ts'
import { loadMembers, type roles } from '../resolvers/members.ts'
import { loadWorkspaces } from '../resolvers/workspaces.ts'
import { adminOfWorkspace, listedScope, readOfWorkspace, readWorkspace } from './kit/authorize.ts'
import { builder } from './kit/builder.ts'
import type { Context } from './kit/context.ts'
import { workspaceType } from './projects/parts.ts'

export const roleType = builder.enumType('Role', {
  description: 'What a member is in the workspace.',
  values: {
    owner: { description: 'Answers for the workspace; there is always one.' },
    admin: { description: 'Looks after it.' },
    member: { description: 'Belongs to it.' },
  } satisfies Record<(typeof roles)[number], object>,
})

const member = builder.prismaObject('Membership', {
  name: 'Member',
  description: 'A user who belongs to a workspace.',
  include: { user: true },
  fields: (t) => ({
    userId: t.exposeID('userId', { description: 'UUID of the user.' }),
    email: t.string({ description: 'E-mail address.', resolve: ({ user }) => user.email }),
    name: t.string({ description: 'Name.', resolve: ({ user }) => user.name }),
    role: t.expose('role', { type: roleType, description: 'What they are in the workspace.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'Member since.' }),
  }),
})

type KeyRow = Awaited<ReturnType<typeof loadKeys>>[number]

// No object of Prisma's: its rows have the hash, and these must not.
export const apiKey = builder.objectRef<KeyRow>('ApiKey').implement({
  description: 'An API key, without what could be used as one.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'UUID.' }),
    name: t.exposeString('name', { nullable: true, description: 'What it is for.' }),
    lastFour: t.exposeString('lastFour', { description: 'Its last four characters.' }),
    scopes: t.exposeStringList('scopes', { description: 'Its scopes.' }),
    capabilities: t.exposeStringList('capabilities', { description: 'Its capabilities.' }),
    userId: t.exposeID('userId', { description: 'The member it acts for.' }),
    project: t.field({
      type: 'Project',
      nullable: true,
      description: 'The one project that it reaches; null for a key that is not bound.',
      resolve: (key, _args, context) =>
        key.projectId === null ? null : listedScope(context, key.projectId),
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was made.' }),
    expiresAt: t.expose('expiresAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it ends by itself; null for never.',
    }),
    revokedAt: t.expose('revokedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it was ended; null while it was not.',
    }),
  }),
})

builder.prismaObjectField(workspaceType, 'members', (t) =>
  t.field({
    type: [member],
    access: readOfWorkspace,
    view: 'graph',
    description: 'Who belongs to the workspace, the first first. Not for a bound key.',
    resolve: ({ id }, _args, context) => loadMembers(context.services.db, id),
  }),
)

builder.prismaObjectField(workspaceType, 'apiKeys', (t) =>
  t.field({
    type: [apiKey],
    access: adminOfWorkspace,
    view: 'graph',
    description: 'API keys, newest first, those that have ended too. Needs `admin`.',
    resolve: ({ id }, _args, context) => loadKeys(context.services.db, id),
  }),
)

export async function workspaceOf(context: Context, id: string) {
  const [workspace] = await loadWorkspaces(context.services.db, [id])
  if (!workspace) throw new Error(`no workspace ${id}`)
  return workspace
}

builder.queryField('workspace', (t) =>
  t.field({
    type: workspaceType,
    access: readWorkspace,
    view: 'graph',
    description: "The key's workspace: its members, keys and audit trail. Not for a bound key.",
    args: { workspaceId: t.arg.id({ required: true, description: 'Id of the workspace.' }) },
    resolve: (_root, args, context) => workspaceOf(context, String(args.workspaceId).toLowerCase()),
  }),
)
