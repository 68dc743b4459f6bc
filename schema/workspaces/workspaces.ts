import type { Retention } from '../../core/settings.ts'
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

const days = (what: string) =>
  `Days that ${what} are kept, as whoever runs the service has set it. Null: as long as the project is there.`

const retentionType = builder.objectRef<Retention>('Retention').implement({
  description: 'How long the service keeps data. What is older is removed each night.',
  fields: (t) => ({
    answers: t.exposeInt('answers', {
      nullable: true,
      description: days('answers, with the replies of providers, mentions, citations and searches'),
    }),
    crawlerHits: t.exposeInt('crawlerHits', {
      nullable: true,
      description: days('visits of AI crawlers'),
    }),
    analytics: t.exposeInt('analytics', {
      nullable: true,
      description: days('rows of Search Console and web analytics'),
    }),
    pageContents: t.exposeInt('pageContents', {
      nullable: true,
      description: days('texts of pages'),
    }),
    audits: t.exposeInt('audits', {
      nullable: true,
      description: days('ended site audits, besides the newest of a project and of a page,'),
    }),
    auditTrail: t.exposeInt('auditTrail', {
      nullable: true,
      description: days('entries of the audit trail'),
    }),
  }),
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
    retention: t.field({
      type: retentionType,
      description: 'How long the service keeps data of all workspaces.',
      resolve: (_workspace, _args, { services: { retention } }) => retention,
    }),
  }),
})

export async function workspaceOf(context: Context, id: string) {
  const [workspace] = await loadWorkspaces(context.services.db, [id])
  if (!workspace) throw new Error(`no workspace ${id}`)
  return workspace
}
