import type { Excerpt } from '../../core/text/excerpt.ts'
import { snippetsOf } from '../../resolvers/answers/snippets.ts'
import { together } from '../kit/batch.ts'
import { builder } from '../kit/builder.ts'
import { answerRow } from './answers.ts'

const snippet = builder.objectRef<Excerpt>('AnswerSnippet').implement({
  description: 'A short part of the text of an answer, without Markdown.',
  fields: (t) => ({
    text: t.exposeString('text', {
      description: 'At most 240 characters, and `…` where the answer goes on.',
    }),
    start: t.field({
      type: 'Int',
      nullable: true,
      description:
        'Index in `text` of the first UTF-16 code unit of the hit; null where the answer has none.',
      resolve: ({ span }) => span?.start,
    }),
    end: t.field({
      type: 'Int',
      nullable: true,
      description:
        'Index in `text` after the last UTF-16 code unit of the hit; null where the answer has none.',
      resolve: ({ span }) => span?.end,
    }),
  }),
})

builder.objectField(answerRow, 'snippet', (t) =>
  t.field({
    type: snippet,
    view: 'graph',
    description:
      'The part of the text that shows why a list has the answer: around the first hit of `search` of the list. Without one, around the first mention of a brand of its filters, else of the own brand. Else the beginning of the answer.',
    resolve: (answer, _args, context) =>
      together(context, 'answer.snippet', answer, {}, (answers) =>
        snippetsOf(context.services.db, answers),
      ),
  }),
)
