import { loadWorkspaces } from '../../resolvers/workspaces.ts'
import { builder } from '../kit/builder.ts'
import type { Context } from '../kit/context.ts'

export const planName = builder.enumType('Plan', {
  description: 'The plan of a workspace, which decides its quotas and features.',
  values: {
    free: { description: 'For a first look, without API keys.' },
    starter: { description: 'One brand and its competitors.' },
    growth: { description: 'Several brands, with shopping and query fanout.' },
    enterprise: { description: 'All features.' },
  },
})

export const workspaceType = builder.prismaObject('Workspace', {
  description: 'A workspace: the owner of projects, members and keys.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'UUID of the workspace.' }),
    name: t.exposeString('name', { description: 'Name of the workspace.' }),
    plan: t.expose('plan', { type: planName, description: 'Plan of the workspace.' }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      description: 'Time when the workspace was created.',
    }),
  }),
})

export async function workspaceOf(context: Context, id: string) {
  const [workspace] = await loadWorkspaces(context.services.db, [id])
  if (!workspace) throw new Error(`no workspace ${id}`)
  return workspace
}
