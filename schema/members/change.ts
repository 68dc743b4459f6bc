import { addMember, changeMemberRole, removeMember } from '../../resolvers/members.ts'
import { builder } from '../kit/builder.ts'
import { workspaceChange, workspaceMutation } from '../workspaces/mutation.ts'
import { roleType } from './members.ts'

const userId = builder.args((t) => ({
  userId: t.id({ required: true, description: 'UUID of the user.' }),
}))

workspaceMutation('addMember', {
  type: workspaceChange,
  description: 'Makes the user with this address a member. A user that is unknown is made.',
  args: builder.args((t) => ({
    email: t.string({ required: true, description: 'E-mail address.' }),
    role: t.field({ type: roleType, description: '`member` unless given.' }),
  })),
  change: ({ db, actor, workspaceId }, { email, role }) =>
    addMember(db, actor, workspaceId, { email, role: role ?? undefined }),
})

workspaceMutation('changeMemberRole', {
  type: workspaceChange,
  description: 'Gives a member another role. The last owner stays one.',
  args: {
    ...userId,
    ...builder.args((t) => ({
      role: t.field({ type: roleType, required: true, description: 'The role.' }),
    })),
  },
  change: ({ db, actor, workspaceId }, args) =>
    changeMemberRole(db, actor, workspaceId, String(args.userId), { role: args.role }),
})

workspaceMutation('removeMember', {
  type: workspaceChange,
  description:
    'Ends a membership, and the keys that act for this user in the workspace. The last owner stays.',
  args: userId,
  change: ({ db, actor, workspaceId }, args) =>
    removeMember(db, actor, workspaceId, String(args.userId)),
})
