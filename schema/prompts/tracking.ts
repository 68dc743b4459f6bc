import { type trackingActions, trackingBody } from '../../core/prompt-input.ts'
import { type PromptListArgs, prompts } from '../../resolvers/prompts/prompts.ts'
import { setPromptTracking } from '../../resolvers/prompts/tracking.ts'
import { pageArgs } from '../kit/args.ts'
import { builder, report } from '../kit/builder.ts'
import { listArgs, promptList } from './prompts.ts'
import { promptMutation } from './update.ts'

const trackingAction = builder.enumType('PromptTrackingAction', {
  description: 'What to do to the tracking of a prompt.',
  values: {
    archive: { description: 'Asks it no more, and frees its place in the allowance.' },
    restore: { description: 'Asks it again, if the allowance has a place.' },
  } satisfies Record<(typeof trackingActions)[number], object>,
})

promptMutation('setPromptTracking', {
  description:
    'Archives a prompt, or tracks it again; its answers stay counted either way. Doing it twice changes nothing.',
  args: builder.args((t) => ({
    action: t.field({ type: trackingAction, required: true, description: 'Which of the two.' }),
  })),
  body: trackingBody,
  problems: ['quota_exceeded'],
  write: setPromptTracking,
})

report('untrackedPrompts', {
  type: promptList,
  description: 'The archived prompts of a project, newest first.',
  args: { search: listArgs.search, ...pageArgs({ default: 50, max: 1000 }) },
  resolve: (scope, args) =>
    prompts(scope, { ...(args as typeof args & PromptListArgs), isTracked: false }),
})
