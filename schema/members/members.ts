import { loadMembers, type roles } from '../../resolvers/members.ts'
import { readOfWorkspace } from '../kit/authorize.ts'
import { builder } from '../kit/builder.ts'
import { workspaceType } from '../workspaces/workspaces.ts'

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

builder.prismaObjectField(workspaceType, 'members', (t) =>
  t.field({
    type: [member],
    access: readOfWorkspace,
    view: 'graph',
    description: 'Who belongs to the workspace, the first first. Not for a bound key.',
    resolve: ({ id }, _args, context) => loadMembers(context.services.db, id),
  }),
)
