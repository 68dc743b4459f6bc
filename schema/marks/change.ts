import { addMark, type MarkChange, removeMark } from '../../resolvers/marks/marks.ts'
import { keyedArgs, projectArgs } from '../kit/args.ts'
import { scopeOf, writeProject } from '../kit/authorize.ts'
import { builder } from '../kit/builder.ts'
import { actorOf } from '../kit/context.ts'
import { markKind, markType } from './mark.ts'

const markChange = builder.objectRef<MarkChange>('MarkChange').implement({
  description: 'Result of a change to a mark.',
  fields: (t) => ({
    changed: t.exposeBoolean('changed', { description: 'Whether something was written.' }),
    mark: t.expose('mark', {
      type: markType,
      description: 'The mark after the change, or the one that was removed.',
    }),
  }),
})

builder.mutationField('addMark', (t) =>
  t.field({
    type: markChange,
    description:
      'Marks that something was done for the brand, so that its prompts are compared with the others.',
    access: writeProject,
    view: 'graph',
    args: {
      ...projectArgs,
      kind: t.arg({ type: markKind, required: true, description: 'Kind of work.' }),
      title: t.arg.string({
        required: true,
        description: 'Work that was done, in 1 to 200 characters on one line.',
      }),
      date: t.arg({
        type: 'Date',
        required: true,
        description: 'UTC day on which it was done: today or earlier.',
      }),
      promptIds: t.arg.idList({ description: 'Ids of the prompts that it concerns, at most 500.' }),
      topicIds: t.arg.idList({
        description: 'Ids of topics whose prompts it concerns, at most 100.',
      }),
      url: t.arg.string({
        description:
          'Address of the page or source. Without prompts and topics the mark concerns the prompts whose answers cited it in the 56 days before.',
      }),
      ...keyedArgs,
    },
    resolve: async (_root, { projectId, kind, title, date, promptIds, topicIds, url }, context) =>
      addMark(await scopeOf(context, String(projectId)), actorOf(context), {
        kind,
        title,
        date: String(date),
        promptIds: promptIds?.map(String),
        topicIds: topicIds?.map(String),
        url,
      }),
  }),
)

builder.mutationField('removeMark', (t) =>
  t.field({
    type: markChange,
    description: 'Removes a mark. The answers stay.',
    access: writeProject,
    view: 'graph',
    args: {
      ...projectArgs,
      markId: t.arg.id({ required: true, description: 'Id of the mark.' }),
      ...keyedArgs,
    },
    resolve: (_root, { projectId, markId }, context) =>
      removeMark(
        context.services.db,
        actorOf(context),
        String(projectId).toLowerCase(),
        String(markId),
      ),
  }),
)
