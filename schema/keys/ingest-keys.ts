import {
  createIngestKey,
  loadIngestKeys,
  type NewIngestKey,
  revokeIngestKey,
} from '../../resolvers/keys/ingest-keys.ts'
import { wholeSize } from '../kit/args.ts'
import { adminOfWorkspace, adminWorkspace } from '../kit/authorize.ts'
import { freshLoader } from '../kit/batch.ts'
import { builder } from '../kit/builder.ts'
import { oncePerRequest, sourcesOf } from '../kit/context.ts'
import { connectionOf } from '../kit/lists/connection.ts'
import { connectionField } from '../kit/lists/field.ts'
import { workspaceChange, workspaceMutation } from '../workspaces/mutation.ts'
import { workspaceType } from '../workspaces/workspaces.ts'

type IngestKeyRow = Awaited<ReturnType<typeof loadIngestKeys>>[number][number]

const ingestKey = builder.objectRef<IngestKeyRow>('IngestKey').implement({
  description: 'An ingest key, with which servers send traffic events. The secret is never shown.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'UUID of the ingest key.' }),
    name: t.exposeString('name', {
      nullable: true,
      description: 'Purpose of the ingest key; null without a name.',
    }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      description: 'Time when the ingest key was created.',
    }),
    revokedAt: t.expose('revokedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'Time when the ingest key was revoked; null until then.',
    }),
  }),
})

/** Without a cache: one request may change a workspace and read it. */
const ingestKeysOf = oncePerRequest(({ services: { db } }) =>
  freshLoader((ids) => loadIngestKeys(db, ids)),
)

builder.prismaObjectField(workspaceType, 'ingestKeys', (t) =>
  t.field(
    connectionField({
      type: connectionOf(ingestKey, {
        description: 'Ingest keys of a workspace, newest first.',
        sortKey: ({ createdAt, id }) => [-createdAt.getTime(), id],
        isWhole: true,
      }),
      size: wholeSize,
      access: adminOfWorkspace,
      description: 'Ingest keys, newest first, including revoked keys. Needs `admin`.',
      scope: (_workspace: { readonly id: string }, context) => sourcesOf(context),
      resolve: async ({ id }: { readonly id: string }, _args, context) => ({
        rows: await ingestKeysOf(context).load(id),
      }),
    }),
  ),
)

const newIngestKey = builder.objectRef<NewIngestKey>('NewIngestKey').implement({
  description: 'A new ingest key.',
  fields: (t) => ({
    id: t.exposeID('subjectId', { description: 'UUID of the ingest key.' }),
    key: t.exposeString('key', {
      description: 'The ingest key, for `Authorization` of events. It is never shown again.',
    }),
  }),
})

workspaceMutation('createIngestKey', {
  access: adminWorkspace,
  type: newIngestKey,
  hasSecret: true,
  description: "Creates an ingest key for events of the workspace's sites. It reads nothing.",
  args: builder.args((t) => ({ name: t.string({ description: 'Purpose of the ingest key.' }) })),
  problems: ['plan_upgrade_required'],
  change: ({ db, actor, workspaceId, signingSecret }, { name }) =>
    createIngestKey(db, actor, workspaceId, { name }, signingSecret),
})

workspaceMutation('revokeIngestKey', {
  access: adminWorkspace,
  type: workspaceChange,
  description: 'Revokes an ingest key. Its events are refused within a minute.',
  args: builder.args((t) => ({
    keyId: t.id({ required: true, description: 'Id of the ingest key, not the key itself.' }),
  })),
  change: ({ db, actor, workspaceId }, { keyId }) =>
    revokeIngestKey(db, actor, workspaceId, String(keyId)),
})
