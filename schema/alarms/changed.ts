import { explicitWindow, utcDayOf, yearWindow } from '../../core/window.ts'
import {
  type ChangedPrompts,
  type ChangedSources,
  type PromptCounts,
  promptsChangedTo,
  type SourceCounts,
  sourcesChangedTo,
  weeksTo,
} from '../../resolvers/alarms/week.ts'
import type { ProjectScope } from '../../resolvers/shared/scope.ts'
import { readOfProject } from '../kit/authorize.ts'
import { builder } from '../kit/builder.ts'
import { dateRangeBlock } from '../kit/report-fields.ts'
import { promptLoaders, promptType } from '../prompts/prompt.ts'

export const changedPrompt = builder.objectRef<PromptCounts>('ChangedPrompt').implement({
  description: 'A prompt whose share of answers that mention the brand changed.',
  fields: (t) => ({
    prompt: t.field({
      type: promptType,
      nullable: true,
      description: 'The prompt; null when it no longer exists.',
      resolve: ({ promptId }, _args, context) => promptLoaders(context).prompt.load(promptId),
    }),
    mentionsBefore: t.exposeInt('before', {
      description: 'Answers of the 28 days before that mention the brand.',
    }),
    answersBefore: t.exposeInt('ofBefore', { description: 'Answers of the 28 days before.' }),
    mentionsAfter: t.exposeInt('now', {
      description: 'Answers since then that mention the brand.',
    }),
    answersAfter: t.exposeInt('ofNow', { description: 'Answers since then.' }),
  }),
})

export const changedSource = builder.objectRef<SourceCounts>('ChangedSource').implement({
  description: 'A domain that answers cite now and not before, or no longer.',
  fields: (t) => ({
    domain: t.exposeString('domain', { description: 'The domain.' }),
    citedInBefore: t.exposeInt('before', {
      description: 'Answers of the 28 days before that cite the domain.',
    }),
    answersBefore: t.exposeInt('ofBefore', {
      description: 'Answers of the 28 days before, to prompts that were asked since then too.',
    }),
    citedInAfter: t.exposeInt('now', {
      description: 'Answers since then that cite the domain.',
    }),
    answersAfter: t.exposeInt('ofNow', {
      description: 'Answers since then, to prompts that were asked before too.',
    }),
  }),
})

interface WeekChanges {
  readonly scope: ProjectScope
  readonly until: string
}

const weekChanges = builder.objectRef<WeekChanges>('RecentChanges').implement({
  description:
    'What changed and is not chance, in the answers of two weeks against those of the four weeks before.',
  fields: (t) => ({
    dateRange: t.field({
      type: dateRangeBlock,
      description: 'The two weeks.',
      resolve: ({ until }) => weeksTo(until),
    }),
    prompts: t.field({
      type: builder.objectRef<ChangedPrompts>('RecentPrompts').implement({
        description:
          'Prompts whose answers mention the brand more, or less. At most a tenth of those listed did not change.',
        fields: (of) => ({
          lost: of.field({
            type: [changedPrompt],
            description:
              'Prompts whose answers mention the brand less often, the surest first, at most 50.',
            resolve: ({ lost }) => [...lost],
          }),
          won: of.field({
            type: [changedPrompt],
            description:
              'Prompts whose answers mention the brand more often, the surest first, at most 50.',
            resolve: ({ won }) => [...won],
          }),
        }),
      }),
      description: 'Prompts lost and won.',
      resolve: ({ scope, until }) => promptsChangedTo(scope, until),
    }),
    sources: t.field({
      type: builder.objectRef<ChangedSources>('RecentSources').implement({
        description:
          'Domains that answers cite now and not before, and the reverse. At most a tenth of those listed did not change.',
        fields: (of) => ({
          new: of.field({
            type: [changedSource],
            description:
              'Domains that only the answers of the two weeks cite, the surest first, at most 50.',
            resolve: ({ found }) => [...found],
          }),
          gone: of.field({
            type: [changedSource],
            description:
              'Domains that only the answers of the four weeks before cite, the surest first, at most 50.',
            resolve: ({ gone }) => [...gone],
          }),
        }),
      }),
      description: 'Sources new and gone.',
      resolve: ({ scope, until }) => sourcesChangedTo(scope, until),
    }),
  }),
})

const dayMs = 86_400_000

builder.objectField('Project', 'recentChanges', (t) =>
  t.field({
    type: weekChanges,
    access: readOfProject,
    description:
      'Prompts lost and won, and sources new and gone, in two weeks against the four weeks before. A share that chance explains is not listed.',
    args: {
      until: t.arg({
        type: 'Date',
        description: 'Last UTC day of the two weeks. Default: yesterday.',
      }),
    },
    resolve: (scope: ProjectScope, { until }) => {
      const day = until ?? utcDayOf(new Date(scope.now.getTime() - dayMs))
      const { to } = explicitWindow(day, day, yearWindow, scope.now, ['until', 'until'])
      return { scope, until: to }
    },
  }),
)
