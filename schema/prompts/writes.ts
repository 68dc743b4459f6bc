import type { InputFieldMap } from '@pothos/core'
import type { z } from 'zod'
import type { ErrorCode } from '../../core/errors.ts'
import {
  additionBody,
  mostCharacters,
  mostPrompts,
  restorationBody,
  type trackingActions,
  trackingBody,
  updateBody,
} from '../../core/prompt-input.ts'
import { type Addition, addPrompts } from '../../resolvers/prompts/add.ts'
import type { PromptRow } from '../../resolvers/prompts/prompts.ts'
import { restorePromptWording } from '../../resolvers/prompts/revisions.ts'
import { setPromptTracking } from '../../resolvers/prompts/tracking.ts'
import { updatePrompt } from '../../resolvers/prompts/update.ts'
import type { Actor } from '../../resolvers/shared/audit-trail.ts'
import type { ProjectScope } from '../../resolvers/shared/scope.ts'
import { keyedArgs, projectArgs } from '../kit/args.ts'
import { draftPrompts, scopeOf } from '../kit/authorize.ts'
import { builder } from '../kit/builder.ts'
import { actorOf, type Context } from '../kit/context.ts'
import { success } from '../kit/report-fields.ts'
import { intentCategory, promptRecord, promptType } from './parts.ts'

const promptIds = builder.args((t) => ({
  ...projectArgs,
  promptId: t.id({ required: true, description: 'Id of the prompt.' }),
}))

const textRule = `1 to ${mostCharacters} Unicode characters after trimming.`

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

interface PromptWrite<Body extends z.ZodObject> {
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
function promptWrite<Body extends z.ZodObject>(
  name: string,
  { description, args, body, problems = [], write }: PromptWrite<Body>,
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

promptWrite('updatePrompt', {
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

const trackingAction = builder.enumType('PromptTrackingAction', {
  description: 'What to do to the tracking of a prompt.',
  values: {
    archive: { description: 'Asks it no more, and frees its place in the allowance.' },
    restore: { description: 'Asks it again, if the allowance has a place.' },
  } satisfies Record<(typeof trackingActions)[number], object>,
})

promptWrite('setPromptTracking', {
  description:
    'Archives a prompt, or tracks it again; its answers stay counted either way. Doing it twice changes nothing.',
  args: builder.args((t) => ({
    action: t.field({ type: trackingAction, required: true, description: 'Which of the two.' }),
  })),
  body: trackingBody,
  problems: ['quota_exceeded'],
  write: setPromptTracking,
})

promptWrite('restorePromptWording', {
  description: 'Gives a prompt the wording that it had at a revision; the rest stays as it is.',
  args: builder.args((t) => ({
    revision: t.field({
      type: 'SafeInt',
      required: true,
      description: 'The revision whose wording is wanted.',
    }),
  })),
  body: restorationBody,
  write: restorePromptWording,
})
