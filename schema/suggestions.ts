import type { Actor } from '../resolvers/shared/audit-trail.ts'
import type { ProjectScope } from '../resolvers/shared/scope.ts'
import {
  dismissSuggestion,
  restoreSuggestion,
  type SuggestionChange,
} from '../resolvers/suggestions/change.ts'
import {
  type Suggestion,
  type SuggestionArgs,
  suggestedPrompts,
  suggestionDays,
} from '../resolvers/suggestions/suggestions.ts'
import { inGraph, keyedArgs, pageArgs, projectArgs } from './kit/args.ts'
import { scopeOf, writeProject } from './kit/authorize.ts'
import { builder } from './kit/builder.ts'
import { actorOf } from './kit/context.ts'
import { filterInput } from './kit/inputs.ts'
import { listOf } from './kit/lists/connection.ts'
import { report } from './kit/report.ts'
import { reportFields } from './kit/report-fields.ts'

export const suggestion = builder.objectRef<Suggestion>('SuggestedPrompt').implement({
  description: 'A sub-query of AI assistants that no prompt tracks.',
  fields: (t) => ({
    id: t.exposeID('id', {
      graphName: 'suggestionId',
      description: 'UUID of the suggestion; the same text always has the same id.',
    }),
    text: t.exposeString('text', {
      description: 'Text of the sub-query in its most frequent spelling.',
    }),
    topicId: t.id({
      nullable: true,
      view: 'rest',
      description:
        'Id of the topic whose prompts led most answers to the sub-query; null without topics.',
      resolve: ({ topic }) => topic?.id,
    }),
    topicName: t.string({
      nullable: true,
      view: 'rest',
      description: 'Name of the topic in `topicId`; null without topics.',
      resolve: ({ topic }) => topic?.name,
    }),
    reason: t.exposeString('reason', {
      description: 'Reason for the suggestion, as a sentence with numbers.',
    }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      description: `Time of the first answer in the last ${suggestionDays} days that searched for the text.`,
    }),
    responses: t.expose('responses', {
      graphName: 'answerCount',
      type: 'Int',
      view: 'graph',
      description: 'Answers that searched for the text.',
    }),
    promptsCount: t.expose('promptsCount', {
      graphName: 'promptCount',
      type: 'Int',
      view: 'graph',
      description: 'Distinct prompts whose answers searched for the text.',
    }),
  }),
})

const suggestionList = listOf(
  builder.objectRef<Awaited<ReturnType<typeof suggestedPrompts>>>('SuggestedPromptList'),
  suggestion,
  {
    description: 'A page of suggested prompts, most answers first.',
    rows: 'suggestions',
    fields: (t) => ({
      project: reportFields.project(t),
      suggestions: t.expose('suggestions', {
        type: [suggestion],
        description: 'Suggested prompts, most answers first.',
      }),
      pagination: reportFields.pagination(t),
    }),
  },
)

// Named before it had more than topics; clients of 0.2 know the name.
filterInput('TopicFilter', {
  rows: 'Suggestions',
  names: ['topicIds'],
  meanings: { topicIds: 'Only sub-queries of answers to prompts of these topics.' },
  own: {
    isDismissed: (t) =>
      t.boolean({ description: 'True: only those that somebody dismissed. Default: all others.' }),
  },
})

report('suggestedPrompts', {
  ...suggestionList,
  description: `Prompts worth tracking: sub-queries that at least two answers of the last ${suggestionDays} days searched for. Excludes every current and earlier wording of a prompt.`,
  problems: ['query_timeout'],
  args: {
    ...inGraph(
      builder.args((t) => ({
        topicId: t.stringList({
          description: 'Only sub-queries of answers to prompts of these topics.',
          extensions: { param: { list: true } },
        }),
      })),
      { filter: 'topicIds' },
    ),
    ...inGraph(
      builder.args((t) => ({
        isDismissed: t.boolean({
          description: 'True lists the suggestions that somebody dismissed. Default: all others.',
          extensions: { view: 'graph' },
        }),
      })),
      { filter: 'isDismissed' },
    ),
    ...pageArgs({ default: 50, max: 1000 }),
  },
  resolve: (scope, args) => suggestedPrompts(scope, args as typeof args & SuggestionArgs),
})

const suggestionChange = builder.objectRef<SuggestionChange>('SuggestionChange').implement({
  description: 'Result of a change to a suggested prompt.',
  fields: (t) => ({
    changed: t.exposeBoolean('changed', {
      description: 'False when the suggestion had this state already, so nothing was written.',
    }),
  }),
})

function suggestionMutation(
  name: string,
  description: string,
  change: (scope: ProjectScope, actor: Actor, text: string) => Promise<SuggestionChange>,
): void {
  builder.mutationField(name, (t) =>
    t.field({
      type: suggestionChange,
      description,
      access: writeProject,
      view: 'graph',
      args: {
        ...projectArgs,
        text: t.arg.string({
          required: true,
          description: 'Text of the suggestion, in any of its spellings.',
        }),
        ...keyedArgs,
      },
      resolve: async (_root, { projectId, text }, context) =>
        change(await scopeOf(context, String(projectId)), actorOf(context), text),
    }),
  )
}

suggestionMutation(
  'dismissSuggestedPrompt',
  'Leaves a text out of the suggested prompts, in all its spellings. Needs `write`.',
  dismissSuggestion,
)

suggestionMutation(
  'restoreSuggestedPrompt',
  'Suggests a dismissed text again. Needs `write`.',
  restoreSuggestion,
)
