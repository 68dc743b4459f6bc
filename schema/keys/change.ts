import { findKey, type Rotation, revokeWorkspaceKey, rotateKey } from '../../resolvers/keys/keys.ts'
import { builder } from '../kit/builder.ts'
import { type OfWorkspace, workspaceChange, workspaceMutation } from '../workspaces/mutation.ts'
import { apiKey } from './keys.ts'

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

const keyId = builder.args((t) => ({
  keyId: t.id({ required: true, description: 'Id of the key, not the key itself.' }),
}))

workspaceMutation('revokeKey', {
  type: workspaceChange,
  description: 'Ends an API key at once. One that was revoked already stays so.',
  args: keyId,
  change: ({ db, actor, workspaceId }, args) =>
    revokeWorkspaceKey(db, actor, workspaceId, String(args.keyId)),
})

workspaceMutation('rotateKey', {
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
