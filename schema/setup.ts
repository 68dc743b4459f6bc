import type { Proposals } from '../core/setup/proposals.ts'
import { mostPages } from '../core/setup/site.ts'
import { loadSpending } from '../resolvers/collecting/spending.ts'
import { findByQuestion } from '../resolvers/prompts/questions.ts'
import {
  loadSetups,
  type OfferedPrompt,
  offeredPrompts,
  proposeSetup,
  type Setup,
  setSetupStep,
} from '../resolvers/setup/setup.ts'
import type { ProjectScope } from '../resolvers/shared/scope.ts'
import { readOfProject } from './kit/authorize.ts'
import { freshLoader } from './kit/batch.ts'
import { builder } from './kit/builder.ts'
import { oncePerRequest } from './kit/context.ts'
import { intentCategory } from './kit/intent.ts'
import { projectMutation } from './kit/project-mutation.ts'

const setupStep = builder.enumType('SetupStep', {
  description: 'A step of the set-up of a project.',
  values: {
    brand: { description: 'The brand, its domain and its other names.' },
    competitors: { description: 'The competitors.' },
    prompts: { description: 'The prompts.' },
    data: { description: 'Where answers come from: a schedule or an import.' },
    done: { description: 'The set-up is over.' },
  },
})

const proposalStatus = builder.enumType('ProposalStatus', {
  description: 'State of the job that makes proposals.',
  values: {
    queued: { description: 'The job waits for the worker.' },
    running: { description: 'The worker reads the site, or asks the model.' },
    completed: { description: 'The proposals are complete.' },
    failed: { description: 'There are no new proposals; `problem` says why.' },
  },
})

const proposedPrompt = builder.objectRef<OfferedPrompt>('ProposedPrompt').implement({
  description: 'A prompt that a project may track.',
  fields: (t) => ({
    text: t.exposeString('text', { description: 'Text of the prompt.' }),
    topic: t.exposeString('topic', {
      nullable: true,
      description: 'Name of the proposed topic; null for none.',
    }),
    intentCategory: t.field({
      type: intentCategory,
      description: 'Intent of somebody who asks the prompt.',
      resolve: ({ intent }) => intent,
    }),
    isBranded: t.exposeBoolean('isBranded', {
      description: 'Whether the prompt names the own brand.',
    }),
    page: t.exposeString('page', {
      nullable: true,
      description: 'Path of the page that the prompt comes from; null for one that a model wrote.',
    }),
    isTracked: t.exposeBoolean('isTracked', {
      description: 'Whether a prompt of the project asks the same question.',
    }),
  }),
})

const proposals = builder
  .objectRef<Proposals & { readonly projectId: string }>('SetupProposals')
  .implement({
    description: "What the brand's own site proposes for a project. Nothing of it is applied.",
    fields: (t) => ({
      name: t.exposeString('name', {
        nullable: true,
        description: 'Name of the brand as its site writes it; null where it is the name of now.',
      }),
      description: t.exposeString('description', {
        nullable: true,
        description: 'What the brand offers; null where its site does not say.',
      }),
      aliases: t.exposeStringList('aliases', { description: 'Other names of the brand.' }),
      topics: t.exposeStringList('topics', { description: 'Topics, the main ones first.' }),
      competitors: t.exposeStringList('competitors', {
        description: 'Names that the site compares the brand with.',
      }),
      prompts: t.field({
        type: [proposedPrompt],
        description: 'Prompts, the best first.',
        resolve: ({ projectId, prompts }, _args, { services }) =>
          offeredPrompts(services.db, projectId, prompts, findByQuestion),
      }),
    }),
  })

const setup = builder.objectRef<Setup>('ProjectSetup').implement({
  description: 'The set-up of a project in steps, with proposals.',
  fields: (t) => ({
    step: t.field({
      type: setupStep,
      description: 'Step to go on with.',
      resolve: ({ step }) => step,
    }),
    status: t.field({
      type: proposalStatus,
      nullable: true,
      description: 'State of the proposals; null before the first request.',
      resolve: ({ status }) => status,
    }),
    asksModel: t.exposeBoolean('asksModel', {
      description: 'Whether a model was asked last, and not the site.',
    }),
    problem: t.exposeString('problem', {
      nullable: true,
      description: 'Why there are no new proposals, as a sentence; else null.',
    }),
    pagesRead: t.exposeInt('pagesRead', { description: 'Pages of the site that were read.' }),
    mostPages: t.int({
      description: 'Pages of a site that are read at most.',
      resolve: () => mostPages,
    }),
    proposals: t.field({
      type: proposals,
      nullable: true,
      description: 'The proposals; null before the site was read.',
      resolve: ({ projectId, proposals: found }) => found && { ...found, projectId },
    }),
  }),
})

const setupOf = oncePerRequest(({ services: { db } }) =>
  freshLoader((ids: readonly string[]) => loadSetups(db, ids)),
)

builder.objectField('Project', 'setup', (t) =>
  t.field({
    type: setup,
    nullable: true,
    access: readOfProject,
    description: 'Set-up of the project; null for a project that was created without one.',
    resolve: ({ project }: ProjectScope, _args, context) => setupOf(context).load(project.id),
  }),
)

projectMutation('proposeSetup', {
  description:
    "Has the worker read the brand's own site, or ask a model, for names, topics, competitors and prompts. Applies nothing: read `setup` of the project.",
  args: builder.args((t) => ({
    providerKeyId: t.id({
      description:
        'Provider key whose model writes prompts, for `expectedCost` of the key. Default: the site is read, which costs nothing.',
    }),
  })),
  change: ({ db, actor, projectId, privateHosts }, { providerKeyId }) =>
    proposeSetup(
      { db, privateHosts, spend: loadSpending },
      actor,
      projectId,
      providerKeyId == null ? null : String(providerKeyId),
    ),
})

projectMutation('setSetupStep', {
  description: 'Notes the step of the set-up that people go on with.',
  args: builder.args((t) => ({
    step: t.field({ type: setupStep, required: true, description: 'Step to go on with.' }),
  })),
  change: ({ db, actor, projectId }, { step }) => setSetupStep(db, actor, projectId, step),
})
