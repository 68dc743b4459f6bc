import { type ClientRow, disconnectClient, loadClients } from '../../resolvers/keys/clients.ts'
import { keyedArgs, wholeSize } from '../kit/args.ts'
import { adminAny, listedScope, readAny, readOfWorkspace } from '../kit/authorize.ts'
import { freshLoader } from '../kit/batch.ts'
import { builder } from '../kit/builder.ts'
import { oncePerRequest, sourcesOf } from '../kit/context.ts'
import { connectionOf } from '../kit/lists/connection.ts'
import { connectionField } from '../kit/lists/field.ts'
import { workspaceType } from '../workspaces/workspaces.ts'
import { keyCapability, keyOwner, keyScope } from './keys.ts'

const connectedClient = builder.objectRef<ClientRow>('ConnectedClient').implement({
  description: 'An AI client that a person has connected. It acts with a key of its own.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'UUID of the connected client.' }),
    keyId: t.exposeID('apiKeyId', {
      description: 'UUID of the key that the client acts with, as in `apiKeys`.',
    }),
    name: t.exposeString('name', {
      description: 'Name that the client gives itself, such as `Claude`. Nobody has checked it.',
    }),
    host: t.exposeString('host', {
      description:
        'Host that the person was sent back to, such as `claude.ai`, or the start of the address of an app.',
    }),
    owner: t.field({
      type: keyOwner,
      description: 'The person who connected the client, and for whom it acts.',
      resolve: ({ apiKey: { user } }) => user,
    }),
    scopes: t.field({
      type: [keyScope],
      description: 'Scopes of the client, such as `read`.',
      resolve: ({ apiKey: { scopes } }) => scopes.map((scope) => keyScope.of(scope)),
    }),
    capabilities: t.field({
      type: [keyCapability],
      description: 'Capabilities of the client, such as `prompt_draft`.',
      resolve: ({ apiKey: { capabilities } }) =>
        capabilities.map((capability) => keyCapability.of(capability)),
    }),
    project: t.field({
      type: 'Project',
      nullable: true,
      description: 'The only project that the client reaches; null for all of its person.',
      resolve: ({ apiKey: { projectId } }, _args, context) =>
        projectId === null ? null : listedScope(context, projectId),
    }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      description: 'Time when the person connected the client.',
    }),
    lastUsedAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'Time of the last request of the client, to the minute; null for none.',
      resolve: ({ apiKey: { lastUsedAt } }) => lastUsedAt,
    }),
    expiresAt: t.field({
      type: 'DateTime',
      description: 'Time when the connection ends.',
      // The list has connections before their end alone.
      resolve: ({ apiKey: { expiresAt } }) => expiresAt as Date,
    }),
  }),
})

/** Without a cache: one request may change a workspace and read it. */
const clientsOf = oncePerRequest(({ services: { db }, principal }) =>
  freshLoader((ids) => loadClients(db, principal, ids)),
)

builder.prismaObjectField(workspaceType, 'connectedClients', (t) =>
  t.field(
    connectionField({
      type: connectionOf(connectedClient, {
        description: 'Connected AI clients of a workspace, newest first.',
        sortKey: ({ createdAt, id }) => [-createdAt.getTime(), id],
        isWhole: true,
      }),
      size: wholeSize,
      access: readOfWorkspace,
      description:
        'AI clients that people have connected, newest first. Owners see all of the workspace, others their own.',
      scope: (_workspace: { readonly id: string }, context) => sourcesOf(context),
      resolve: async ({ id }: { readonly id: string }, _args, context) => ({
        rows: await clientsOf(context).load(id),
      }),
    }),
  ),
)

interface ToolServer {
  readonly url: string
  readonly hasSignIn: boolean
}

const toolServer = builder.objectRef<ToolServer>('ToolServer').implement({
  description: 'Where AI clients connect.',
  fields: (t) => ({
    url: t.exposeString('url', { description: 'Address to paste into an AI client.' }),
    hasSignIn: t.exposeBoolean('hasSignIn', {
      description:
        'Whether a client leads its person to a sign-in. False where it needs an API key, such as at an address without https.',
    }),
  }),
})

builder.queryField('toolServer', (t) =>
  t.field({
    type: toolServer,
    access: readAny,
    view: 'graph',
    description: 'Where AI clients connect, and how.',
    resolve: (_root, _args, { services: { baseUrl, connectsClients = false } }) => ({
      url: `${baseUrl}/mcp`,
      hasSignIn: connectsClients,
    }),
  }),
)

const disconnection = builder
  .objectRef<{ readonly clientId: string }>('ClientDisconnection')
  .implement({
    description: 'The end of a connection of an AI client.',
    fields: (t) => ({
      clientId: t.exposeID('clientId', { description: 'UUID of the connected client.' }),
    }),
  })

builder.mutationField('disconnectClient', (t) =>
  t.field({
    type: disconnection,
    description:
      'Disconnects an AI client at once: one of your own, or as an owner any of the workspace. Needs `admin`, which a person who signed in always has.',
    access: adminAny,
    view: 'graph',
    args: {
      clientId: t.arg.id({
        required: true,
        description: 'UUID of the connected client, as in `connectedClients`.',
      }),
      ...keyedArgs,
    },
    resolve: async (_root, args, context) => {
      const { services, principal } = context
      const id = String(args.clientId).toLowerCase()
      return { clientId: await disconnectClient(services.db, principal, id) }
    },
  }),
)
