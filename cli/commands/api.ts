import type { AddressInfo } from 'node:net'
import type { Command } from 'commander'
import { announce } from '../banner.ts'
import { example } from '../options.ts'
import { type Context, perform } from '../run.ts'
import { drainOf, listen, refuseSamePorts, urlOf } from '../service/listener.ts'
import { type Observed, observeAlone } from '../service/observed.ts'
import { stopSignal } from '../signals.ts'
import { type Engines, migrate, openEngines, ownCommand } from '../stores.ts'

/** The API alone, for more than one machine. It logs to standard error. */
export function addApi(program: Command): void {
  program
    .command('api')
    .description('run only the API, on HOST:PORT')
    .addHelpText(
      'after',
      example(
        'api',
        'The API uses the servers of DATABASE_URL and CLICKHOUSE_URL, or the engines that run on DATA_DIR.\n' +
          'Several APIs may share the same servers.',
      ).replace('$ ', '$ DATABASE_URL=postgresql://… CLICKHOUSE_URL=http://… '),
    )
    .action(perform(runApi))
}

async function runApi(context: Context): Promise<undefined> {
  const { settings } = context
  refuseSamePorts(settings, ['PORT', 'METRICS_PORT'])
  const about = { command: ownCommand(), temporary: true }
  const engines = await openEngines(context, ['catalog', 'warehouse'], about)
  try {
    await migrate(engines)
    const observed = await observeAlone('api', settings)
    try {
      await serve(context, engines, observed)
    } finally {
      await observed.stop()
    }
  } finally {
    await engines.close()
  }
}

async function serve(
  context: Context,
  engines: Engines,
  { log, metrics }: Observed,
): Promise<void> {
  const { settings } = context
  const { startApi } = await import('../../server.ts')
  const api = await startApi({ settings, log, metrics, ...engines })
  const drain = drainOf(api.server)
  await listen(api.server, settings.HOST, settings.PORT)
  const { port } = api.server.address() as AddressInfo
  announce(context, 'The API', { url: settings.PUBLIC_URL ?? urlOf(settings.HOST, port) })
  await stopSignal()
  api.server.close()
  await drain()
  await api.close()
}
