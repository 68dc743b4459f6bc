import { type KeptKind, type Retention, shorter } from '../../core/retention.ts'
import { ownRetention } from '../../resolvers/retention/retention.ts'
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

/** What the days of each kind are about. */
export const keptData: Readonly<Record<KeptKind, string>> = {
  answers: 'answers, with the replies of providers, mentions, citations and searches',
  crawlerHits: 'visits of AI crawlers',
  analytics: 'rows of Search Console and web analytics',
  pageContents: 'texts of pages',
  audits: 'ended site audits, besides the newest of a project and of a page',
  auditTrail: 'entries of the audit trail',
}

const days = (kind: KeptKind) =>
  ({
    nullable: true,
    description: `Days to keep ${keptData[kind]}. Null: as long as the project is there.`,
  }) as const

const retentionType = builder.objectRef<Retention>('Retention').implement({
  description: 'How long data is kept. What is older is removed each night.',
  fields: (t) => ({
    answers: t.exposeInt('answers', days('answers')),
    crawlerHits: t.exposeInt('crawlerHits', days('crawlerHits')),
    analytics: t.exposeInt('analytics', days('analytics')),
    pageContents: t.exposeInt('pageContents', days('pageContents')),
    audits: t.exposeInt('audits', days('audits')),
    auditTrail: t.exposeInt('auditTrail', days('auditTrail')),
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
      description:
        'How long data of the workspace is kept: the shorter of its own limits and those of the service.',
      resolve: (workspace, _args, { services: { retention } }) =>
        shorter(ownRetention(workspace), retention),
    }),
    serviceRetention: t.field({
      type: retentionType,
      description: 'How long the service keeps data of all workspaces at most.',
      resolve: (_workspace, _args, { services: { retention } }) => retention,
    }),
  }),
})

export async function workspaceOf(context: Context, id: string) {
  const [workspace] = await loadWorkspaces(context.services.db, [id])
  if (!workspace) throw new Error(`no workspace ${id}`)
  return workspace
}
