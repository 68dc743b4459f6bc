import type { Command } from 'commander'
import { print } from '../../observability/part-log.ts'
import { example } from '../options.ts'
import { type Context, perform } from '../run.ts'
import { observeAlone } from '../service/observed.ts'
import { stopSignal } from '../signals.ts'
import { migrate, openEngines, ownCommand } from '../stores.ts'

/** The worker alone, for more than one machine. It logs to standard error. */
export function addWorker(program: Command): void {
  program
    .command('worker')
    .description('run only the worker: audits, reports, sitemaps, opportunities')
    .addHelpText(
      'after',
      example(
        'worker',
        'The worker uses the servers of DATABASE_URL and CLICKHOUSE_URL, or the engines that run on DATA_DIR.\n' +
          'Several workers share the jobs. A job of a worker that dies goes to another one within 30 seconds.\n' +
          'A stop signal gives running jobs 8 seconds. Unfinished jobs go back to their queue.',
      ).replace('$ ', '$ DATABASE_URL=postgresql://… CLICKHOUSE_URL=http://… '),
    )
    .action(perform(runWorker))
}

async function runWorker(context: Context): Promise<undefined> {
  const { settings, dataDir, asJson } = context
  const about = { command: ownCommand(), temporary: true }
  const engines = await openEngines(context, ['catalog', 'warehouse'], about)
  try {
    await migrate(engines)
    const [{ openWorker }, { workerSources }] = await Promise.all([
      import('../../worker/open-worker.ts'),
      import('../worker-sources.ts'),
    ])
    const { databaseUrl, clickhouseUrl, secrets } = engines
    const { log, metrics, stop } = await observeAlone('worker', settings)
    try {
      const worker = await openWorker({
        settings,
        secrets,
        databaseUrl,
        clickhouseUrl,
        log,
        metrics,
        ...workerSources(dataDir, settings),
      })
      const text = 'The worker waits for jobs (Ctrl-C stops it)'
      print(1, `${asJson ? JSON.stringify({ pid: process.pid }) : text}\n`)
      await stopSignal()
      await worker.stop()
    } finally {
      await stop()
    }
  } finally {
    await engines.close()
  }
}
