import { addMember, changeMemberRole, removeMember } from '../../resolvers/members.ts'
import { builder } from '../kit/builder.ts'
import { workspaceChange, workspaceMutation } from '../workspaces/mutation.ts'
import { roleType } from './members.ts'

const userId = builder.args((t) => ({
  userId: t.id({ required: true, description: 'UUID of the user.' }),
}))

workspaceMutation('addMember', {
  type: workspaceChange,
  description: 'Makes the user with this e-mail address a member. An unknown user is created.',
  args: builder.args((t) => ({
    email: t.string({ required: true, description: 'E-mail address of the user.' }),
    role: t.field({ type: roleType, description: 'Role of the new member. Default `member`.' }),
  })),
  change: ({ db, actor, workspaceId }, { email, role }) =>
    addMember(db, actor, workspaceId, { email, role: role ?? undefined }),
})

workspaceMutation('changeMemberRole', {
  type: workspaceChange,
  description: 'Changes the role of a member. The last owner stays owner.',
  args: {
    ...userId,
    ...builder.args((t) => ({
      role: t.field({ type: roleType, required: true, description: 'New role of the member.' }),
    })),
  },
  change: ({ db, actor, workspaceId }, args) =>
    changeMemberRole(db, actor, workspaceId, String(args.userId), { role: args.role }),
})

workspaceMutation('removeMember', {
  type: workspaceChange,
  description:
    'Removes a member and revokes the keys that act for this user in the workspace. The last owner cannot be removed.',
  args: userId,
  change: ({ db, actor, workspaceId }, args) =>
    removeMember(db, actor, workspaceId, String(args.userId)),
})
