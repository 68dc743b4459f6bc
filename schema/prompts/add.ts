import { additionBody, mostPrompts } from '../../core/prompt-input.ts'
import { type Addition, addPrompts } from '../../resolvers/prompts/add.ts'
import { keyedArgs, projectArgs } from '../kit/args.ts'
import { draftPrompts, scopeOf } from '../kit/authorize.ts'
import { builder } from '../kit/builder.ts'
import { actorOf } from '../kit/context.ts'
import { promptType, textRule } from './prompt.ts'

const newPrompt = builder.inputType('NewPrompt', {
  description: 'A prompt to add.',
  fields: (t) => ({
    text: t.string({
      required: true,
      description: `Text that the assistants are asked: ${textRule} A prompt that asks the same question is not added again.`,
      extensions: {
        restDescription: `Text that the assistants are asked: ${textRule} Another prompt may have the same text.`,
      },
    }),
    isBranded: t.boolean({
      description: 'Whether the prompt names the own brand. Default: detected.',
    }),
    topicIds: t.idList({
      description: 'Ids of topics that group the prompt, the main topic first.',
    }),
  }),
})

const addition = builder.objectRef<Addition>('PromptAddition').implement({
  description: 'Result of adding prompts.',
  fields: (t) => ({
    prompts: t.field({
      type: [promptType],
      description: 'Prompts of the input that are tracked now, in its order.',
      restDescription: 'Prompts that were added, in the order of the input.',
      resolve: ({ prompts }) => [...prompts],
    }),
    existing: t.field({
      type: [promptType],
      view: 'graph',
      description:
        'Prompts of the input that the project had already. Archived ones, and those that came with answers, are tracked from now on.',
      resolve: ({ existing }) => [...existing],
    }),
    created: t.field({
      type: 'Int',
      description: 'Prompts that were added; fewer than given where some failed.',
      // In REST a prompt that came with answers counts as added, too.
      resolve: ({ prompts, existing, isRepeatable }) =>
        isRepeatable ? prompts.length : prompts.length - existing.length,
    }),
    success: t.boolean({
      description: 'Whether all prompts of the input were added.',
      resolve: ({ failures }) => failures.length === 0,
    }),
  }),
})

builder.mutationField('addPrompts', (t) =>
  t.field({
    type: addition,
    nullable: true,
    access: draftPrompts,
    description: "Adds prompts and tracks them. A batch over the plan's allowance adds none.",
    body: additionBody,
    problems: ['quota_exceeded'],
    args: {
      ...projectArgs,
      prompts: t.arg({
        type: [newPrompt],
        required: true,
        description: `The prompts to add, 1 to ${mostPrompts}.`,
      }),
      repeat: t.arg.boolean({
        defaultValue: false,
        description: 'Whether to add a prompt also where another one asks the same question.',
        extensions: { view: 'graph' },
      }),
      ...keyedArgs,
    },
    resolve: async (_root, args, context) => {
      const wanted = additionBody.parse(args).prompts
      const scope = await scopeOf(context, String(args.projectId))
      // REST has no such argument: by its contract texts may repeat.
      const isRepeatable = args.repeat !== false
      const added = await addPrompts(scope, actorOf(context), wanted, { isRepeatable })
      const { requestId, services } = context
      for (const err of added.failures) {
        services.log.error({ requestId, err }, 'a prompt of a batch was not made')
      }
      return added
    },
  }),
)
