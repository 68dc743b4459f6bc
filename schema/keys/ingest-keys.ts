import {
  createIngestKey,
  loadIngestKeys,
  type NewIngestKey,
  revokeIngestKey,
} from '../../resolvers/keys/ingest-keys.ts'
import { adminOfWorkspace } from '../kit/authorize.ts'
import { builder } from '../kit/builder.ts'
import { workspaceChange, workspaceMutation } from '../workspaces/mutation.ts'
import { workspaceType } from '../workspaces/workspaces.ts'

type IngestKeyRow = Awaited<ReturnType<typeof loadIngestKeys>>[number]

const ingestKey = builder.objectRef<IngestKeyRow>('IngestKey').implement({
  description: 'A key that servers send traffic events with, without what could be used as one.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'UUID.' }),
    name: t.exposeString('name', { nullable: true, description: 'What it is for.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was made.' }),
    revokedAt: t.expose('revokedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it was ended; null while it was not.',
    }),
  }),
})

builder.prismaObjectField(workspaceType, 'ingestKeys', (t) =>
  t.field({
    type: [ingestKey],
    access: adminOfWorkspace,
    view: 'graph',
    description: 'Ingest keys, newest first, those that have ended too. Needs `admin`.',
    resolve: ({ id }, _args, context) => loadIngestKeys(context.services.db, id),
  }),
)

const newIngestKey = builder.objectRef<NewIngestKey>('NewIngestKey').implement({
  description: 'An ingest key that was made.',
  fields: (t) => ({
    id: t.exposeID('subjectId', { description: 'UUID.' }),
    key: t.exposeString('key', {
      description: 'The key, for the header `Authorization` of events. It is shown this once.',
    }),
  }),
})

workspaceMutation('createIngestKey', {
  type: newIngestKey,
  description:
    "Makes a key that the servers of the workspace's sites send traffic events with. It reads nothing.",
  args: builder.args((t) => ({ name: t.string({ description: 'What it is for.' }) })),
  change: ({ db, actor, workspaceId, signingSecret }, { name }) =>
    createIngestKey(db, actor, workspaceId, { name }, signingSecret),
})

workspaceMutation('revokeIngestKey', {
  type: workspaceChange,
  description:
    'Ends an ingest key: its events are refused within a minute. One that was revoked already stays so.',
  args: builder.args((t) => ({
    keyId: t.id({ required: true, description: 'Id of the key, not the key itself.' }),
  })),
  change: ({ db, actor, workspaceId }, { keyId }) =>
    revokeIngestKey(db, actor, workspaceId, String(keyId)),
})
