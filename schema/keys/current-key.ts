import { findKey } from '../../resolvers/keys/keys.ts'
import { reachesWorkspace } from '../../resolvers/members/members.ts'
import { readAny } from '../kit/authorize.ts'
import { builder } from '../kit/builder.ts'
import { workspaceOf, workspaceType } from '../workspaces/workspaces.ts'
import { keyFacts } from './keys.ts'

type KeyRow = Awaited<ReturnType<typeof findKey>>

const currentKey = builder.objectRef<KeyRow>('CurrentKey').implement({
  description: 'The API key of the request.',
  interfaces: [keyFacts],
  fields: (t) => ({
    workspace: t.field({
      type: workspaceType,
      nullable: true,
      description:
        'The workspace of the key, where `createProject` makes projects. Null for a bound key, and for a key whose user is no member.',
      resolve: async ({ id, projectId, workspaceId, userId }, _args, context) => {
        const isKept = projectId !== null
        const asked = { workspaceId, userId, keyId: id }
        if (isKept || !(await reachesWorkspace(context.services.db, asked))) return null
        return workspaceOf(context, workspaceId)
      },
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
