import type { Command } from 'commander'
import { describeChange } from '../change.ts'
import { commandGroup, example, projectCommand } from '../options.ts'
import { perform } from '../run.ts'
import { withStores } from '../stores.ts'

const links = {
  'web-analytics': {
    kind: 'webAnalytics',
    description: 'disconnect the Google Analytics property, and remove its rows',
  },
  'search-console': {
    kind: 'searchConsole',
    description: 'disconnect the Search Console site, and remove its rows',
  },
  bing: {
    kind: 'bingWebmaster',
    description: 'disconnect the site of Bing Webmaster Tools, and remove its rows',
  },
} as const

/** Ends the links that imports and pulls of reports make. */
export function addDisconnect(program: Command): void {
  const parent = commandGroup(
    program,
    'disconnect',
    'disconnect a source of Google or Bing, so that a project can use another',
    'disconnect search-console --project 8c1e…',
  )
  for (const name of ['web-analytics', 'search-console', 'bing'] as const) {
    const { kind, description } = links[name]
    projectCommand(parent, name)
      .description(description)
      .addHelpText('after', example(`disconnect ${name} --project 8c1e…`))
      .action(
        perform<{ project: string }>(async (context, options) => {
          const [{ removeLinked }, { commandLine }] = await Promise.all([
            import('../../imports/loads/removal.ts'),
            import('../../resolvers/shared/audit-trail.ts'),
          ])
          const project = options.project.toLowerCase()
          const change = await withStores(context, (stores) =>
            removeLinked(stores, commandLine, project, kind),
          )
          const json = { id: change.subjectId, changed: change.changed }
          return { json, text: describeChange('Disconnected', json) }
        }),
      )
  }
}
