import DataLoader from 'dataloader'
import { loadUsed } from '../resolvers/shared/quotas.ts'
import { type Quota, usage } from '../resolvers/usage.ts'
import { builder } from './kit/builder.ts'
import { oncePerRequest, sourcesOf } from './kit/context.ts'
import { report } from './kit/report.ts'
import { reportFields } from './kit/report-fields.ts'
import { planName } from './workspaces/workspaces.ts'

type Usage = ReturnType<typeof usage>

/** By workspace: its projects share one count. Without a cache: a request may change what is used. */
const used = oncePerRequest(
  (context) =>
    new DataLoader(
      (ids: readonly string[]) => loadUsed(context.services.db, ids, sourcesOf(context).now),
      { cache: false },
    ),
)

const quota = builder.objectRef<Quota>('Quota').implement({
  description: 'The use of one allowance.',
  fields: (t) => ({
    current: t.expose('current', { type: 'Int', description: 'Amount that is used now.' }),
    limit: t.expose('limit', {
      type: 'Int',
      nullable: true,
      description: 'Amount that the plan allows; null for no limit.',
    }),
    resetsAt: t.expose('resetsAt', {
      type: 'DateTime',
      nullable: true,
      description:
        'Time when `current` returns to 0, at the start of the next UTC month; null for never.',
    }),
  }),
})

const quotas = builder.objectRef<Usage['quotas']>('Quotas').implement({
  description: 'The allowances of a workspace.',
  fields: (t) => ({
    prompts: t.expose('prompts', {
      type: quota,
      description: 'Tracked prompts, without prompts that came with imported answers.',
    }),
    audits: t.expose('audits', { type: quota, description: 'Audits in this UTC month.' }),
    reports: t.expose('reports', { type: quota, description: 'Reports in this UTC month.' }),
  }),
})

report('usage', {
  type: builder.objectRef<Usage>('Usage').implement({
    description: 'Used amounts of the workspace of a project, and the limits of its plan.',
    fields: (t) => ({
      project: reportFields.project(t),
      plan: t.expose('plan', { type: planName, description: 'The plan of the workspace.' }),
      quotas: t.expose('quotas', { type: quotas, description: 'Allowances of the workspace.' }),
      auditPagesPerRequest: t.expose('auditPagesPerRequest', {
        type: 'Int',
        description: 'Pages that one audit may have.',
      }),
    }),
  }),
  description: 'Used amounts of the workspace over all its projects, and the limits of its plan.',
  args: {},
  resolve: async (scope, _args, context) =>
    usage(scope, await used(context).load(scope.project.workspaceId)),
})
