import { pagination } from '../../core/pagination.ts'
import {
  type AnsweredPrompt,
  answeredPrompts,
  promptsOfTopics,
} from '../../resolvers/prompts/edges.ts'
import { prompts } from '../../resolvers/prompts/prompts.ts'
import { batched } from '../../resolvers/shared/batch.ts'
import type { ProjectScope } from '../../resolvers/shared/scope.ts'
import { answeredPromptIds } from '../../resolvers/visibility/prompts.ts'
import { mentionedArgs, mentionedFilter } from '../answers/answers.ts'
import { answersOfRow } from '../answers/edges.ts'
import { filterArgs, inGraph, wholeSize, windowArgs } from '../kit/args.ts'
import { readOfProject } from '../kit/authorize.ts'
import { together } from '../kit/batch.ts'
import { builder } from '../kit/builder.ts'
import { answerFilters, filterInput } from '../kit/inputs.ts'
import { connectionOf } from '../kit/lists/connection.ts'
import { connectionField } from '../kit/lists/field.ts'
import { sliceList } from '../kit/slice-fields.ts'
import { sliceParents } from '../kit/slice-parents.ts'
import { topicType } from '../topics/topics.ts'
import { promptLoaders, promptOf, promptRevision, promptType } from './prompt.ts'
import { promptList } from './prompts.ts'

const answeredPrompt = builder.objectRef<AnsweredPrompt>('AnsweredPrompt').implement({
  description: 'A prompt with the number of its answers in a set of answers.',
  fields: (t) => ({
    prompt: t.field({
      type: promptType,
      description: 'The prompt with answers in the set.',
      resolve: ({ promptId }, _args, context) => promptOf(context, promptId),
    }),
    answerCount: t.expose('answers', {
      type: 'Int',
      description: 'Answers to the prompt in the set.',
    }),
  }),
})

builder.objectField(answeredPrompt, 'answers', (t) =>
  t.field(
    answersOfRow<AnsweredPrompt>({
      description: 'Answers to the prompt in the set, newest first.',
      idOf: ({ promptId }) => promptId,
      askedOf: ({ promptId, setOf: { slice, ...asked } }) =>
        slice ? { ...asked, slice: { ...slice, promptId } } : { ...asked, promptId },
    }),
  ),
)

const { brand, page, sourceUrl, sourceDomain, fanoutQuery } = sliceParents

filterInput('MentionFilter', {
  names: answerFilters,
  own: { mentioned: mentionedFilter },
})

sliceList([brand, page, sourceUrl, sourceDomain, fanoutQuery], 'prompts', {
  type: connectionOf(answeredPrompt, {
    description: 'Prompts, most answers first.',
    isCounted: true,
  }),
  description: (answers) =>
    `Prompts with ${answers}, most such answers first; with \`mentioned: false\`, answers without the own brand.`,
  size: { default: 10, max: 100 },
  args: { ...windowArgs, ...filterArgs, ...mentionedArgs },
  resolve: async (scope, args) => ({
    rows: await batched('prompts.of-each', scope, args, answeredPrompts),
  }),
})

builder.objectField(promptType, 'revisions', (t) =>
  t.field(
    connectionField({
      type: connectionOf(promptRevision, {
        description: 'Revisions of a prompt, newest first.',
        sortKey: ({ revision }) => [-revision],
        isWhole: true,
      }),
      size: wholeSize,
      description: 'Revisions of the prompt, newest first.',
      resolve: async ({ id }: typeof promptType.$inferType, _args, context) => ({
        rows: await promptLoaders(context).revisions.load(id),
      }),
    }),
  ),
)

const ofTracked = 'True keeps only tracked prompts, false only archived ones.'
const trackedArgs = inGraph(
  builder.args((t) => ({ isTracked: t.boolean({ description: ofTracked }) })),
  { filter: 'isTracked' },
)
filterInput('TrackedFilter', {
  rows: 'Prompts',
  own: { isTracked: (t) => t.boolean({ description: ofTracked }) },
})

builder.objectField(topicType, 'prompts', (t) =>
  t.field(
    connectionField({
      type: promptList.connection,
      description: 'Prompts of the topic, newest first.',
      size: { default: 10, max: 100 },
      args: trackedArgs,
      resolve: async (
        topic: typeof topicType.$inferType,
        { isTracked = null, limit, offset, afterKey },
        context,
        scope,
      ) => {
        const found = await together(
          context,
          'topic.prompts',
          topic.id,
          { isTracked, limit, offset, afterKey },
          (ids, asked) => promptsOfTopics(context.services.db, ids, asked),
        )
        const { promptCount, trackedPromptCount } = topic
        const counted = isTracked ? trackedPromptCount : promptCount - trackedPromptCount
        const total = isTracked === null ? promptCount : counted
        return {
          scope,
          prompts: found,
          pagination: pagination({ limit, offset }, found.length, total),
        }
      },
    }),
  ),
)

builder.objectField('Project', 'promptsWithoutAnswers', (t) =>
  t.field(
    connectionField({
      type: promptList.connection,
      description:
        'Tracked prompts without an answer in the window, newest first. A schedule or an import brings answers.',
      size: { default: 10, max: 100 },
      args: windowArgs,
      access: readOfProject,
      scope: (scope: ProjectScope) => scope,
      resolve: async (
        _project: ProjectScope,
        { limit, offset, afterKey, ...args },
        _context,
        scope,
      ) => {
        const except = await answeredPromptIds(scope, args)
        return prompts(scope, { isTracked: true, except, limit, offset, afterKey })
      },
    }),
  ),
)
