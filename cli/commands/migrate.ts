import type { Command } from 'commander'
import { example } from '../options.ts'
import { perform } from '../run.ts'
import { migrate, openEngines, ownCommand } from '../stores.ts'

export function addMigrate(program: Command): void {
  program
    .command('migrate')
    .description('migrate the tables of both stores')
    .addHelpText(
      'after',
      example(
        'migrate',
        'Each start migrates too. Run this command for servers of your own before you roll out a version.',
      ).replace('$ ', '$ DATABASE_URL=postgresql://… '),
    )
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
