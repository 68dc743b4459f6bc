import {
  type CollectingCost,
  collectingCosts,
  type PromptCost,
  type ProviderCost,
} from '../../resolvers/collecting/cost.ts'
import { batched } from '../../resolvers/shared/batch.ts'
import { windowArgs } from '../kit/args.ts'
import { builder } from '../kit/builder.ts'
import { answerProvider } from '../kit/method/providers.ts'
import { report } from '../kit/report.ts'
import { type FieldsOf, reportFields } from '../kit/report-fields.ts'

const costFields = <Row extends ProviderCost | PromptCost>(t: FieldsOf<Row>) => ({
  questions: t.field({
    type: 'Int',
    description: 'Questions that ended in the window.',
    resolve: (row: Row) => row.questions,
  }),
  unpriced: t.field({
    type: 'Int',
    description: 'Questions without a known cost, which count as 0.',
    resolve: (row: Row) => row.unpriced,
  }),
  cost: t.float({
    description: 'Cost of the questions, in US dollars.',
    resolve: (row: Row) => row.cost,
  }),
})

const providerCost = builder.objectRef<ProviderCost>('ProviderCost').implement({
  description: 'Cost of the questions to one model of a provider.',
  fields: (t) => ({
    provider: t.field({
      type: answerProvider,
      description: 'Provider that was asked.',
      resolve: ({ provider }) => provider,
    }),
    model: t.exposeString('model', { description: 'Model that was asked.' }),
    ...costFields(t),
  }),
})

export const promptCost = builder.objectRef<PromptCost>('PromptCost').implement({
  description: 'Cost of the questions with one prompt.',
  fields: (t) => ({
    text: t.exposeString('prompt', { description: 'Text that was asked last.' }),
    ...costFields(t),
  }),
})

report('collectingCost', {
  type: builder.objectRef<CollectingCost>('CollectingCost').implement({
    description: 'Cost of questions to AI assistants, in US dollars.',
    fields: (t) => ({
      questions: t.expose('questions', {
        type: 'Int',
        description: 'Questions that ended in the window.',
      }),
      cost: t.exposeFloat('cost', {
        description: 'Cost of all questions that ended in the window, in US dollars.',
      }),
      providers: t.field({
        type: [providerCost],
        description: 'Cost by provider and model, the largest first.',
        resolve: ({ providers }) => [...providers],
      }),
      prompts: t.field({
        type: [promptCost],
        description: 'Cost by prompt, the largest first.',
        resolve: ({ prompts }) => [...prompts],
      }),
      dateRange: reportFields.dateRange(t),
    }),
  }),
  description: 'Cost of questions to AI assistants, by provider and by prompt.',
  args: windowArgs,
  resolve: (scope, args) => batched('collectingCost', scope, args, collectingCosts),
})
