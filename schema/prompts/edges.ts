import { type AnsweredPrompt, answeredPrompts } from '../../resolvers/prompts/edges.ts'
import { filterArgs, windowArgs } from '../kit/args.ts'
import { batched } from '../kit/batch.ts'
import { builder } from '../kit/builder.ts'
import { connectionOf } from '../kit/connection.ts'
import { edgeList, sliceParents } from '../kit/edge.ts'
import { promptLoaders, promptType } from './prompt.ts'

const answeredPrompt = builder.objectRef<AnsweredPrompt>('AnsweredPrompt').implement({
  description: 'A prompt with the number of its answers in a set of answers.',
  fields: (t) => ({
    prompt: t.field({
      type: promptType,
      nullable: true,
      description: 'The prompt; null when the prompt no longer exists.',
      resolve: ({ promptId }, _args, context) => promptLoaders(context).prompt.load(promptId),
    }),
    answers: t.expose('answers', {
      type: 'SafeInt',
      description: 'Number of answers to the prompt in the set.',
    }),
  }),
})

const { brand, page, sourceUrl, sourceDomain, fanoutQuery } = sliceParents

edgeList([brand, page, sourceUrl, sourceDomain, fanoutQuery], 'prompts', {
  type: connectionOf(answeredPrompt, { description: 'Prompts, most answers first.' }),
  description: 'Prompts whose answers name, cite or searched for this object, most answers first.',
  size: { default: 10, max: 100 },
  args: { ...windowArgs, ...filterArgs },
  resolve: async (scope, args, context) => ({
    rows: await batched(context, 'prompts.of-each', scope, args, answeredPrompts),
  }),
})
