import type { OpinionSentence } from '../../core/text/tone/sentences.ts'
import { opinionsOfAnswers } from '../../resolvers/answers/opinions.ts'
import { together } from '../kit/batch.ts'
import { builder } from '../kit/builder.ts'
import { withInputNames } from '../kit/inputs.ts'
import { answerRow, tone } from './answers.ts'

const sentence = builder.objectRef<OpinionSentence>('OpinionSentence').implement({
  description: 'A sentence of an answer that praises or criticizes a brand.',
  fields: (t) => ({
    text: t.exposeString('text', {
      description: 'The sentence without Markdown, at most 300 characters.',
    }),
    sentiment: t.expose('tone', {
      type: tone,
      description: 'Whether the sentence speaks well or badly of the brand.',
    }),
  }),
})

builder.objectField(answerRow, 'opinions', (t) =>
  t.field({
    type: [sentence],
    view: 'graph',
    description:
      'At most five sentences that speak well or badly of a brand, strongest first: what the lexicon rates the answer by. Empty where the answer has no sentiment about the brand.',
    args: { brandId: t.arg.id({ description: 'Id of the brand; the own brand unless given.' }) },
    resolve: (answer, args, context) =>
      withInputNames(
        () =>
          together(context, 'answer.opinions', answer, args, (answers, given) =>
            opinionsOfAnswers(context.services.db, answers, given),
          ),
        {},
        args,
      ),
  }),
)
