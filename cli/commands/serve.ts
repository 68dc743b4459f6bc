import type { Command } from 'commander'
import { example } from '../options.ts'
import { perform } from '../run.ts'

export function addServe(program: Command): void {
  program
    .command('serve')
    .description('run the whole service, as `npm start` does')
    .addHelpText(
      'after',
      example(
        'serve',
        'The service is PostgreSQL, the warehouse, the API, the worker and the tracker. A part that dies is restarted.\n' +
          'DATABASE_URL and CLICKHOUSE_URL replace PostgreSQL and the warehouse by servers of your own.\n' +
          'The first start creates a demo project, unless SIGHTLINE_DEMO=0.\n' +
          'With --json, the service prints one object when it is ready.',
      ).replace('$ ', '$ PORT=8080 DATA_DIR=/var/lib/sightline '),
    )
    .action(
      perform(async (context) => {
        const { supervise } = await import('../service/supervisor.ts')
        await supervise(context)
        return undefined
      }),
    )
}
