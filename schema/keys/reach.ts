import DataLoader from 'dataloader'
import {
  blockKey,
  type KeyWorkspace,
  loadOtherWorkspaces,
  loadReachingKeys,
  type ReachingKey,
  unblockKey,
} from '../../resolvers/keys/reach.ts'
import { wholeSize } from '../kit/args.ts'
import { ownerOfWorkspace } from '../kit/authorize.ts'
import { builder } from '../kit/builder.ts'
import { oncePerRequest, sourcesOf } from '../kit/context.ts'
import { connectionOf } from '../kit/lists/connection.ts'
import { connectionField } from '../kit/lists/field.ts'
import { workspaceChange, workspaceMutation } from '../workspaces/mutation.ts'
import { workspaceType } from '../workspaces/workspaces.ts'
import { apiKey, keyFacts, keyOwner } from './keys.ts'

const keyWorkspace = builder.objectRef<KeyWorkspace>('KeyWorkspace').implement({
  description: 'A workspace that an API key of another workspace reaches, or was made in.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'UUID of the workspace.' }),
    name: t.exposeString('name', { description: 'Name of the workspace.' }),
  }),
})

/** Without a cache: one request may change a workspace and read it. */
const otherWorkspacesOf = oncePerRequest(
  ({ services: { db } }) =>
    new DataLoader((ids: readonly string[]) => loadOtherWorkspaces(db, ids), { cache: false }),
)

builder.objectField(apiKey, 'otherWorkspaces', (t) =>
  t.field({
    type: [keyWorkspace],
    description:
      "Other workspaces of the key's user that the key reaches. Empty for a bound, ended or blocked key.",
    resolve: ({ id }, _args, context) => otherWorkspacesOf(context).load(id),
  }),
)

const reachingKey = builder.objectRef<ReachingKey>('ReachingKey').implement({
  description: 'An API key that reaches a workspace, wherever the key was made.',
  interfaces: [keyFacts],
  fields: (t) => ({
    // The same key may be blocked in one workspace and let in by another: no `id` that a cache would merge.
    keyId: t.exposeID('id', { description: 'UUID of the API key.' }),
    owner: t.expose('owner', {
      type: keyOwner,
      description: 'The user for whom the API key acts.',
    }),
    madeIn: t.expose('madeIn', {
      type: keyWorkspace,
      description: 'The workspace where the API key was made, which lists it in `apiKeys`.',
    }),
    blockedAt: t.expose('blockedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'Time when the API key was blocked; null for a key that is not.',
    }),
  }),
})

/** Without a cache: one request may change a workspace and read it. */
const reachingKeysOf = oncePerRequest(
  ({ services: { db } }) =>
    new DataLoader((ids: readonly string[]) => loadReachingKeys(db, ids), { cache: false }),
)

builder.prismaObjectField(workspaceType, 'reachingKeys', (t) =>
  t.field(
    connectionField({
      type: connectionOf(reachingKey, {
        description: 'API keys that reach a workspace, newest first.',
        sortKey: ({ createdAt, id }) => [-createdAt.getTime(), id],
        isWhole: true,
      }),
      size: wholeSize,
      access: ownerOfWorkspace,
      description: 'API keys that reach the workspace, newest first, blocked ones too. For owners.',
      scope: (_workspace: { readonly id: string }, context) => sourcesOf(context),
      resolve: async ({ id }: { readonly id: string }, _args, context) => ({
        rows: await reachingKeysOf(context).load(id),
      }),
    }),
  ),
)

const keyId = builder.args((t) => ({
  keyId: t.id({ required: true, description: 'Id of the key, as in `reachingKeys`.' }),
}))

workspaceMutation('blockKey', {
  type: workspaceChange,
  description: 'Keeps an API key out of the workspace.',
  args: keyId,
  change: ({ db, actor, workspaceId }, args) =>
    blockKey(db, actor, workspaceId, String(args.keyId)),
})

workspaceMutation('unblockKey', {
  type: workspaceChange,
  description: 'Lets a blocked API key into the workspace again.',
  args: keyId,
  change: ({ db, actor, workspaceId }, args) =>
    unblockKey(db, actor, workspaceId, String(args.keyId)),
})
