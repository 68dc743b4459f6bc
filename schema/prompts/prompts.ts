import { intentCategories } from '../../core/prompt-input.ts'
import {
  type PromptListArgs,
  type PromptRevision,
  type PromptRow,
  prompt,
  promptRevisions,
  prompts,
} from '../../resolvers/prompts/prompts.ts'
import { answerRow } from '../answers/answers.ts'
import { filterArgs, inGraph, pageArgs } from '../kit/args.ts'
import { builder } from '../kit/builder.ts'
import { filterInput } from '../kit/inputs.ts'
import { intentCategory } from '../kit/intent.ts'
import { listOf } from '../kit/lists/connection.ts'
import { lookup } from '../kit/lookup.ts'
import { report } from '../kit/report.ts'
import { reportFields } from '../kit/report-fields.ts'
import { promptOf, promptRecord, promptRevision, promptType } from './prompt.ts'

export const promptList = listOf(
  builder.objectRef<Awaited<ReturnType<typeof prompts>>>('PromptList'),
  promptType,
  {
    description: 'A page of prompts, newest first.',
    rows: 'prompts',
    sortKey: ({ createdAt, id }) => [createdAt.toISOString(), id],
    fields: (t) => ({
      project: reportFields.project(t),
      prompts: t.expose('prompts', {
        type: [promptType],
        description: 'Prompts of this page, newest first.',
      }),
      pagination: reportFields.pagination(t),
    }),
  },
)

/** What narrows a list of prompts by what they are. */
const ofPrompts = {
  search: 'Only prompts whose text contains this, in any case. `%` and `_` are literal.',
  isTracked: 'True keeps only tracked prompts, false only archived prompts. Default: both.',
}

export const listArgs = builder.args((t) => ({
  search: t.string({
    description: ofPrompts.search,
    extensions: { param: { mayBeEmpty: true } },
  }),
  topicId: t.stringList({
    description: 'Only prompts of these topics.',
    extensions: { param: { list: true } },
  }),
  isTracked: t.boolean({ description: ofPrompts.isTracked }),
  intentCategory: t.field({
    type: intentCategory,
    description: `Only prompts of this intent: ${intentCategories.map((name) => `\`${name}\``).join(', ')}.`,
    extensions: { param: { values: intentCategories } },
  }),
}))

inGraph({ topicId: listArgs.topicId }, { filter: 'topicIds' })
inGraph({ intentCategory: listArgs.intentCategory }, { filter: 'intentCategories' })
for (const name of ['search', 'isTracked'] as const) {
  inGraph({ [name]: listArgs[name] }, { filter: name })
}

/** The fields of `filter` for some of these. */
export const promptFilters = {
  search: (t) => t.string({ description: ofPrompts.search }),
  isTracked: (t) => t.boolean({ description: ofPrompts.isTracked }),
  intentCategories: (t) =>
    t.field({ type: [intentCategory], description: 'Only prompts of these intents.' }),
} satisfies Parameters<typeof filterInput>[1]['own']

filterInput('PromptFilter', {
  rows: 'Prompts',
  names: ['topicIds', 'branded'],
  meanings: { topicIds: 'Only prompts of these topics.' },
  own: promptFilters,
})

report('prompts', {
  ...promptList,
  description: 'Prompts of a project, tracked and archived, newest first.',
  args: {
    ...listArgs,
    unbranded: filterArgs.unbranded,
    branded: filterArgs.branded,
    ...pageArgs({ default: 50, max: 1000 }),
  },
  resolve: (scope, args) => prompts(scope, args as typeof args & PromptListArgs),
})

lookup('prompt', {
  description: 'One prompt.',
  id: ['promptId', 'Id of the prompt.'],
  type: promptType,
  rest: {
    field: 'getPrompt',
    type: builder.objectRef<PromptRow>('PromptReply').implement({
      description: 'One prompt.',
      fields: (t) => ({
        prompt: t.field({
          type: promptRecord,
          description: 'The prompt.',
          resolve: (row) => row,
        }),
      }),
    }),
  },
  find: prompt,
})

builder.objectField(answerRow, 'prompt', (t) =>
  t.field({
    type: promptType,
    view: 'graph',
    description: 'The prompt that was answered.',
    resolve: ({ promptId }, _args, context) => promptOf(context, promptId),
  }),
)

interface History {
  readonly promptId: string
  readonly revisions: PromptRevision[]
}

report('promptRevisions', {
  view: 'rest',
  type: builder.objectRef<History>('PromptRevisions').implement({
    description: 'The revisions of a prompt.',
    fields: (t) => ({
      promptId: t.exposeID('promptId', { description: 'UUID of the prompt.' }),
      revisions: t.expose('revisions', {
        type: [promptRevision],
        description: 'Revisions of the prompt, newest first.',
      }),
    }),
  }),
  description: 'Revisions of a prompt: each write with the wording after it.',
  args: builder.args((t) => ({
    promptId: t.id({ required: true, description: 'Id of the prompt.' }),
  })),
  resolve: (scope, args) => promptRevisions(scope, String(args.promptId)),
})
