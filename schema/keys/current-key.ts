import { findKey } from '../../resolvers/keys/keys.ts'
import { homeRole, readAny } from '../kit/authorize.ts'
import { builder } from '../kit/builder.ts'
import { roleType } from '../members/members.ts'
import { workspaceOf, workspaceType } from '../workspaces/workspaces.ts'
import { keyFacts } from './keys.ts'

type KeyRow = Awaited<ReturnType<typeof findKey>>

const currentKey = builder.objectRef<KeyRow>('CurrentKey').implement({
  description: 'The API key of the request.',
  interfaces: [keyFacts],
  fields: (t) => ({
    id: t.exposeID('id', { description: 'UUID of the API key.' }),
    workspace: t.field({
      type: workspaceType,
      nullable: true,
      description:
        'Workspace of the key, where `createProject` makes projects. Null for a bound key.',
      resolve: async ({ workspaceId }, _args, context) =>
        (await homeRole(context)) === null ? null : workspaceOf(context, workspaceId),
    }),
    role: t.field({
      type: roleType,
      nullable: true,
      description:
        "Role of the key's user in the key's workspace, which bounds the scopes. Null where `workspace` is null.",
      resolve: (_key, _args, context) => homeRole(context),
    }),
  }),
})

builder.queryField('currentKey', (t) =>
  t.field({
    type: currentKey,
    nullable: true,
    access: readAny,
    view: 'graph',
    description: 'The API key of the request: what it may do, and in which workspace.',
    resolve: (_root, _args, { services, principal }) =>
      findKey(services.db, principal.workspaceId, principal.keyId),
  }),
)
