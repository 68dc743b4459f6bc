import { loadWorkspaces } from '../../resolvers/workspaces.ts'
import { builder } from '../kit/builder.ts'
import type { Context } from '../kit/context.ts'

export const planName = builder.enumType('Plan', {
  description: "A workspace's plan: its quotas and features.",
  values: {
    free: { description: 'To look around; no API keys.' },
    starter: { description: 'One brand and its rivals.' },
    growth: { description: 'Several brands, shopping and query fanout.' },
    enterprise: { description: 'Everything.' },
  },
})

export const workspaceType = builder.prismaObject('Workspace', {
  description: 'Who the projects belong to.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'UUID.' }),
    name: t.exposeString('name', { description: 'Its name.' }),
    plan: t.expose('plan', { type: planName, description: 'Its plan.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was made.' }),
  }),
})

export async function workspaceOf(context: Context, id: string) {
  const [workspace] = await loadWorkspaces(context.services.db, [id])
  if (!workspace) throw new Error(`no workspace ${id}`)
  return workspace
}
