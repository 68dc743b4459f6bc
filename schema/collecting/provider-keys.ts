import { keyCost } from '../../core/collecting/providers/cost.ts'
import type { SurfaceName } from '../../core/collecting/providers/surfaces/names.ts'
import {
  loadProviderKeys,
  type ProviderKeyRow,
  providerModels,
  removeProviderKey,
  type SavedProviderKey,
  setProviderKey,
  type TestedProviderKey,
  testProviderKey,
} from '../../resolvers/collecting/provider-keys.ts'
import { wholeSize } from '../kit/args.ts'
import { adminOfWorkspace, adminWorkspace } from '../kit/authorize.ts'
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
    surfaces: t.stringList({
      description:
        'Surfaces that a service reads with the key, such as `chatgpt`; empty for other providers.',
      resolve: ({ surfaces }) => surfaces,
    }),
    unitPrice: t.exposeFloat('unitPrice', {
      nullable: true,
      description:
        'US dollars of a credit, record or result of a service, by the plan of its account; null where none is stated.',
    }),
    workedAt: t.expose('workedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'Time when the provider last took the key; null for a key from before 0.3.',
    }),
    refusedAt: t.expose('refusedAt', {
      type: 'DateTime',
      nullable: true,
      description:
        'Time since when the provider refuses the key or its model; null while it does not.',
    }),
    refusal: t.exposeString('refusal', {
      nullable: true,
      description: 'Why the provider refuses the key, in a sentence; null while it does not.',
    }),
    expectedCost: t.float({
      nullable: true,
      description:
        'Expected cost of one answer in US dollars, of the first surface of a service; null where the price is unknown.',
      resolve: ({ surfaces: [surface], ...key }) =>
        keyCost({ ...key, model: surface ?? key.model }),
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
  access: adminWorkspace,
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
        "The provider's key; of `dataforseo`, `dataforseo_scraper` and `oxylabs`, `login:password`. It is never shown again.",
    }),
    label: t.string({
      description: 'Name of the key, unique in its workspace. Default: the provider.',
    }),
    baseUrl: t.string({
      description:
        'Address of the API, such as `https://api.deepseek.com/v1`. Needed for `compatible`.',
    }),
    model: t.string({
      description:
        'Model that is asked. Default: one that searches the web. Needed for `compatible`. Of `dataforseo` and `serpapi`: `ai_overviews` or `ai_mode`; of `dataforseo` also `perplexity`.',
    }),
    surfaces: t.stringList({
      description:
        'Surfaces that a service reads: `chatgpt`, `ai_mode`, `ai_overviews`, `gemini`, `perplexity`, `copilot`. Default: `chatgpt`.',
    }),
    unitPrice: t.float({
      description:
        'US dollars of a credit, record or result of a service, by the plan of its account. Default: the public price of `dataforseo_scraper`; else the cost of answers is unknown.',
    }),
  })),
  change: ({ db, actor, workspaceId, signingSecret, privateHosts }, { surfaces, ...args }) =>
    setProviderKey(
      db,
      actor,
      workspaceId,
      { ...args, surfaces: surfaces as SurfaceName[] },
      {
        signingSecret,
        // Its client of HTTP is much, and a key is rarely set.
        test: async (access) => {
          const { testKey } = await import('../../imports/collecting/test-key.ts')
          return testKey(access, privateHosts)
        },
      },
    ),
})

workspaceMutation('removeProviderKey', {
  access: adminWorkspace,
  type: workspaceChange,
  description: 'Removes a key for a provider of AI assistants, with its secret.',
  args: builder.args((t) => ({
    keyId: t.id({ required: true, description: 'Id of the provider key.' }),
  })),
  change: ({ db, actor, workspaceId }, { keyId }) =>
    removeProviderKey(db, actor, workspaceId, String(keyId)),
})

workspaceMutation('testProviderKey', {
  access: adminWorkspace,
  isOutside: true,
  type: builder.objectRef<OfWorkspace<TestedProviderKey>>('ProviderKeyTest').implement({
    description: 'What a test call with a stored provider key found.',
    fields: (t) => ({
      testProblem: t.exposeString('testProblem', {
        nullable: true,
        description: 'Why the key did not pass, in a sentence; null where it did.',
      }),
      providerKey: t.expose('row', {
        type: providerKey,
        description: 'The provider key after the test.',
      }),
    }),
  }),
  description:
    'Asks a provider for a few tokens with a stored key, and notes whether it takes the key.',
  args: builder.args((t) => ({
    keyId: t.id({ required: true, description: 'Id of the provider key.' }),
  })),
  change: ({ db, workspaceId, signingSecrets, privateHosts }, { keyId }) =>
    testProviderKey(
      db,
      { workspaceId, keyId: String(keyId) },
      {
        signingSecrets,
        test: async (access) => {
          const { tryKey } = await import('../../imports/collecting/test-key.ts')
          return tryKey(access, privateHosts)
        },
      },
    ),
})

const providerModelList = builder
  .objectRef<{ readonly models: readonly string[]; readonly isListed: boolean }>('ProviderModels')
  .implement({
    description: 'Models of a provider to choose from.',
    fields: (t) => ({
      models: t.stringList({
        description: 'Ids of models that may answer prompts.',
        resolve: ({ models }) => [...models],
      }),
      isListed: t.exposeBoolean('isListed', {
        description:
          'Whether the provider listed them for the key; false for those that Sightline knows.',
      }),
    }),
  })

workspaceMutation('listProviderModels', {
  access: adminWorkspace,
  isOutside: true,
  type: providerModelList,
  description:
    'Lists models to choose from: with a key, those that its provider lists; else those that are known.',
  args: builder.args((t) => ({
    provider: t.field({
      type: answerProvider,
      required: true,
      description: 'Provider of the models.',
    }),
    secret: t.string({ description: 'A key of the provider, which is not stored.' }),
    keyId: t.id({ description: 'Id of a stored provider key, in place of `secret`.' }),
    baseUrl: t.string({ description: 'Address of the API. Default: that of the provider.' }),
  })),
  change: ({ db, workspaceId, signingSecrets, privateHosts }, { keyId, ...args }) =>
    providerModels(
      db,
      workspaceId,
      { ...args, keyId: keyId == null ? null : String(keyId) },
      {
        signingSecrets,
        list: async (access) => {
          const { listModels } = await import('../../imports/collecting/test-key.ts')
          return listModels(access, privateHosts)
        },
      },
    ),
})
