import { plainReason } from '../../core/collecting/reasons.ts'
import type { Run } from '../../prisma/generated/client.ts'
import {
  listRuns,
  loadCoverage,
  loadProblems,
  type ProviderCoverage,
  type RunList,
  type RunProblem,
  requireRun,
  retryRun,
  startRun,
} from '../../resolvers/collecting/runs.ts'
import type { ProjectScope } from '../../resolvers/shared/scope.ts'
import { keyedArgs, projectArgs } from '../kit/args.ts'
import { readOfProject, scopeOf, writeProject } from '../kit/authorize.ts'
import { freshLoader } from '../kit/batch.ts'
import { builder } from '../kit/builder.ts'
import { actorOf, oncePerRequest } from '../kit/context.ts'
import { connectionOf } from '../kit/lists/connection.ts'
import { connectionField } from '../kit/lists/field.ts'
import { answerProvider } from '../kit/method/providers.ts'
import { wordsOf } from '../kit/words.ts'
import { selectionArgs, withTextIds } from './plan.ts'

const runStatus = wordsOf<Run['status']>('RunStatus', 'The state of a run.', {
  queued: 'The run waits for a worker.',
  running: 'A worker asks the questions of the run.',
  completed: 'All questions have ended, and reports show the answers.',
  failed: 'The run ended early. Replies so far are kept.',
})

export const runVisibility = wordsOf<Run['visibility']>(
  'RunVisibility',
  'When reports show the answers of a run.',
  {
    whole: 'All at once, when the run has ended.',
    by_answer: 'As they come, some seconds later.',
  },
)

const coverageOf = oncePerRequest(({ services: { db } }) =>
  freshLoader((ids) => loadCoverage(db, ids)),
)

const problemsOf = oncePerRequest(({ services: { db } }) =>
  freshLoader((ids) => loadProblems(db, ids)),
)

const problem = builder.objectRef<RunProblem>('RunProblem').implement({
  description: 'Why questions that a run asked with one provider key failed.',
  fields: (t) => ({
    provider: t.field({
      type: answerProvider,
      description: 'Provider that was asked.',
      resolve: ({ provider }) => provider,
    }),
    label: t.exposeString('label', {
      nullable: true,
      description: 'Name of the provider key; null for a key that was removed.',
    }),
    message: t.exposeString('message', {
      description:
        'Reason in the provider\'s words, such as "api.openai.com answered 429 (insufficient_quota)". Never a key.',
    }),
    summary: t.string({
      description: 'Reason in a sentence for people, such as "OpenAI refused the key."',
      resolve: ({ provider, message }) => plainReason(provider, message),
    }),
    questions: t.expose('questions', {
      type: 'Int',
      description: 'Questions that failed for this reason.',
    }),
  }),
})

const coverage = builder.objectRef<ProviderCoverage>('RunCoverage').implement({
  description: 'Counts of the questions of a run at one provider.',
  fields: (t) => ({
    provider: t.field({
      type: answerProvider,
      description: 'Provider that was asked.',
      resolve: ({ provider }) => provider,
    }),
    asked: t.expose('asked', { type: 'Int', description: 'Questions of the run.' }),
    waiting: t.expose('waiting', {
      type: 'Int',
      description: 'Questions that have not ended.',
    }),
    running: t.expose('running', {
      type: 'Int',
      description: 'Of `waiting`: questions that a service has begun.',
    }),
    queued: t.expose('queued', {
      type: 'Int',
      description: 'Of `waiting`: questions in the queue of a service.',
    }),
    answered: t.expose('answered', {
      type: 'Int',
      description: 'Questions with an answer.',
    }),
    absent: t.expose('absent', {
      type: 'Int',
      description:
        'Questions that the provider replied to without an answer, such as by a refusal.',
    }),
    failed: t.expose('failed', {
      type: 'Int',
      description: 'Questions that the provider did not reply to, or with an error.',
    }),
    cost: t.exposeFloat('cost', {
      description: 'Cost of the replies in US dollars. Replies without a known price count as 0.',
    }),
    expectedCost: t.exposeFloat('expected', {
      description: 'Expected cost in US dollars of the questions that services work on.',
    }),
  }),
})

export const runType = builder.prismaObject('Run', {
  description: 'A run, which asks prompts of a project at providers of AI assistants.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'UUID of the run.' }),
    status: t.field({
      type: runStatus,
      description: 'State of the run.',
      resolve: ({ status }) => status,
    }),
    repetitions: t.expose('repetitions', {
      type: 'Int',
      description: 'How often each prompt is asked at each provider and location.',
    }),
    visibility: t.field({
      type: runVisibility,
      description: 'When reports show the answers of the run.',
      resolve: ({ visibility }) => visibility,
    }),
    language: t.exposeString('language', {
      nullable: true,
      description: "BCP 47 tag of the answers' language; null where assistants choose.",
    }),
    expectedCost: t.exposeFloat('expectedCost', {
      nullable: true,
      description: 'Expected cost in US dollars; null where the price of a model is unknown.',
    }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      description: 'Time when the run was requested.',
    }),
    startedAt: t.expose('startedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'Time when a worker began the run; null until then.',
    }),
    completedAt: t.expose('completedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'Time when the run ended; null until then.',
    }),
    deadlineAt: t.expose('deadlineAt', {
      type: 'DateTime',
      description: 'Time after which the run asks nothing more. Questions that wait then fail.',
    }),
    coverage: t.field({
      type: [coverage],
      description: 'Counts of the questions by provider.',
      resolve: ({ id }, _args, context) => coverageOf(context).load(id),
    }),
    problems: t.field({
      type: [problem],
      description: 'Why questions failed, the most frequent reasons first. At most ten.',
      resolve: ({ id }, _args, context) => problemsOf(context).load(id),
    }),
  }),
})

export const runConnection = connectionOf(runType, {
  description: 'A page of runs, newest first.',
  rows: ({ rows }: RunList) => rows,
  sortKey: ({ createdAt, id }) => [createdAt.toISOString(), id],
})

builder.objectField('Project', 'runs', (t) =>
  t.field(
    connectionField({
      type: runConnection,
      description: 'Runs that sent prompts to providers, newest first.',
      size: { default: 50, max: 500 },
      access: readOfProject,
      resolve: ({ db, project }: ProjectScope, args) => listRuns(db, project.id, args),
    }),
  ),
)

builder.objectField('Project', 'run', (t) =>
  t.field({
    type: runType,
    access: readOfProject,
    description: 'One run.',
    args: { id: t.arg.id({ required: true, description: 'Id of the run.' }) },
    resolve: ({ db, project }: ProjectScope, { id }) => requireRun(db, project.id, String(id)),
  }),
)

const visibilityArgs = builder.args((t) => ({
  visibility: t.field({
    type: runVisibility,
    description: 'When reports show the answers of the run. Default: `whole`.',
  }),
}))

builder.mutationField('runPrompts', (t) =>
  t.field({
    type: runType,
    access: writeProject,
    view: 'graph',
    problems: ['project_not_runnable'],
    description:
      'Asks prompts at providers, by a worker. Reports show the answers at the end of the run, or as they come.',
    args: { ...projectArgs, ...selectionArgs, ...visibilityArgs, ...keyedArgs },
    resolve: async (_root, { projectId, idempotencyKey: _key, ...given }, context) => {
      const { project } = await scopeOf(context, String(projectId))
      return startRun(context.services.db, actorOf(context), project, withTextIds(given))
    },
  }),
)

builder.mutationField('retryRun', (t) =>
  t.field({
    type: runType,
    access: writeProject,
    view: 'graph',
    problems: ['project_not_runnable'],
    description: 'Asks the failed questions of a run again, once the run has ended.',
    args: {
      ...projectArgs,
      runId: t.arg.id({ required: true, description: 'Id of the run.' }),
      ...keyedArgs,
    },
    resolve: async (_root, { projectId, runId }, context) => {
      const { project } = await scopeOf(context, String(projectId))
      return retryRun(context.services.db, actorOf(context), project, String(runId))
    },
  }),
)
