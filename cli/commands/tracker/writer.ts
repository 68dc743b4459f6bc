import type { Command } from 'commander'
import { fieldSentence } from '../../../core/rule-text.ts'
import { type Settings, SettingsError } from '../../../core/settings.ts'
import { openPartLog, print } from '../../../observability/part-log.ts'
import { makeDataDir, readSecrets } from '../../folder/data-dir.ts'
import { lockDataDir } from '../../folder/data-dir-lock.ts'
import { example } from '../../options.ts'
import { type Context, perform } from '../../run.ts'
import { startTrackerWriter } from '../../service/tracking.ts'
import { stopSignal } from '../../signals.ts'
import { ownCommand } from '../../stores.ts'

/** The writer alone, for more than one machine. It logs to standard error. */
export function addTrackerWriter(program: Command): void {
  program
    .command('tracker-writer')
    .description('copy events from NATS to the warehouse')
    .addHelpText(
      'after',
      example(
        'tracker-writer',
        'Several writers share the events. When a writer dies, another one takes its part within 10 seconds.\n' +
          'The writer needs a DATA_DIR of its own.',
      ).replace('$ ', '$ NATS_URL=nats://… CLICKHOUSE_URL=http://… '),
    )
    .action(perform(runWriter))
}

async function runWriter({ settings, dataDir, asJson }: Context): Promise<undefined> {
  const clickhouseUrl = Promise.resolve(warehouseOf(settings))
  await makeDataDir(dataDir)
  const secrets = await readSecrets(dataDir)
  const lock = await lockDataDir(dataDir, secrets, ownCommand())
  const log = openPartLog({ name: 'tracker-writer', level: settings.LOG_LEVEL, fd: 2 })
  try {
    lock.publish({ elsewhere: ['catalog', 'warehouse'] })
    const warn = (message: string) => log.warn(message)
    const given = { settings, dataDir, secrets, clickhouseUrl }
    const kept = await startTrackerWriter({ ...given, log, stdout: 2, warn, publish: lock.publish })
    try {
      const text = 'The tracker writer waits for events (Ctrl-C stops it)'
      print(1, `${asJson ? JSON.stringify({ pid: process.pid }) : text}\n`)
      await Promise.race([stopSignal(), kept.givenUp])
    } finally {
      await kept.stop()
    }
  } finally {
    await lock.release()
  }
}

function warehouseOf({ NATS_URL, CLICKHOUSE_URL }: Settings): string {
  if (NATS_URL !== undefined && CLICKHOUSE_URL !== undefined) return CLICKHOUSE_URL
  const missing = Object.entries({ NATS_URL, CLICKHOUSE_URL })
    .filter(([, value]) => value === undefined)
    .map(([name]) => fieldSentence(name, 'must be set for a tracker writer alone'))
  throw new SettingsError(missing)
}
