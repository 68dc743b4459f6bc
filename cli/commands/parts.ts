import type { AddressInfo } from 'node:net'
import type { Command } from 'commander'
import pino from 'pino'
import { CliError } from '../errors.ts'
import { makeDataDir, readSecrets } from '../folder/data-dir.ts'
import { holdFolder } from '../folder/holder.ts'
import { type Context, perform } from '../run.ts'
import { drainOf } from '../service/drain.ts'
import { startWarehouse } from '../service/engines.ts'
import { listen, urlOf } from '../service/front.ts'
import { keepRunning } from '../service/keep-running.ts'
import { onStopSignals } from '../signals.ts'
import { migrate, openEngines, ownCommand } from '../stores.ts'

/** The parts of the service alone, for more than one machine. They log to standard error. */
export function addParts(program: Command): void {
  program
    .command('api')
    .summary('run the API alone')
    .description(
      'Listens on HOST:PORT and works with the servers of DATABASE_URL and CLICKHOUSE_URL, or with the ' +
        'engines that run on DATA_DIR. Several of them may share the same servers.',
    )
    .addHelpText(
      'after',
      '\nExample:\n  $ DATABASE_URL=postgresql://… CLICKHOUSE_URL=http://… npx sightline api',
    )
    .action(perform(runApi))
  program
    .command('warehouse')
    .summary('run the warehouse alone')
    .description(
      'Serves the warehouse of DATA_DIR on HOST as ClickHouse does, for APIs on other machines: they reach it ' +
        'by CLICKHOUSE_URL, with the warehousePassword of secrets.json. It needs a DATA_DIR of its own.',
    )
    .option('--port <port>', 'where it listens', '8123')
    .addHelpText('after', '\nExample:\n  $ HOST=10.0.0.5 npx sightline warehouse --port 8123')
    .action(perform(runWarehouse))
}

async function runApi(context: Context): Promise<undefined> {
  const { settings } = context
  const about = { command: ownCommand(), temporary: true }
  const engines = await openEngines(context, ['catalog', 'warehouse'], about)
  try {
    await migrate(engines)
    const { startApi } = await import('../../server.ts')
    const log = pino({ name: 'api', level: settings.LOG_LEVEL }, pino.destination(2))
    const api = await startApi({ settings, log, ...engines })
    const drain = drainOf(api.server)
    await listen(api.server, settings.HOST, settings.PORT)
    const { port } = api.server.address() as AddressInfo
    tell(context, 'The API', { url: settings.PUBLIC_URL ?? urlOf(settings.HOST, port) })
    await stopSignal()
    api.server.close()
    await drain()
    await api.close()
  } finally {
    await engines.close()
  }
}

async function runWarehouse(context: Context, options: { port: string }): Promise<undefined> {
  const { dataDir, settings } = context
  const port = Number(options.port)
  if (!Number.isInteger(port) || port < 0 || port > 65535) {
    throw new CliError('usage', '--port: must be a number from 0 to 65535', { exitCode: 2 })
  }
  await makeDataDir(dataDir)
  const secrets = await readSecrets(dataDir)
  const hold = await holdFolder(dataDir, secrets, ownCommand())
  const log = pino({ name: 'warehouse', level: settings.LOG_LEVEL }, pino.destination(2))
  const kept = await keepRunning({
    name: 'The warehouse',
    start: () => startWarehouse({ dataDir, secrets, log, stdout: 2, port, host: settings.HOST }),
    onUp: (engine) => hold.tell({ warehouse: { pid: engine.pid, port: engine.port } }),
    warn: (message) => log.warn(message),
  })
  try {
    tell(context, 'The warehouse', { url: urlOf(settings.HOST, kept.current()?.port ?? port) })
    await Promise.race([stopSignal(), kept.givenUp])
  } finally {
    await kept.stop()
    await hold.release()
  }
}

/** Tells where a part answers. */
export function tell({ asJson }: Context, name: string, about: { url: string }): void {
  const text = `${name} answers at ${about.url} (Ctrl-C stops it)`
  process.stdout.write(`${asJson ? JSON.stringify(about) : text}\n`)
}

/** Resolves when the command is to stop. A second signal ends it at once. */
export function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    onStopSignals(
      () => resolve(),
      () => process.exit(130),
    )
  })
}
