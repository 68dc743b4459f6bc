import { changeMemberRole, removeMember } from '../../resolvers/members/members.ts'
import { builder } from '../kit/builder.ts'
import { workspaceChange, workspaceMutation } from '../workspaces/mutation.ts'
import { roleType } from './members.ts'

const userId = builder.args((t) => ({
  userId: t.id({ required: true, description: 'UUID of the user.' }),
}))

workspaceMutation('changeMemberRole', {
  type: workspaceChange,
  description:
    "Changes the role of a member, which bounds the member's keys at once. The last owner stays one.",
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
  description: "Removes a member and revokes the member's keys. The last owner stays.",
  args: userId,
  change: ({ db, actor, workspaceId }, args) =>
    removeMember(db, actor, workspaceId, String(args.userId)),
})
