import { type PromptListArgs, prompts } from '../../resolvers/prompts/prompts.ts'
import { pageArgs } from '../kit/args.ts'
import { report } from '../kit/builder.ts'
import { listArgs, promptList } from './prompts.ts'

report('untrackedPrompts', {
  type: promptList,
  description: 'The archived prompts of a project, newest first.',
  args: { search: listArgs.search, ...pageArgs({ default: 50, max: 1000 }) },
  resolve: (scope, args) =>
    prompts(scope, { ...(args as typeof args & PromptListArgs), isTracked: false }),
})
