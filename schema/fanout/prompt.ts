import { fanoutWindow } from '../../resolvers/fanout/fanout.ts'
import {
  type PromptFanoutArgs,
  type PromptFanoutQuery,
  promptFanout,
} from '../../resolvers/fanout/prompt.ts'
import { pageArgs, windowArgsOf } from '../kit/args.ts'
import { builder, report } from '../kit/builder.ts'
import { reportFields } from '../kit/report-fields.ts'

/** The page of either report. */
export const fanoutPage = pageArgs({ default: 50, max: 50 })

/** What sub-queries are listed with. */
export const queryMeaning = {
  query: 'What was searched for, in its most frequent spelling.',
  count:
    'How often it was searched for. Spellings that differ in case, in Unicode form or by surrounding space are one.',
}

const promptQuery = builder.objectRef<PromptFanoutQuery>('PromptFanoutQuery').implement({
  description: 'A sub-query that platforms searched for before they answered one prompt.',
  fields: (t) => ({
    query: t.exposeString('query', { description: queryMeaning.query }),
    count: t.expose('repeats', { type: 'SafeInt', description: queryMeaning.count }),
    lastSeen: t.field({
      type: 'DateTime',
      description: 'When the newest answer with it was collected, in the window.',
      resolve: ({ lastSeenMs }) => new Date(lastSeenMs),
    }),
  }),
})

const promptReport = builder
  .objectRef<Awaited<ReturnType<typeof promptFanout>>>('PromptFanout')
  .implement({
    description: 'What platforms searched for before they answered one prompt.',
    fields: (t) => ({
      project: reportFields.project(t),
      promptId: t.exposeID('promptId', { description: 'UUID.' }),
      queries: t.expose('queries', {
        type: [promptQuery],
        description: 'Most repeated first, ties by text.',
      }),
      pagination: reportFields.pagination(t),
      dateRange: reportFields.dateRange(t),
    }),
  })

report('promptFanout', {
  type: promptReport,
  description:
    'What platforms searched for before they answered one prompt. Needs a plan with query fanout.',
  problems: ['plan_upgrade_required'],
  args: {
    promptId: builder.args((t) => ({
      promptId: t.id({ required: true, description: 'Id of the prompt.' }),
    })).promptId,
    ...windowArgsOf(fanoutWindow),
    ...fanoutPage,
  },
  resolve: (scope, args) => promptFanout(scope, args as typeof args & PromptFanoutArgs),
})
