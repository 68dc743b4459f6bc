import type { Role } from '../../core/access.ts'
import { loadMembers } from '../../resolvers/members/members.ts'
import { wholeSize } from '../kit/args.ts'
import { readOfWorkspace } from '../kit/authorize.ts'
import { freshLoader } from '../kit/batch.ts'
import { builder } from '../kit/builder.ts'
import { oncePerRequest, sourcesOf } from '../kit/context.ts'
import { connectionOf } from '../kit/lists/connection.ts'
import { connectionField } from '../kit/lists/field.ts'
import { workspaceType } from '../workspaces/workspaces.ts'

export const roleType = builder.enumType('Role', {
  description: 'The role of a member in a workspace.',
  values: {
    owner: { description: 'Has every right in the workspace.' },
    editor: {
      description:
        'Reads and changes all data and settings, but no members, API keys or audit trail, and deletes no project.',
    },
    viewer: { description: 'Reads, and changes nothing.' },
  } satisfies Record<Role, object>,
})

export const memberType = builder.prismaObject('Membership', {
  name: 'Member',
  description: 'A user who belongs to a workspace.',
  include: { user: true },
  fields: (t) => ({
    userId: t.exposeID('userId', { description: 'UUID of the user.' }),
    email: t.string({
      description: 'E-mail address of the user.',
      resolve: ({ user }) => user.email,
    }),
    name: t.string({ description: 'Name of the user.', resolve: ({ user }) => user.name }),
    role: t.expose('role', { type: roleType, description: 'Role of the user in the workspace.' }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      description: 'Time since when the user is a member.',
    }),
  }),
})

/** Without a cache: one request may change a workspace and read it. */
export const membersOf = oncePerRequest(({ services: { db } }) =>
  freshLoader((ids) => loadMembers(db, ids)),
)

builder.prismaObjectField(workspaceType, 'members', (t) =>
  t.field(
    connectionField({
      type: connectionOf(memberType, {
        description: 'Members of a workspace, oldest first.',
        sortKey: ({ createdAt, userId }) => [createdAt.getTime(), userId],
        isWhole: true,
      }),
      size: wholeSize,
      access: readOfWorkspace,
      description: 'Members of the workspace, oldest first. A bound key cannot read members.',
      scope: (_workspace: { readonly id: string }, context) => sourcesOf(context),
      resolve: async ({ id }: { readonly id: string }, _args, context) => ({
        rows: await membersOf(context).load(id),
      }),
    }),
  ),
)
