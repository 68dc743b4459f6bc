import type { SeenBrand } from '../../core/text/seen-brands.ts'
import {
  answersRead,
  mostSuggested,
  type SuggestedCompetitors,
  suggestedCompetitors,
} from '../../resolvers/competitors/seen.ts'
import { inGraph } from '../kit/args.ts'
import { builder } from '../kit/builder.ts'
import { filterInput } from '../kit/inputs.ts'
import { report } from '../kit/report.ts'

const suggestedCompetitor = builder.objectRef<SeenBrand>('SuggestedCompetitor').implement({
  description: 'A brand that answers list and that the project does not track.',
  fields: (t) => ({
    name: t.exposeString('name', {
      description: 'Name of the brand in its most frequent spelling.',
    }),
    domain: t.exposeString('domain', {
      nullable: true,
      description: 'Cited domain that is named like the brand; null where the answers cite none.',
    }),
    answerCount: t.expose('answers', {
      type: 'Int',
      description: 'Answers, of those read, that would mention the brand if it were tracked.',
    }),
  }),
})

const ofDismissed = 'True: only those that somebody dismissed. Default: all others.'

filterInput('SuggestedCompetitorFilter', {
  rows: 'Suggested competitors',
  own: { isDismissed: (t) => t.boolean({ description: ofDismissed }) },
})

report('suggestedCompetitors', {
  type: builder.objectRef<SuggestedCompetitors>('SuggestedCompetitors').implement({
    description: 'Brands that the newest answers list and that the project does not track.',
    fields: (t) => ({
      answersRead: t.expose('answersRead', {
        type: 'Int',
        description: `Newest answers that were read, at most ${answersRead}.`,
      }),
      dismissedCount: t.expose('dismissedCount', {
        type: 'Int',
        description: 'Brands that somebody dismissed as no competitors.',
      }),
      competitors: t.field({
        type: [suggestedCompetitor],
        description: `The brands, the most mentioned first, at most ${mostSuggested}.`,
        resolve: ({ competitors }) => [...competitors],
      }),
    }),
  }),
  description:
    'Brands worth tracking as competitors: names in front of list items, headings and rows of at least two of the newest answers, found by rule.',
  args: {
    ...builder.args((t) => ({
      answers: t.field({
        type: 'Int',
        description: 'Newest answers to read.',
        extensions: { param: { min: 1, max: answersRead, clamp: true, default: answersRead } },
      }),
    })),
    ...inGraph(
      builder.args((t) => ({ isDismissed: t.boolean({ description: ofDismissed }) })),
      {
        filter: 'isDismissed',
      },
    ),
  },
  resolve: (scope, { answers, isDismissed }) =>
    suggestedCompetitors(scope, scope.project.id, {
      limit: answers ?? answersRead,
      isDismissed: isDismissed ?? false,
    }),
})
