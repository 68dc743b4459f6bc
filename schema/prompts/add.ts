import { additionBody, mostPrompts } from '../../core/prompt-input.ts'
import { type Addition, addPrompts } from '../../resolvers/prompts/add.ts'
import { keyedArgs, projectArgs } from '../kit/args.ts'
import { draftPrompts, scopeOf } from '../kit/authorize.ts'
import { builder } from '../kit/builder.ts'
import { actorOf } from '../kit/context.ts'
import { promptType, textRule } from './prompt.ts'

const newPrompt = builder.inputType('NewPrompt', {
  description: 'A prompt to be added.',
  fields: (t) => ({
    text: t.string({
      required: true,
      description: `What the assistants are to be asked: ${textRule} Another prompt may have the same text.`,
    }),
    isBranded: t.boolean({
      description:
        "Whether it names the project's own brand. Absent: found out by the brand's names and domains.",
    }),
    topicIds: t.idList({
      description: 'Topics of the project to sort it under, the main one first.',
    }),
  }),
})

const addition = builder.objectRef<Addition>('PromptAddition').implement({
  description: 'What came of adding prompts.',
  fields: (t) => ({
    prompts: t.field({
      type: [promptType],
      description: 'The prompts that were made, in the order in which they were asked for.',
      resolve: ({ prompts }) => [...prompts],
    }),
    created: t.field({
      type: 'SafeInt',
      description: 'How many were made. Fewer than asked for: the others failed, each on its own.',
      resolve: ({ prompts }) => prompts.length,
    }),
    success: t.boolean({
      description: 'Whether all were made.',
      resolve: ({ failures }) => failures.length === 0,
    }),
  }),
})

builder.mutationField('addPrompts', (t) =>
  t.field({
    type: addition,
    nullable: true,
    access: draftPrompts,
    description:
      'Adds prompts, which are tracked at once and count toward the allowance of the plan. A batch that does not fit adds none.',
    body: additionBody,
    problems: ['quota_exceeded'],
    args: {
      ...projectArgs,
      prompts: t.arg({
        type: [newPrompt],
        required: true,
        description: `1 to ${mostPrompts} prompts.`,
      }),
      ...keyedArgs,
    },
    resolve: async (_root, args, context) => {
      const wanted = additionBody.parse(args).prompts
      const scope = await scopeOf(context, String(args.projectId))
      const added = await addPrompts(scope, actorOf(context), wanted)
      const { requestId, services } = context
      for (const err of added.failures) {
        services.log.error({ requestId, err }, 'a prompt of a batch was not made')
      }
      return added
    },
  }),
)
