import { findKey, type Rotation, revokeWorkspaceKey, rotateKey } from '../../resolvers/keys/keys.ts'
import { builder } from '../kit/builder.ts'
import { type OfWorkspace, workspaceChange, workspaceMutation } from '../workspaces/mutation.ts'
import { apiKey } from './keys.ts'

const keyRotation = builder.objectRef<OfWorkspace<Rotation>>('KeyRotation').implement({
  description: 'A new API key that replaces an old key.',
  fields: (t) => ({
    key: t.exposeString('key', {
      description: 'The new API key. No later response shows the key again.',
    }),
    apiKey: t.field({
      type: apiKey,
      description: 'The new API key without its secret, as in `apiKeys`.',
      resolve: ({ workspaceId, subjectId }, _args, context) =>
        findKey(context.services.db, workspaceId, subjectId),
    }),
    oldKeyEndsAt: t.expose('oldKeyEndsAt', {
      type: 'DateTime',
      description: 'Time when the old key stops working.',
    }),
  }),
})

const keyId = builder.args((t) => ({
  keyId: t.id({ required: true, description: 'Id of the key, not the key itself.' }),
}))

workspaceMutation('revokeKey', {
  type: workspaceChange,
  description: 'Revokes an API key immediately and for good.',
  args: keyId,
  change: ({ db, actor, workspaceId }, args) =>
    revokeWorkspaceKey(db, actor, workspaceId, String(args.keyId)),
})

workspaceMutation('rotateKey', {
  type: keyRotation,
  hasSecret: true,
  description: 'Replaces an own API key by a new one with the same grants, project and lifetime.',
  args: {
    ...keyId,
    ...builder.args((t) => ({
      graceSeconds: t.field({
        type: 'Int',
        defaultValue: 0,
        description:
          'Seconds for which the old key still works. Default 0: not at all. At most 30 days.',
      }),
    })),
  },
  problems: ['plan_upgrade_required'],
  change: ({ db, actor, workspaceId }, { keyId, graceSeconds }) =>
    rotateKey(db, actor, workspaceId, String(keyId), { graceSeconds: graceSeconds ?? 0 }),
})
