import type { Excerpt } from '../../core/text/excerpt.ts'
import { snippetsOf } from '../../resolvers/answers/snippets.ts'
import { together } from '../kit/batch.ts'
import { builder } from '../kit/builder.ts'
import { answerRow } from './answers.ts'

const snippet = builder.objectRef<Excerpt>('AnswerSnippet').implement({
  description: 'A short part of the text of an answer, without Markdown.',
  fields: (t) => ({
    text: t.exposeString('text', {
      description: 'At most 240 characters, and `…` where the answer continues.',
    }),
    start: t.field({
      type: 'Int',
      nullable: true,
      description: 'Index in `text` of the hit, in UTF-16 units; null without one.',
      resolve: ({ span }) => span?.start,
    }),
    end: t.field({
      type: 'Int',
      nullable: true,
      description: 'Index in `text` after the hit, in UTF-16 units; null without one.',
      resolve: ({ span }) => span?.end,
    }),
  }),
})

builder.objectField(answerRow, 'snippet', (t) =>
  t.field({
    type: snippet,
    view: 'graph',
    description:
      'The text around the first hit of `search`, else around the first mention of a filtered brand or of the own brand, else the beginning.',
    resolve: (answer, _args, context) =>
      together(context, 'answer.snippet', answer, {}, (answers) =>
        snippetsOf(context.services.db, answers),
      ),
  }),
)
