import { type AnswerPlace, placesOfAnswers } from '../../resolvers/answers/places.ts'
import { together } from '../kit/batch.ts'
import { builder } from '../kit/builder.ts'
import { answerRow } from './answers.ts'

export const answerPlace = builder.objectRef<AnswerPlace>('AnswerPlace').implement({
  description: 'A part of the text of an answer that names a tracked brand.',
  fields: (t) => ({
    start: t.expose('start', {
      type: 'Int',
      description: 'Index of the first UTF-16 code unit of the name in `text`, from 0.',
    }),
    end: t.expose('end', {
      type: 'Int',
      description: 'Index after the last UTF-16 code unit of the name in `text`.',
    }),
  }),
})

builder.objectField(answerRow, 'places', (t) =>
  t.field({
    type: [answerPlace],
    view: 'graph',
    description:
      'The first thousand places where the text mentions tracked brands, by the names of now; `mentions` may differ until the next recount.',
    resolve: (answer, _args, context) =>
      together(context, 'answer.places', answer, {}, (answers) =>
        placesOfAnswers(context.services.db, answers),
      ),
  }),
)
