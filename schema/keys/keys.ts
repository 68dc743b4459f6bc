import { loadKeys } from '../../resolvers/keys/keys.ts'
import { adminOfWorkspace, listedScope } from '../kit/authorize.ts'
import { builder } from '../kit/builder.ts'
import { workspaceType } from '../workspaces/workspaces.ts'

type KeyRow = Awaited<ReturnType<typeof loadKeys>>[number]

// No object of Prisma's: its rows have the hash, and these must not.
export const apiKey = builder.objectRef<KeyRow>('ApiKey').implement({
  description: 'An API key, without what could be used as one.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'UUID.' }),
    name: t.exposeString('name', { nullable: true, description: 'What it is for.' }),
    lastFour: t.exposeString('lastFour', { description: 'Its last four characters.' }),
    scopes: t.exposeStringList('scopes', { description: 'Its scopes.' }),
    capabilities: t.exposeStringList('capabilities', { description: 'Its capabilities.' }),
    userId: t.exposeID('userId', { description: 'The member it acts for.' }),
    project: t.field({
      type: 'Project',
      nullable: true,
      description: 'The one project that it reaches; null for a key that is not bound.',
      resolve: (key, _args, context) =>
        key.projectId === null ? null : listedScope(context, key.projectId),
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was made.' }),
    expiresAt: t.expose('expiresAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it ends by itself; null for never.',
    }),
    revokedAt: t.expose('revokedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it was ended; null while it was not.',
    }),
  }),
})

builder.prismaObjectField(workspaceType, 'apiKeys', (t) =>
  t.field({
    type: [apiKey],
    access: adminOfWorkspace,
    view: 'graph',
    description: 'API keys, newest first, those that have ended too. Needs `admin`.',
    resolve: ({ id }, _args, context) => loadKeys(context.services.db, id),
  }),
)
