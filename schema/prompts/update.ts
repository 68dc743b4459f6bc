import type { InputFieldMap } from '@pothos/core'
import type { z } from 'zod'
import type { ErrorCode } from '../../core/errors.ts'
import { updateBody } from '../../core/prompt-input.ts'
import { updatePrompt } from '../../resolvers/prompts/change.ts'
import type { PromptRow } from '../../resolvers/prompts/prompts.ts'
import type { Actor } from '../../resolvers/shared/audit-trail.ts'
import type { ProjectScope } from '../../resolvers/shared/scope.ts'
import { keyedArgs, projectArgs } from '../kit/args.ts'
import { draftPrompts, scopeOf } from '../kit/authorize.ts'
import { builder } from '../kit/builder.ts'
import { actorOf } from '../kit/context.ts'
import { intentCategory } from '../kit/intent.ts'
import { staleRevision } from '../kit/problem-fields.ts'
import { success } from '../kit/report-fields.ts'
import { promptLoaders, promptRecord, promptType, textRule } from './prompt.ts'

const promptIds = builder.args((t) => ({
  ...projectArgs,
  promptId: t.id({ required: true, description: 'Id of the prompt.' }),
}))

const promptChange = builder.objectRef<PromptRow>('PromptChange').implement({
  description: 'Result of a change to a prompt.',
  fields: (t) => ({
    prompt: t.field({
      type: promptType,
      view: 'graph',
      description: 'The prompt after the change.',
      resolve: (row) => row,
    }),
    record: t.field({
      type: promptRecord,
      view: 'rest',
      restName: 'prompt',
      description: 'The prompt after the change.',
      resolve: (row) => row,
    }),
    success: t.boolean(success),
  }),
})

builder.objectField(staleRevision, 'current', (t) =>
  t.field({
    type: promptType,
    nullable: true,
    description: 'The prompt as it is now. Null when it was removed meanwhile.',
    resolve: ({ given }, _args, context) =>
      promptLoaders(context).prompt.load(String(given.promptId)),
  }),
)

interface PromptMutation<Body extends z.ZodObject> {
  readonly description: string
  readonly args: InputFieldMap
  readonly body: Body
  readonly problems?: readonly ErrorCode[]
  readonly write: (
    scope: ProjectScope,
    actor: Actor,
    promptId: string,
    input: z.output<Body>,
  ) => Promise<PromptRow>
}

/** A mutation of one prompt. The writer may name the revision that it has seen. */
export function promptMutation<Body extends z.ZodObject>(
  name: string,
  { description, args, body, problems = [], write }: PromptMutation<Body>,
): void {
  builder.mutationField(name, (t) =>
    t.field({
      type: promptChange,
      nullable: true,
      access: draftPrompts,
      description,
      body,
      problems,
      args: {
        ...promptIds,
        ...args,
        expectedRevision: t.arg({
          type: 'Int',
          description:
            '`currentRevision` that the writer saw; a newer one refuses the write. Default: unchecked.',
        }),
        ...keyedArgs,
      },
      resolve: async (_root, given, context) => {
        const scope = await scopeOf(context, String(given.projectId))
        // The door has checked it: this gives it its type, without the arguments of the path.
        return write(scope, actorOf(context), String(given.promptId), body.parse(given))
      },
    }),
  )
}

promptMutation('updatePrompt', {
  description: 'Changes the given fields of a prompt and adds 1 to its revision. Its answers stay.',
  args: builder.args((t) => ({
    text: t.string({ description: `Text that the assistants are asked: ${textRule}` }),
    intentCategory: t.field({
      type: intentCategory,
      description: 'Intent of the person who asks.',
    }),
    isBranded: t.boolean({ description: 'Whether the prompt names the own brand.' }),
    keywordSearchVolume: t.field({
      type: 'Float',
      description: 'Searches per month for the keyword of the prompt.',
    }),
    keywordDifficulty: t.field({
      type: 'Float',
      description: 'Difficulty to rank for the keyword, from 0 to 100.',
    }),
  })),
  body: updateBody,
  write: updatePrompt,
})
