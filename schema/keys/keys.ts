import { capabilities, keyScopes } from '../../core/access.ts'
import { loadKeys } from '../../resolvers/keys/keys.ts'
import { wholeSize } from '../kit/args.ts'
import { listedScope, ownerOfWorkspace } from '../kit/authorize.ts'
import { freshLoader } from '../kit/batch.ts'
import { builder } from '../kit/builder.ts'
import { oncePerRequest, sourcesOf } from '../kit/context.ts'
import { connectionOf } from '../kit/lists/connection.ts'
import { connectionField } from '../kit/lists/field.ts'
import { forbidden } from '../kit/problem-fields.ts'
import { wordsOf } from '../kit/words.ts'
import { workspaceType } from '../workspaces/workspaces.ts'

export const keyScope = wordsOf(
  'KeyScope',
  'A right of a key over all data that the key reaches.',
  {
    read: 'Reads reports and lists.',
    write: 'Changes projects and prompts.',
    admin: 'Manages members and keys, and has every other right.',
  },
)

export const keyCapability = wordsOf('KeyCapability', 'A single right of a key.', {
  'prompt:draft': ['prompt_draft', 'Adds and changes prompts.'],
})

builder.objectFields(forbidden, (t) => ({
  missingScope: t.field({
    type: keyScope,
    nullable: true,
    description: 'Scope that the key lacks. Null where the key does not lack a scope.',
    resolve: ({ fault: { graph } }) => keyScopes.find((scope) => scope === graph.grant) ?? null,
  }),
  missingCapability: t.field({
    type: keyCapability,
    nullable: true,
    description: 'Capability that the key lacks. Null where the key does not lack a capability.',
    resolve: ({ fault: { graph } }) => capabilities.find((one) => one === graph.grant) ?? null,
  }),
}))

interface KeyOwner {
  readonly id: string
  readonly email: string
  readonly name: string
}

export const keyOwner = builder.objectRef<KeyOwner>('KeyOwner').implement({
  description: 'The user for whom an API key acts.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'UUID of the user.' }),
    email: t.exposeString('email', { description: 'E-mail address of the user.' }),
    name: t.exposeString('name', { description: 'Name of the user.' }),
  }),
})

/** What every list of keys shows of a key. */
interface KeyFacts {
  readonly id: string
  readonly name: string | null
  readonly lastFour: string
  readonly scopes: readonly string[]
  readonly capabilities: readonly string[]
  readonly createdAt: Date
  readonly expiresAt: Date | null
  readonly lastUsedAt: Date | null
}

export const keyFacts = builder.interfaceRef<KeyFacts>('KeyFacts').implement({
  description: 'Facts of an API key, without its secret.',
  fields: (t) => ({
    name: t.exposeString('name', {
      nullable: true,
      description: 'Purpose of the API key; null without a name.',
    }),
    lastFour: t.exposeString('lastFour', {
      description:
        'Last four characters of the API key; empty for the key of a connected AI client, which nobody has.',
    }),
    scopes: t.field({
      type: [keyScope],
      resolve: ({ scopes }) => scopes.map((scope) => keyScope.of(scope)),
      description: 'Scopes of the API key, such as `read`.',
    }),
    capabilities: t.field({
      type: [keyCapability],
      resolve: ({ capabilities }) => capabilities.map((capability) => keyCapability.of(capability)),
      description: 'Capabilities of the API key, such as `prompt_draft`.',
    }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      description: 'Time when the API key was created.',
    }),
    expiresAt: t.expose('expiresAt', {
      type: 'DateTime',
      nullable: true,
      description: 'Time when the API key expires; null for never.',
    }),
    lastUsedAt: t.expose('lastUsedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'Time of the last request with the API key, to the minute; null for none.',
    }),
  }),
})

type KeyRow = Awaited<ReturnType<typeof loadKeys>>[number][number]

// No object of Prisma's: its rows have the hash, and these must not.
export const apiKey = builder.objectRef<KeyRow>('ApiKey').implement({
  description: 'An API key of a workspace, without its secret.',
  interfaces: [keyFacts],
  fields: (t) => ({
    id: t.exposeID('id', { description: 'UUID of the API key.' }),
    owner: t.field({
      type: keyOwner,
      description: 'The user for whom the API key acts. Only this user can rotate the key.',
      resolve: ({ user }) => user,
    }),
    project: t.field({
      type: 'Project',
      nullable: true,
      description: 'The only project that a bound key reaches; null for an unbound key.',
      resolve: (key, _args, context) =>
        key.projectId === null ? null : listedScope(context, key.projectId),
    }),
    revokedAt: t.expose('revokedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'Time when the API key was revoked; null until then.',
    }),
  }),
})

/** Without a cache: one request may change a workspace and read it. */
export const keysOf = oncePerRequest(({ services: { db } }) =>
  freshLoader((ids) => loadKeys(db, ids)),
)

builder.prismaObjectField(workspaceType, 'apiKeys', (t) =>
  t.field(
    connectionField({
      type: connectionOf(apiKey, {
        description: 'API keys of a workspace, newest first.',
        sortKey: ({ createdAt, id }) => [-createdAt.getTime(), id],
        isWhole: true,
      }),
      size: wholeSize,
      access: ownerOfWorkspace,
      description: 'API keys, newest first, including expired and revoked keys. For owners.',
      scope: (_workspace: { readonly id: string }, context) => sourcesOf(context),
      resolve: async ({ id }: { readonly id: string }, _args, context) => ({
        rows: await keysOf(context).load(id),
      }),
    }),
  ),
)
