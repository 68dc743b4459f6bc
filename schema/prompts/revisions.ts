import { restorationBody } from '../../core/prompt-input.ts'
import { restorePromptWording } from '../../resolvers/prompts/change.ts'
import { builder } from '../kit/builder.ts'
import { promptMutation } from './update.ts'

promptMutation('restorePromptWording', {
  description: 'Restores the wording of a prompt from an earlier revision.',
  args: builder.args((t) => ({
    revision: t.field({
      type: 'Int',
      required: true,
      description: 'Number of the revision whose wording is restored.',
    }),
  })),
  body: restorationBody,
  write: restorePromptWording,
})
