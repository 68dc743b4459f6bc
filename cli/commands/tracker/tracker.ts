import type { Command } from 'commander'
import { fieldSentence } from '../../../core/rule-text.ts'
import { type Settings, SettingsError } from '../../../core/settings.ts'
import { openPartLog } from '../../../observability/part-log.ts'
import { announce } from '../../banner.ts'
import { makeDataDir, readSecrets } from '../../folder/data-dir.ts'
import { lockDataDir } from '../../folder/data-dir-lock.ts'
import { example } from '../../options.ts'
import { type Context, perform } from '../../run.ts'
import type { Front } from '../../service/front.ts'
import { openTrackerFront, startTracking, type Tracking } from '../../service/tracking.ts'
import { stopSignal } from '../../signals.ts'
import { ownCommand } from '../../stores.ts'

/** The tracker alone, for machines that only collect. */
export function addTracker(program: Command): void {
  program
    .command('tracker')
    .description('run only the tracker, on HOST:TRACKER_PORT')
    .addHelpText(
      'after',
      example(
        'tracker',
        'The tracker stores traffic events in DATA_DIR and writes them to the warehouse of CLICKHOUSE_URL.\n' +
          'It takes events while CLICKHOUSE_URL or DATABASE_URL does not answer.\n' +
          'It accepts keys and tokens signed by the signingSecrets of its secrets.json.\n' +
          'The tracker needs a DATA_DIR of its own.\n' +
          'With NATS_URL, events go to NATS, and CLICKHOUSE_URL may be absent: see `sightline tracker-writer`.',
      ).replace('$ ', '$ DATABASE_URL=postgresql://… CLICKHOUSE_URL=http://… '),
    )
    .action(perform(runTracker))
}

async function runTracker(context: Context): Promise<undefined> {
  const { settings, dataDir } = context
  const { databaseUrl, clickhouseUrl } = urlsOf(settings)
  await makeDataDir(dataDir)
  const secrets = await readSecrets(dataDir)
  const lock = await lockDataDir(dataDir, secrets, ownCommand())
  const log = openPartLog({ name: 'tracker', level: settings.LOG_LEVEL, fd: 2 })
  try {
    const front = await openTrackerFront(settings)
    lock.publish({ trackerUrl: front.url, elsewhere: ['catalog', 'warehouse'] })
    const urls = {
      databaseUrl: Promise.resolve(databaseUrl),
      ...(clickhouseUrl ? { clickhouseUrl: Promise.resolve(clickhouseUrl) } : {}),
    }
    const warn = (message: string) => log.warn(message)
    const given = { settings, dataDir, secrets, front, ...urls }
    const tracking = startTracking({ ...given, log, stdout: 2, warn, publish: lock.publish })
    await runUntilStopped(context, tracking, front)
  } finally {
    await lock.release()
  }
}

async function runUntilStopped(context: Context, tracking: Tracking, front: Front): Promise<void> {
  const parts = [...tracking.trackers, ...(tracking.writer ? [tracking.writer] : [])]
  try {
    const kept = await Promise.all(parts)
    announce(context, 'The tracker', { url: front.url })
    await Promise.race([stopSignal(), ...kept.map(({ givenUp }) => givenUp)])
  } finally {
    await front.close()
    for (const part of parts) await (await part.catch(() => undefined))?.stop()
  }
}

function urlsOf({ DATABASE_URL, CLICKHOUSE_URL, NATS_URL }: Settings) {
  if (DATABASE_URL !== undefined && (CLICKHOUSE_URL ?? NATS_URL) !== undefined) {
    return { databaseUrl: DATABASE_URL, clickhouseUrl: CLICKHOUSE_URL }
  }
  const needed = NATS_URL === undefined ? { DATABASE_URL, CLICKHOUSE_URL } : { DATABASE_URL }
  const missing = Object.entries(needed)
    .filter(([, value]) => value === undefined)
    .map(([name]) =>
      fieldSentence(name, 'must be set for a tracker alone; `npm start` needs no setting'),
    )
  throw new SettingsError(missing)
}
