import { createSiteToken, type SiteToken } from '../resolvers/connections/site-tokens.ts'
import {
  createIngestKey,
  loadIngestKeys,
  type NewIngestKey,
  revokeIngestKey,
} from '../resolvers/keys/ingest-keys.ts'
import { projectArgs } from './kit/args.ts'
import { adminOfWorkspace, adminProject } from './kit/authorize.ts'
import { builder } from './kit/builder.ts'
import { actorOf } from './kit/change.ts'
import { governing, workspaceChange } from './members.ts'
import { workspaceType } from './projects/parts.ts'

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

governing('createIngestKey', {
  type: newIngestKey,
  description:
    "Makes a key that the servers of the workspace's sites send traffic events with. It reads nothing.",
  args: builder.args((t) => ({ name: t.string({ description: 'What it is for.' }) })),
  change: ({ db, actor, workspaceId, signingSecret }, { name }) =>
    createIngestKey(db, actor, workspaceId, { name }, signingSecret),
})

governing('revokeIngestKey', {
  type: workspaceChange,
  description:
    'Ends an ingest key: its events are refused within a minute. One that was revoked already stays so.',
  args: builder.args((t) => ({
    keyId: t.id({ required: true, description: 'Id of the key, not the key itself.' }),
  })),
  change: ({ db, actor, workspaceId }, { keyId }) =>
    revokeIngestKey(db, actor, workspaceId, String(keyId)),
})

const siteToken = builder.objectRef<SiteToken>('SiteToken').implement({
  description: 'What tells which project an event is about.',
  fields: (t) => ({
    siteToken: t.exposeString('siteToken', {
      description:
        'The token, for the field `site_token` of events. The same project has the same one, until the secrets change.',
    }),
  }),
})

builder.mutationField('createSiteToken', (t) =>
  t.field({
    type: siteToken,
    access: adminProject,
    view: 'graph',
    description: "Links the tracker to the project, and gives its site's token.",
    args: {
      ...projectArgs,
      host: t.arg.string({ description: 'The host that the events come from.' }),
    },
    resolve: (_root, { projectId, host }, context) => {
      const { db, signingSecrets } = context.services
      const id = String(projectId).toLowerCase()
      return createSiteToken(db, actorOf(context), id, { host }, signingSecrets[0])
    },
  }),
)
