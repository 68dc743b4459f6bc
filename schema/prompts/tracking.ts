import { type trackingActions, trackingBody } from '../../core/prompt-input.ts'
import { setPromptTracking } from '../../resolvers/prompts/change.ts'
import { type PromptListArgs, prompts } from '../../resolvers/prompts/prompts.ts'
import { pageArgs } from '../kit/args.ts'
import { builder } from '../kit/builder.ts'
import { report } from '../kit/report.ts'
import { listArgs, promptList } from './prompts.ts'
import { promptMutation } from './update.ts'

export const trackingAction = builder.enumType('PromptTrackingAction', {
  description: 'A change to the tracking of a prompt.',
  values: {
    archive: { description: 'Stops tracking the prompt, which frees one of the allowance.' },
    restore: { description: 'Tracks the prompt again, if the allowance has room.' },
  } satisfies Record<(typeof trackingActions)[number], object>,
})

promptMutation('setPromptTracking', {
  description: 'Archives a prompt or tracks it again. Reports keep counting its answers.',
  args: builder.args((t) => ({
    action: t.field({
      type: trackingAction,
      required: true,
      description: 'Whether to archive or restore the prompt.',
    }),
  })),
  body: trackingBody,
  problems: ['quota_exceeded'],
  write: setPromptTracking,
})

report('untrackedPrompts', {
  view: 'rest',
  ...promptList,
  description: 'Archived prompts of a project, newest first.',
  args: { search: listArgs.search, ...pageArgs({ default: 50, max: 1000 }) },
  resolve: (scope, args) =>
    prompts(scope, { ...(args as typeof args & PromptListArgs), isTracked: false }),
})
