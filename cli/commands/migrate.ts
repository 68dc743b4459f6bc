import type { Command } from 'commander'
import { perform } from '../run.ts'
import { migrate, openEngines, ownCommand } from '../stores.ts'

export function addMigrate(program: Command): void {
  program
    .command('migrate')
    .summary('bring the tables up to date')
    .description(
      'Brings the tables of both stores up to date. Each start does that too; alone it is for servers of yours, ' +
        'before a new version is rolled out.',
    )
    .addHelpText('after', '\nExample:\n  $ DATABASE_URL=postgresql://… npx sightline migrate')
    .action(
      perform(async (context) => {
        const about = { command: ownCommand(), temporary: true }
        const engines = await openEngines(context, ['catalog', 'warehouse'], about)
        const applied = await migrate(engines).finally(engines.close)
        const names = [...applied.catalog, ...applied.warehouse]
        const text = names.length > 0 ? `Applied:\n  ${names.join('\n  ')}` : 'Nothing to do.'
        return { json: { applied }, text }
      }),
    )
}
