import type { InputFieldMap } from '@pothos/core'
import type { z } from 'zod'
import type { ErrorCode } from '../../core/errors.ts'
import { updateBody } from '../../core/prompt-input.ts'
import type { PromptRow } from '../../resolvers/prompts/prompts.ts'
import { updatePrompt } from '../../resolvers/prompts/update.ts'
import type { Actor } from '../../resolvers/shared/audit-trail.ts'
import type { ProjectScope } from '../../resolvers/shared/scope.ts'
import { keyedArgs, projectArgs } from '../kit/args.ts'
import { draftPrompts, scopeOf } from '../kit/authorize.ts'
import { builder } from '../kit/builder.ts'
import { actorOf, type Context } from '../kit/context.ts'
import { success } from '../kit/report-fields.ts'
import { intentCategory, promptRecord, promptType, textRule } from './prompt.ts'

const promptIds = builder.args((t) => ({
  ...projectArgs,
  promptId: t.id({ required: true, description: 'Id of the prompt.' }),
}))

const promptChange = builder.objectRef<PromptRow>('PromptChange').implement({
  description: 'What came of changing a prompt.',
  fields: (t) => ({
    prompt: t.field({
      type: promptType,
      view: 'graph',
      description: 'The prompt as it is since.',
      resolve: (row) => row,
    }),
    record: t.field({
      type: promptRecord,
      view: 'rest',
      restName: 'prompt',
      description: 'The prompt as it is since.',
      resolve: (row) => row,
    }),
    success: t.boolean(success),
  }),
})

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

/** A mutation of one prompt, which can be told which revision of it the writer has seen. */
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
          type: 'SafeInt',
          description:
            'The `currentRevision` that the writer has seen: another one refuses the write. Absent: the write happens whatever the revision.',
        }),
        ...keyedArgs,
      },
      resolve: async (_root: object, given: Record<string, unknown>, context: Context) => {
        const scope = await scopeOf(context, String(given.projectId))
        // The door has checked it: this gives it its type, without the arguments of the path.
        return write(scope, actorOf(context), String(given.promptId), body.parse(given))
      },
    } as never),
  )
}

promptMutation('updatePrompt', {
  description:
    'Changes what is given of a prompt and adds 1 to its revision. Past answers stay with it. It never archives nor restores.',
  args: builder.args((t) => ({
    text: t.string({ description: `What the assistants are to be asked: ${textRule}` }),
    intentCategory: t.field({
      type: intentCategory,
      description: 'What the person who asks is after.',
    }),
    isBranded: t.boolean({ description: "Whether it names the project's own brand." }),
    keywordSearchVolume: t.field({
      type: 'SafeInt',
      description: 'Searches a month for its keyword, from 0.',
    }),
    keywordDifficulty: t.field({
      type: 'SafeInt',
      description: 'How hard it is to rank for its keyword, 0 to 100.',
    }),
  })),
  body: updateBody,
  write: updatePrompt,
})
