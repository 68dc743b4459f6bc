import { type PromptListArgs, prompts } from '../resolvers/prompts.ts'
import { pageArgs } from './args.ts'
import { report } from './builder.ts'
import { listArgs, promptList } from './prompts.ts'

report('untrackedPrompts', {
  type: promptList,
  description: 'The archived prompts of a project, newest first.',
  args: { search: listArgs.search, ...pageArgs({ default: 50, max: 1000 }) },
  resolve: (scope, args) =>
    prompts(scope, { ...(args as typeof args & PromptListArgs), isTracked: false }),
})
