import type { Command } from 'commander'
import { perform } from '../run.ts'
import { withStores } from '../stores.ts'
import { example, ofProject, sayChange } from './change.ts'

const links = {
  'web-analytics': { kind: 'webAnalytics', table: 'web_analytics', what: 'the property' },
  'search-console': { kind: 'searchConsole', table: 'search_console', what: 'the site' },
} as const

/** Ends the links that imports and pulls of a report make. */
export function addUnlink(program: Command): void {
  const parent = program.command('unlink').description('Ends a link, and removes what came by it')
  for (const name of ['web-analytics', 'search-console'] as const) {
    const { kind, table, what } = links[name]
    ofProject(parent, name)
      .description(
        `Ends the link to ${what}, and removes the rows that were imported, so that another can be linked.`,
      )
      .addHelpText('after', example(`unlink ${name} --project 8c1e…`))
      .action(
        perform<{ project: string }>(async (context, options) => {
          const [{ removeLinked }, { unlinkAnalytics }, { commandLine }] = await Promise.all([
            import('../../imports/loads/unlink.ts'),
            import('../../resolvers/connections/analytics.ts'),
            import('../../resolvers/shared/audit-trail.ts'),
          ])
          const project = options.project.toLowerCase()
          const outcome = await withStores(context, (stores) =>
            removeLinked(stores, project, table, () =>
              unlinkAnalytics(stores.db, commandLine, project, kind),
            ),
          )
          const json = { id: outcome?.subjectId ?? project, changed: outcome?.changed ?? false }
          return { json, text: sayChange('Unlinked', json) }
        }),
      )
  }
}
