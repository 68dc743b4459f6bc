import DataLoader from 'dataloader'
import { loadUsed } from '../resolvers/shared/quotas.ts'
import { type Quota, usage } from '../resolvers/usage.ts'
import { builder, report } from './kit/builder.ts'
import { oncePerRequest } from './kit/context.ts'
import { reportFields } from './kit/report-fields.ts'
import { planName } from './workspaces/workspaces.ts'

type Usage = ReturnType<typeof usage>

/** By workspace: its projects share one count. Without a cache: a request may change what is used. */
const used = oncePerRequest(
  ({ services: { db } }) =>
    new DataLoader((ids: readonly string[]) => loadUsed(db, ids), { cache: false }),
)

const quota = builder.objectRef<Quota>('Quota').implement({
  description: 'How much of an allowance is used.',
  fields: (t) => ({
    current: t.expose('current', { type: 'SafeInt', description: 'What is used now.' }),
    limit: t.expose('limit', {
      type: 'SafeInt',
      nullable: true,
      description: 'What the plan allows; null: no limit.',
    }),
    resetsAt: t.expose('resetsAt', {
      type: 'DateTime',
      nullable: true,
      description:
        'When `current` begins anew at 0: the start of the next UTC month; null where it never does.',
    }),
  }),
})

const quotas = builder.objectRef<Usage['quotas']>('Quotas').implement({
  description: 'The allowances of a workspace.',
  fields: (t) => ({
    prompts: t.expose('prompts', {
      type: quota,
      description: 'Prompts that are tracked, without those that came with imported answers.',
    }),
    audits: t.expose('audits', { type: quota, description: 'Audits of this UTC month.' }),
    reports: t.expose('reports', { type: quota, description: 'Reports of this UTC month.' }),
  }),
})

report('usage', {
  type: builder.objectRef<Usage>('Usage').implement({
    description: 'What the workspace of a project has used, and what its plan allows.',
    fields: (t) => ({
      project: reportFields.project(t),
      plan: t.expose('plan', { type: planName, description: 'The plan of the workspace.' }),
      quotas: t.expose('quotas', { type: quotas, description: 'Its allowances.' }),
      auditPagesPerRequest: t.expose('auditPagesPerRequest', {
        type: 'SafeInt',
        description: 'How many pages one audit may have.',
      }),
    }),
  }),
  description:
    'What the workspace of a project has used, over all its projects, and what its plan allows.',
  args: {},
  resolve: async (scope, _args, context) =>
    usage(scope, await used(context).load(scope.project.workspaceId)),
})
