import type { GraphQLResolveInfo } from 'graphql'
import { Fault, invalid } from '../../core/errors.ts'
import {
  type PlannedAction,
  type PlannedAllowance,
  type PlannedLine,
  type PlannedStatus,
  plannedStatus,
} from '../../core/planned-changes.ts'
import type { Db } from '../../prisma/client.ts'
import {
  applyMs,
  applyPlanned,
  decidePlanned,
  findPlanned,
  type PlannedRow,
  plannedChange,
  saidOf,
  storePlanned,
} from '../../resolvers/planned-changes/planned-changes.ts'
import { inTransaction } from '../../resolvers/shared/transaction.ts'
import { keyedArgs, projectArgs } from '../kit/args.ts'
import { readOfProject, readProject, scopeOf } from '../kit/authorize.ts'
import { builder } from '../kit/builder.ts'
import type { Context } from '../kit/context.ts'
import { wordsOf } from '../kit/words.ts'
import type { PlannedInput } from './actions.ts'
import { accessOf, type Outcome, outcomeOf } from './outcome.ts'

const actionType = wordsOf<PlannedAction>(
  'PlannedAction',
  'A change that an AI client can plan. Its input has the arguments of the mutation.',
  {
    add_prompts: 'Adds prompts, by `addPrompts`.',
    update_prompt: 'Changes a prompt, by `updatePrompt`.',
    archive_prompt: 'Pauses a prompt, by `setPromptTracking`.',
    restore_prompt: 'Resumes a prompt, by `setPromptTracking`.',
    add_topic: 'Adds a topic, by `addTopic`.',
    add_competitor: 'Adds a competitor, by `addCompetitor`.',
    create_report: 'Creates a report without a link, by `createReport`.',
    create_audit: 'Starts a site audit, by `createAudit`.',
    refresh_sitemap: 'Reads the sitemap again, by `refreshSitemap`.',
    run_schedule: 'Runs a schedule now, by `runSchedule`.',
    complete_opportunity: 'Marks an opportunity as done, by `completeOpportunity`.',
    dismiss_opportunity: 'Dismisses an opportunity, by `dismissOpportunity`.',
    ignore_issue: 'Ignores an issue of the site, by `ignoreIssue`.',
  },
)

const statusType = wordsOf<PlannedStatus>('PlannedStatus', 'Where a planned change is.', {
  waiting: 'A person has not decided yet.',
  approved: 'A person has approved it, and the client can apply it.',
  refused: 'A person has refused it.',
  applied: 'The change is made.',
  stale: 'The project had changed when the client applied it, so nothing was changed.',
  expired: 'The 10 minutes of the change are over.',
})

const lineType = builder.objectRef<PlannedLine>('PlannedLine').implement({
  description: 'One thing that a planned change sets.',
  fields: (t) => ({
    label: t.exposeString('label', {
      description: 'Name of the value that is set, such as `Prompt`.',
    }),
    before: t.exposeString('before', {
      nullable: true,
      description: 'The value before the change; null for something new.',
    }),
    after: t.exposeString('after', {
      nullable: true,
      description: 'The value after the change; null for something that goes.',
    }),
  }),
})

const allowanceType = builder.objectRef<PlannedAllowance>('PlannedAllowance').implement({
  description: 'What a planned change takes from an allowance of the plan of the workspace.',
  fields: (t) => ({
    name: t.exposeString('name', { description: '`prompts`, `audits` or `reports`.' }),
    before: t.exposeInt('before', { description: 'Used amount when the change was planned.' }),
    after: t.exposeInt('after', { description: 'Used amount with the change.' }),
    limit: t.exposeInt('limit', {
      nullable: true,
      description: 'Amount that the plan of the workspace allows; null for no limit.',
    }),
  }),
})

const plannedType = builder.objectRef<PlannedRow>('PlannedChange').implement({
  description:
    'A change that an AI client has planned. It says what its mutation did in a transaction that was undone. A person approves it, and the client applies it.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'UUID of the planned change.' }),
    projectId: t.exposeID('projectId', { description: 'Id of the project that it changes.' }),
    action: t.field({
      type: actionType,
      description: 'What the change is.',
      resolve: ({ action }) => action as PlannedAction,
    }),
    status: t.field({
      type: statusType,
      description: 'Where the change is now.',
      resolve: (row) => plannedStatus(row, new Date()),
    }),
    summary: t.string({
      description: 'The change in one sentence.',
      resolve: (row) => saidOf(row).summary,
    }),
    lines: t.field({
      type: [lineType],
      description: 'What the change sets, with the values before.',
      resolve: (row) => [...saidOf(row).lines],
    }),
    notes: t.stringList({
      description: 'What else to know before approving.',
      resolve: (row) => [...saidOf(row).notes],
    }),
    costUsd: t.float({
      nullable: true,
      description:
        'Expected cost at AI providers in US dollars; null for none, or for one that is unknown.',
      resolve: (row) => saidOf(row).costUsd,
    }),
    allowance: t.field({
      type: allowanceType,
      nullable: true,
      description: 'Use of an allowance by the change; null where the change takes none.',
      resolve: (row) => saidOf(row).allowance,
    }),
    client: t.string({
      nullable: true,
      description:
        'Name of the AI client or of the key that planned it; null for a key without one.',
      resolve: ({ apiKey: { client, name } }) =>
        client ? `${client.name} (${client.host})` : name,
    }),
    link: t.string({
      description: 'Address of the page where a person approves or refuses it.',
      resolve: ({ id, projectId }, _args, { services: { baseUrl } }) =>
        `${baseUrl}/projects/${projectId}/changes/${id}`,
    }),
    result: t.field({
      type: 'JSON',
      nullable: true,
      description:
        'The answer of the mutation, with the ids of what is new; null before it is applied.',
      resolve: ({ result }) => result as object | null,
    }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      description: 'Time when it was planned.',
    }),
    expiresAt: t.expose('expiresAt', {
      type: 'DateTime',
      description: 'Time after which it can no longer be approved or applied.',
    }),
  }),
})

const schemaOf = ({ services }: Context, { schema }: GraphQLResolveInfo) =>
  services.schema ?? schema

/** Ends a transaction whose work is not to stay. */
class Undone extends Error {
  readonly outcome: Outcome
  constructor(outcome: Outcome) {
    super('planned')
    this.outcome = outcome
  }
}

/** What a change would do: its mutation runs, and is undone. */
async function tried(db: Db, work: (tx: Db) => Promise<Outcome>): Promise<Outcome> {
  try {
    await inTransaction(
      db,
      async (tx) => {
        throw new Undone(await work(tx))
      },
      { timeout: applyMs },
    )
  } catch (error) {
    if (error instanceof Undone) return error.outcome
    throw error
  }
  throw new Error('a change that was only tried has stayed')
}

function inputOf(value: unknown): PlannedInput {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return value as PlannedInput
  }
  throw invalid('input', 'must be an object of the arguments of the mutation')
}

const changeId = builder.args((t) => ({
  changeId: t.id({ required: true, description: 'UUID of the planned change.' }),
}))

builder.objectField(plannedType, 'canDecide', (t) =>
  t.boolean({
    description:
      'Whether the caller may approve and refuse the change: a person who has signed in, and who may make the change.',
    resolve: (row, _args, context, info) =>
      context.principal.session?.isPerson === true &&
      requireRight(context, info, row).then(
        () => true,
        (error: unknown) => {
          if (error instanceof Fault) return false
          throw error
        },
      ),
  }),
)

builder.objectField('Project', 'plannedChange', (t) =>
  t.field({
    type: plannedType,
    nullable: true,
    access: readOfProject,
    view: 'graph',
    description: 'A change that an AI client has planned in the last day.',
    args: { id: t.arg.id({ required: true, description: 'UUID of the planned change.' }) },
    resolve: ({ project }, { id }, { services: { db } }) => findPlanned(db, project.id, String(id)),
  }),
)

builder.mutationField('planChange', (t) =>
  t.field({
    type: plannedType,
    access: readProject,
    view: 'graph',
    problems: [
      'quota_exceeded',
      'project_not_runnable',
      'pitch_not_supported',
      'stale_revision',
      'plan_upgrade_required',
    ],
    description:
      'Says what a change would do, without making it. Needs the right of the change. The plan is valid for 10 minutes.',
    args: {
      ...projectArgs,
      action: t.arg({ type: actionType, required: true, description: 'What the change is.' }),
      input: t.arg({
        type: 'JSON',
        required: true,
        description: 'Arguments of the mutation, without `projectId`.',
      }),
      ...keyedArgs,
    },
    resolve: async (_root, args, context, info) => {
      const { project } = await scopeOf(context, String(args.projectId))
      const { db } = context.services
      const asked = { action: args.action, projectId: project.id, input: inputOf(args.input) }
      const schema = schemaOf(context, info)
      const { said } = await tried(db, (tx) => outcomeOf({ schema, context, tx }, asked))
      return storePlanned(db, context.principal, { ...asked, said })
    },
  }),
)

/** Lets only pass who may make the change themselves. */
async function requireRight(
  context: Context,
  info: GraphQLResolveInfo,
  { projectId, action }: Pick<PlannedRow, 'projectId' | 'action'>,
): Promise<void> {
  const rule = accessOf(schemaOf(context, info), action as PlannedAction)
  await context.authorize(context, rule, projectId)
}

const decisions = {
  approveChange: [
    'approved',
    'Approves a planned change, which its client may then apply. Only a person who has signed in to the dashboard, and who may make the change, approves it.',
  ],
  refuseChange: [
    'refused',
    'Refuses a planned change, which can no longer be applied. A person does it, or the client whose person declined.',
  ],
} as const

for (const [name, [decision, description]] of Object.entries(decisions)) {
  builder.mutationField(name, (t) =>
    t.field({
      type: plannedType,
      access: readProject,
      view: 'graph',
      problems: ['change_over'],
      description,
      args: { ...projectArgs, ...changeId, ...keyedArgs },
      resolve: async (_root, args, context, info) => {
        const { project } = await scopeOf(context, String(args.projectId))
        const { db } = context.services
        const id = String(args.changeId)
        const row = await plannedChange(db, project.id, id)
        const isOwn = row.apiKeyId === context.principal.keyId
        if (decision === 'approved' || !isOwn) await requireRight(context, info, row)
        return decidePlanned(db, context.principal, project, { id, decision })
      },
    }),
  )
}

builder.mutationField('applyChange', (t) =>
  t.field({
    type: plannedType,
    access: readProject,
    view: 'graph',
    problems: [
      'change_over',
      'quota_exceeded',
      'project_not_runnable',
      'pitch_not_supported',
      'stale_revision',
      'plan_upgrade_required',
    ],
    description:
      'Makes a planned change, for the key that planned it: once, only after a person has approved it, and only as they saw it. A repetition answers as the first.',
    args: {
      ...projectArgs,
      ...changeId,
      isConfirmed: t.arg.boolean({
        defaultValue: false,
        description:
          'Whether the person has just approved the change in the client, which showed its summary and lines.',
      }),
      ...keyedArgs,
    },
    resolve: async (_root, args, context, info) => {
      const { project } = await scopeOf(context, String(args.projectId))
      const { db } = context.services
      const schema = schemaOf(context, info)
      const id = String(args.changeId)
      const isConfirmed = args.isConfirmed === true
      return applyPlanned(db, context.principal, project, { id, isConfirmed }, async (tx, row) => {
        const action = row.action as PlannedAction
        const asked = { action, projectId: project.id, input: inputOf(row.input) }
        const { said, result } = await outcomeOf({ schema, context, tx }, asked).catch(stale)
        return { words: said, result }
      })
    },
  }),
)

/** What the mutation refuses now, it did not when it was planned. */
function stale(error: unknown): never {
  if (!(error instanceof Fault) || error.code === 'missing_scope') throw error
  if (
    error.code !== 'not_found' &&
    error.code !== 'invalid_argument' &&
    error.code !== 'stale_revision'
  )
    throw error
  throw new Fault('change_stale', `The project has changed since: ${error.message}`, {
    cause: error,
  })
}
