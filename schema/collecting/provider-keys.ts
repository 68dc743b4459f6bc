import {
  loadProviderKeys,
  type ProviderKeyRow,
  removeProviderKey,
  type SavedProviderKey,
  setProviderKey,
} from '../../resolvers/collecting/provider-keys.ts'
import { wholeSize } from '../kit/args.ts'
import { adminOfWorkspace } from '../kit/authorize.ts'
import { freshLoader } from '../kit/batch.ts'
import { builder } from '../kit/builder.ts'
import { oncePerRequest, sourcesOf } from '../kit/context.ts'
import { connectionOf } from '../kit/lists/connection.ts'
import { connectionField } from '../kit/lists/field.ts'
import { answerProvider } from '../kit/method/providers.ts'
import { type OfWorkspace, workspaceChange, workspaceMutation } from '../workspaces/mutation.ts'
import { workspaceType } from '../workspaces/workspaces.ts'

const providerKey = builder.objectRef<ProviderKeyRow>('ProviderKey').implement({
  description: 'A key for a provider of AI assistants. The secret is encrypted and never shown.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'UUID of the provider key.' }),
    provider: t.field({
      type: answerProvider,
      description: 'Provider that the key is for.',
      resolve: ({ provider }) => provider,
    }),
    label: t.exposeString('label', { description: 'Name of the key, unique in its workspace.' }),
    baseUrl: t.exposeString('baseUrl', {
      nullable: true,
      description: 'Address of the API; null for the address of the provider.',
    }),
    model: t.exposeString('model', {
      nullable: true,
      description: 'Model that is asked; null for the default model of the provider.',
    }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      description: 'Time when the key was first stored.',
    }),
    updatedAt: t.expose('updatedAt', {
      type: 'DateTime',
      description: 'Time when the key was last replaced.',
    }),
  }),
})

/** Without a cache: one request may change a workspace and read it. */
const providerKeysOf = oncePerRequest(({ services: { db } }) =>
  freshLoader((ids) => loadProviderKeys(db, ids)),
)

builder.prismaObjectField(workspaceType, 'providerKeys', (t) =>
  t.field(
    connectionField({
      type: connectionOf(providerKey, {
        description: 'Provider keys of a workspace, newest first.',
        sortKey: ({ createdAt, id }) => [-createdAt.getTime(), id],
        isWhole: true,
      }),
      size: wholeSize,
      access: adminOfWorkspace,
      description: 'Keys for providers of AI assistants, newest first. Needs `admin`.',
      scope: (_workspace: { readonly id: string }, context) => sourcesOf(context),
      resolve: async ({ id }: { readonly id: string }, _args, context) => ({
        rows: await providerKeysOf(context).load(id),
      }),
    }),
  ),
)

workspaceMutation('setProviderKey', {
  isOutside: true,
  type: builder.objectRef<OfWorkspace<SavedProviderKey>>('ProviderKeyChange').implement({
    description: 'A provider key that was stored.',
    fields: (t) => ({
      providerKey: t.expose('row', {
        type: providerKey,
        description: 'The provider key, without its secret.',
      }),
    }),
  }),
  description: 'Stores a key for a provider after a test call. It replaces one of the same label.',
  args: builder.args((t) => ({
    provider: t.field({
      type: answerProvider,
      required: true,
      description: 'Provider that the key is for.',
    }),
    secret: t.string({
      required: true,
      description:
        "The provider's key; of `dataforseo`, `login:password`. It is never shown again.",
    }),
    label: t.string({
      description: 'Name of the key, unique in its workspace. Default: the provider.',
    }),
    baseUrl: t.string({
      description:
        'Address of the API, such as `https://openrouter.ai/api/v1`. Needed for `compatible`.',
    }),
    model: t.string({
      description:
        'Model that is asked. Default: one that searches the web. Needed for `compatible`. Of `dataforseo` and `serpapi`: `ai_overviews` or `ai_mode`.',
    }),
  })),
  change: ({ db, actor, workspaceId, signingSecret, privateHosts }, args) =>
    setProviderKey(db, actor, workspaceId, args, {
      signingSecret,
      // Its client of HTTP is much, and a key is rarely set.
      test: async (access) => {
        const { testKey } = await import('../../asking/test-key.ts')
        return testKey(access, privateHosts)
      },
    }),
})

workspaceMutation('removeProviderKey', {
  type: workspaceChange,
  description: 'Removes a key for a provider of AI assistants, with its secret.',
  args: builder.args((t) => ({
    keyId: t.id({ required: true, description: 'Id of the provider key.' }),
  })),
  change: ({ db, actor, workspaceId }, { keyId }) =>
    removeProviderKey(db, actor, workspaceId, String(keyId)),
})
