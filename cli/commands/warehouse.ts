import type { Command } from 'commander'
import { openPartLog } from '../../observability/part-log.ts'
import { announce } from '../banner.ts'
import { CliError } from '../errors.ts'
import { makeDataDir, readSecrets } from '../folder/data-dir.ts'
import { lockDataDir } from '../folder/data-dir-lock.ts'
import { lacksRoom } from '../folder/room.ts'
import { example } from '../options.ts'
import { type Context, perform } from '../run.ts'
import { startWarehouse } from '../service/engines.ts'
import { keepRunning } from '../service/keep-running.ts'
import { urlOf } from '../service/listener.ts'
import { stopSignal } from '../signals.ts'
import { ownCommand } from '../stores.ts'

/** The warehouse alone, for more than one machine. It logs to standard error. */
export function addWarehouse(program: Command): void {
  program
    .command('warehouse')
    .description('run only the warehouse, for APIs on other machines')
    .option('--port <port>', 'listen on this port of HOST', '8123')
    .addHelpText(
      'after',
      example(
        'warehouse --port 8123',
        'The APIs reach it by CLICKHOUSE_URL, with the warehousePassword of secrets.json.\n' +
          'The warehouse needs a DATA_DIR of its own.',
      ).replace('$ ', '$ HOST=10.0.0.5 '),
    )
    .action(perform(runWarehouse))
}

async function runWarehouse(context: Context, options: { port: string }): Promise<undefined> {
  const { dataDir, settings } = context
  const port = Number(options.port)
  if (!Number.isInteger(port) || port < 0 || port > 65535) {
    const message = `\`--port\` must be a whole number from 0 to 65535; got \`${options.port}\`.`
    throw new CliError('usage', message, { exitCode: 2 })
  }
  await makeDataDir(dataDir)
  const secrets = await readSecrets(dataDir)
  const lock = await lockDataDir(dataDir, secrets, ownCommand())
  const log = openPartLog({ name: 'warehouse', level: settings.LOG_LEVEL, fd: 2 })
  const kept = await keepRunning({
    name: 'The warehouse',
    start: () => startWarehouse({ dataDir, secrets, log, stdout: 2, port, host: settings.HOST }),
    onUp: (engine) => lock.publish({ warehouse: { pid: engine.pid, port: engine.port } }),
    warn: (message) => log.warn(message),
    isDiskFull: () => lacksRoom(dataDir.path),
  }).catch(async (error: Error) => {
    await lock.release()
    if (!error.message.includes('EADDRINUSE')) throw error
    const message = `Port ${port} on ${settings.HOST} is in use by another program. Choose another with \`--port\`.`
    throw new CliError('port_in_use', message)
  })
  try {
    announce(context, 'The warehouse', { url: urlOf(settings.HOST, kept.current()?.port ?? port) })
    await Promise.race([stopSignal(), kept.givenUp])
  } finally {
    await kept.stop()
    await lock.release()
  }
}
