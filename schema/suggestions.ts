import {
  type Suggestion,
  type SuggestionArgs,
  suggestedPrompts,
  suggestionDays,
} from '../resolvers/suggestions/suggestions.ts'
import { pageArgs } from './kit/args.ts'
import { builder, report } from './kit/builder.ts'
import { reportFields } from './kit/report-fields.ts'

const suggestion = builder.objectRef<Suggestion>('SuggestedPrompt').implement({
  description: 'A question that AI assistants ask themselves, and that no prompt tracks.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'UUID: the same text always has the same.' }),
    text: t.exposeString('text', {
      description: 'What was searched for, in its most frequent spelling.',
    }),
    topicId: t.id({
      nullable: true,
      description:
        'The topic under whose prompts most answers asked it; null when none of these prompts has a topic.',
      resolve: ({ topic }) => topic?.id,
    }),
    topicName: t.string({
      nullable: true,
      description: 'The name of that topic.',
      resolve: ({ topic }) => topic?.name,
    }),
    reason: t.exposeString('reason', {
      description: 'Why it is suggested, as a sentence with the numbers.',
    }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      description: `When the first answer that asked it was collected, in the last ${suggestionDays} days.`,
    }),
    responses: t.expose('responses', {
      type: 'SafeInt',
      view: 'graph',
      description: 'Answers that asked it.',
    }),
    promptsCount: t.expose('promptsCount', {
      type: 'SafeInt',
      view: 'graph',
      description: 'Distinct prompts whose answers asked it.',
    }),
    platforms: t.exposeStringList('platforms', {
      view: 'graph',
      description: 'Ids of the platforms that asked it, most answers first.',
    }),
  }),
})

const suggestionList = builder
  .objectRef<Awaited<ReturnType<typeof suggestedPrompts>>>('SuggestedPromptList')
  .implement({
    description: 'A page of suggested prompts.',
    fields: (t) => ({
      project: reportFields.project(t),
      suggestions: t.expose('suggestions', {
        type: [suggestion],
        description: 'Those that most answers share first, ties by text.',
      }),
      pagination: reportFields.pagination(t),
    }),
  })

report('suggestedPrompts', {
  type: suggestionList,
  description: `Prompts worth tracking: sub-queries that two or more answers of the last ${suggestionDays} days share, and that no prompt has, or ever had, as its wording.`,
  problems: ['query_timeout'],
  args: {
    topicId: builder.args((t) => ({
      topicId: t.stringList({
        description: 'Only what answers to prompts of these topics share.',
        extensions: { param: { list: true } },
      }),
    })).topicId,
    ...pageArgs({ default: 50, max: 1000 }),
  },
  resolve: (scope, args) => suggestedPrompts(scope, args as typeof args & SuggestionArgs),
})
