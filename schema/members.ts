import type { InputFieldMap, InputShapeFromFields } from '@pothos/core'
import type { Db } from '../prisma/client.ts'
import { findKey, type Rotation, revokeWorkspaceKey, rotateKey } from '../resolvers/keys/keys.ts'
import { addMember, changeMemberRole, removeMember } from '../resolvers/members.ts'
import type { Actor } from '../resolvers/shared/audit-trail.ts'
import type { WorkspaceOutcome } from '../resolvers/shared/change.ts'
import { keyedArgs } from './kit/args.ts'
import { adminWorkspace } from './kit/authorize.ts'
import { builder } from './kit/builder.ts'
import { actorOf } from './kit/change.ts'
import type { Context } from './kit/context.ts'
import { workspaceType } from './projects/parts.ts'
import { apiKey, roleType, workspaceOf } from './workspaces.ts'

type OfWorkspace<Result> = Result & { readonly workspaceId: string }

export const workspaceChange = builder
  .objectRef<OfWorkspace<WorkspaceOutcome>>('WorkspaceChange')
  .implement({
    description: 'What came of a change to a workspace.',
    fields: (t) => ({
      subjectId: t.exposeID('subjectId', {
        description: 'Id of the user or the key that was added, changed or removed.',
      }),
      changed: t.exposeBoolean('changed', {
        description: 'False when everything was so already: nothing was written then.',
      }),
      workspace: t.field({
        type: workspaceType,
        description: 'The workspace as it is since.',
        resolve: ({ workspaceId }, _args, context) => workspaceOf(context, workspaceId),
      }),
    }),
  })

const keyRotation = builder.objectRef<OfWorkspace<Rotation>>('KeyRotation').implement({
  description: 'A new key in place of an old one.',
  fields: (t) => ({
    key: t.exposeString('key', { description: 'The new key. It is shown this once.' }),
    apiKey: t.field({
      type: apiKey,
      description: 'The new key, as it is listed.',
      resolve: ({ workspaceId, subjectId }, _args, context) =>
        findKey(context.services.db, workspaceId, subjectId),
    }),
    oldKeyEndsAt: t.expose('oldKeyEndsAt', {
      type: 'DateTime',
      description: 'When the old key ends.',
    }),
  }),
})

interface Governing<Args extends InputFieldMap, Result> {
  readonly type: object
  readonly description: string
  readonly args: Args
  readonly change: (
    who: { db: Db; actor: Actor; workspaceId: string; signingSecret: string },
    args: InputShapeFromFields<Args>,
  ) => Promise<Result>
}

/** A mutation that changes a workspace as a whole, for its own unbound keys with `admin`. */
export function governing<Args extends InputFieldMap, Result extends WorkspaceOutcome>(
  name: string,
  { type, description, args, change }: Governing<Args, Result>,
): void {
  builder.mutationField(name, (t) =>
    t.field({
      type,
      description,
      access: adminWorkspace,
      view: 'graph',
      args: {
        workspaceId: t.arg.id({ required: true, description: 'Id of the workspace.' }),
        ...args,
        // An answer that shows a key is never kept.
        ...(type === workspaceChange ? keyedArgs : {}),
      },
      resolve: async (_root: object, given: { workspaceId: string }, context: Context) => {
        const workspaceId = given.workspaceId.toLowerCase()
        const { db, signingSecrets } = context.services
        const [signingSecret] = signingSecrets
        const who = { db, actor: actorOf(context), workspaceId, signingSecret }
        return { workspaceId, ...(await change(who, given as never)) }
      },
    } as never),
  )
}

const userId = builder.args((t) => ({
  userId: t.id({ required: true, description: 'UUID of the user.' }),
}))

const keyId = builder.args((t) => ({
  keyId: t.id({ required: true, description: 'Id of the key, not the key itself.' }),
}))

governing('addMember', {
  type: workspaceChange,
  description: 'Makes the user with this address a member. A user that is unknown is made.',
  args: builder.args((t) => ({
    email: t.string({ required: true, description: 'E-mail address.' }),
    role: t.field({ type: roleType, description: '`member` unless given.' }),
  })),
  change: ({ db, actor, workspaceId }, { email, role }) =>
    addMember(db, actor, workspaceId, { email, role: role ?? undefined }),
})

governing('changeMemberRole', {
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

governing('removeMember', {
  type: workspaceChange,
  description:
    'Ends a membership, and the keys that act for this user in the workspace. The last owner stays.',
  args: userId,
  change: ({ db, actor, workspaceId }, args) =>
    removeMember(db, actor, workspaceId, String(args.userId)),
})

governing('revokeKey', {
  type: workspaceChange,
  description: 'Ends an API key at once. One that was revoked already stays so.',
  args: keyId,
  change: ({ db, actor, workspaceId }, args) =>
    revokeWorkspaceKey(db, actor, workspaceId, String(args.keyId)),
})

governing('rotateKey', {
  type: keyRotation,
  description:
    'Makes a new API key with the grants, the user, the project and the lifetime of an old one, which ends.',
  args: {
    ...keyId,
    ...builder.args((t) => ({
      graceSeconds: t.field({
        type: 'SafeInt',
        defaultValue: 0,
        description:
          'How long the old key still works; 0, which is not at all, unless given; 30 days at most.',
      }),
    })),
  },
  change: ({ db, actor, workspaceId }, { keyId, graceSeconds }) =>
    rotateKey(db, actor, workspaceId, String(keyId), { graceSeconds: graceSeconds ?? 0 }),
})
