import {
  deletionBody,
  manyTopicsBody,
  manyTrackingBody,
  mostTogether,
} from '../../core/prompt-input.ts'
import type { PromptsRemoved } from '../../imports/prompts/remove.ts'
import {
  changeTopicsOfMany,
  type ManyChanged,
  setTrackingOfMany,
} from '../../resolvers/prompts/many.ts'
import { requestWaitMs } from '../imports/request.ts'
import { keyedArgs, projectArgs } from '../kit/args.ts'
import { adminProject, draftPrompts, scopeOf } from '../kit/authorize.ts'
import { builder } from '../kit/builder.ts'
import { actorOf } from '../kit/context.ts'
import { promptType } from './prompt.ts'
import { trackingAction } from './tracking.ts'

const promptIds = builder.args((t) => ({
  ...projectArgs,
  promptIds: t.idList({
    required: true,
    description: `Ids of the prompts, 1 to ${mostTogether}.`,
  }),
}))

const manyChange = builder.objectRef<ManyChanged>('PromptsChange').implement({
  description: 'Result of a change to several prompts.',
  fields: (t) => ({
    prompts: t.field({
      type: [promptType],
      description: 'The prompts after the change, by their ids.',
      resolve: ({ prompts }) => [...prompts],
    }),
    changed: t.expose('changed', {
      type: 'Int',
      description: 'Prompts that changed. The others had this state already.',
    }),
  }),
})

builder.mutationField('setPromptsTracking', (t) =>
  t.field({
    type: manyChange,
    view: 'graph',
    access: draftPrompts,
    description: 'Archives prompts, or tracks them again: all or none. Their answers stay.',
    body: manyTrackingBody,
    problems: ['quota_exceeded'],
    args: {
      ...promptIds,
      action: t.arg({
        type: trackingAction,
        required: true,
        description: 'Whether to archive or restore the prompts.',
      }),
      ...keyedArgs,
    },
    resolve: async (_root, args, context) => {
      const scope = await scopeOf(context, String(args.projectId))
      return setTrackingOfMany(scope, actorOf(context), manyTrackingBody.parse(args))
    },
  }),
)

builder.mutationField('changePromptTopics', (t) =>
  t.field({
    type: manyChange,
    view: 'graph',
    access: draftPrompts,
    description: 'Adds topics to prompts and removes others: of all the prompts or none.',
    body: manyTopicsBody,
    args: {
      ...promptIds,
      addTopicIds: t.arg.idList({ description: 'Ids of topics to add.' }),
      removeTopicIds: t.arg.idList({ description: 'Ids of topics to remove.' }),
      ...keyedArgs,
    },
    resolve: async (_root, args, context) => {
      const scope = await scopeOf(context, String(args.projectId))
      return changeTopicsOfMany(scope, actorOf(context), manyTopicsBody.parse(args))
    },
  }),
)

const deletion = builder.objectRef<PromptsRemoved>('PromptDeletion').implement({
  description: 'Result of a deletion of prompts.',
  fields: (t) => ({
    prompts: t.expose('prompts', { type: 'Int', description: 'Prompts that were deleted.' }),
    answers: t.expose('answers', {
      type: 'Int',
      description: 'Answers that were deleted with their prompts.',
    }),
  }),
})

builder.mutationField('deletePrompts', (t) =>
  t.field({
    type: deletion,
    view: 'graph',
    access: adminProject,
    isOutside: true,
    description:
      'Deletes prompts with their answers and wordings: all or none. A deletion cannot be undone; `setPromptsTracking` keeps the answers.',
    body: deletionBody,
    args: { ...promptIds, ...keyedArgs },
    resolve: async (_root, args, context) => {
      const { project } = await scopeOf(context, String(args.projectId))
      const { removePrompts } = await import('../../imports/prompts/remove.ts')
      const { promptIds: ids } = deletionBody.parse(args)
      const given = { projectId: project.id, promptIds: ids, waitMs: requestWaitMs }
      return removePrompts(context.services, actorOf(context), given)
    },
  }),
)
