import type { Command } from 'commander'
import { perform } from '../run.ts'

export function addServe(program: Command): void {
  program
    .command('serve')
    .summary('run the whole service (npm start)')
    .description(
      'Runs PostgreSQL, the warehouse, the API and the tracker, and starts again what falls. The first start makes a demo ' +
        'project to look at; SIGHTLINE_DEMO=0 leaves it out. With DATABASE_URL or CLICKHOUSE_URL it uses ' +
        'servers of yours instead of its own. With --json it prints one object when it is ready.',
    )
    .addHelpText(
      'after',
      '\nExample:\n  $ PORT=8080 DATA_DIR=/var/lib/sightline npx sightline serve',
    )
    .action(
      perform(async (context) => {
        const { supervise } = await import('../service/supervisor.ts')
        await supervise(context)
        return undefined
      }),
    )
}
