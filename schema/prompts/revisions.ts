import { restorationBody } from '../../core/prompt-input.ts'
import { restorePromptWording } from '../../resolvers/prompts/revisions.ts'
import { builder } from '../kit/builder.ts'
import { promptMutation } from './update.ts'

promptMutation('restorePromptWording', {
  description: 'Gives a prompt the wording that it had at a revision; the rest stays as it is.',
  args: builder.args((t) => ({
    revision: t.field({
      type: 'SafeInt',
      required: true,
      description: 'The revision whose wording is wanted.',
    }),
  })),
  body: restorationBody,
  write: restorePromptWording,
})
