import type { Capability, KeyScope } from '../../core/access.ts'
import { createKey, findKey } from '../../resolvers/keys/keys.ts'
import { builder } from '../kit/builder.ts'
import { type OfWorkspace, workspaceMutation } from '../workspaces/mutation.ts'
import { apiKey, keyCapability, keyScope } from './keys.ts'

interface NewKey {
  readonly id: string
  readonly key: string
}

const newKey = builder.objectRef<OfWorkspace<NewKey>>('NewApiKey').implement({
  description: 'A new API key.',
  fields: (t) => ({
    key: t.exposeString('key', {
      description: 'The API key. No later response shows the key again.',
    }),
    apiKey: t.field({
      type: apiKey,
      description: 'The API key without its secret, as in `apiKeys`.',
      resolve: ({ workspaceId, id }, _args, context) =>
        findKey(context.services.db, workspaceId, id),
    }),
  }),
})

workspaceMutation('createKey', {
  type: newKey,
  hasSecret: true,
  description:
    "Creates an API key for the user of the request's key, with the given rights as far as the user's role has them.",
  args: builder.args((t) => ({
    name: t.string({ description: 'Purpose of the API key.' }),
    scopes: t.field({ type: [keyScope], description: 'Scopes of the API key, such as `read`.' }),
    capabilities: t.field({
      type: [keyCapability],
      description: 'Capabilities of the API key, such as `prompt_draft`.',
    }),
    projectId: t.id({
      description: 'The only project that the API key reaches. Default: all of its user.',
    }),
    expiresAt: t.field({
      type: 'DateTime',
      description: 'Time when the API key expires. Absent, the key does not expire.',
    }),
  })),
  problems: ['plan_upgrade_required'],
  change: ({ db, actor, workspaceId }, { name, scopes, capabilities, projectId, expiresAt }) => {
    const wanted = {
      ...(name == null ? {} : { name }),
      ...(projectId == null ? {} : { projectId: String(projectId).toLowerCase() }),
      ...(expiresAt == null ? {} : { expiresAt: new Date(expiresAt) }),
      scopes: [...(scopes ?? [])] as KeyScope[],
      capabilities: [...(capabilities ?? [])] as Capability[],
    }
    return createKey(db, { workspaceId, ...wanted }, actor)
  },
})
