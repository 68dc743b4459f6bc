import type { Command } from 'commander'
import pino from 'pino'
import { type Settings, SettingsError } from '../../core/settings.ts'
import { makeDataDir, readSecrets } from '../folder/data-dir.ts'
import { holdFolder } from '../folder/holder.ts'
import { type Context, perform } from '../run.ts'
import type { Front } from '../service/front.ts'
import { openTrackerFront, startTracking, type Tracking } from '../service/tracking.ts'
import { ownCommand } from '../stores.ts'
import { example } from './change.ts'
import { stopSignal, tell } from './parts.ts'

/** The tracker alone, for machines that only collect. */
export function addTracker(program: Command): void {
  program
    .command('tracker')
    .summary('run the tracker alone')
    .description(
      'Takes traffic events on HOST:TRACKER_PORT, keeps them in DATA_DIR, and brings them to the warehouse of ' +
        'CLICKHOUSE_URL. It takes them also while that, or the PostgreSQL of DATABASE_URL, is away. It accepts ' +
        'keys and tokens that the signingSecrets of its secrets.json have signed, and needs a DATA_DIR of its own.',
    )
    .addHelpText(
      'after',
      example('tracker').replace('$ ', '$ DATABASE_URL=postgresql://… CLICKHOUSE_URL=http://… '),
    )
    .action(perform(runTracker))
}

async function runTracker(context: Context): Promise<undefined> {
  const { settings, dataDir } = context
  const { databaseUrl, clickhouseUrl } = urlsOf(settings)
  await makeDataDir(dataDir)
  const secrets = await readSecrets(dataDir)
  const hold = await holdFolder(dataDir, secrets, ownCommand())
  const log = pino({ name: 'tracker', level: settings.LOG_LEVEL }, pino.destination(2))
  try {
    const front = await openTrackerFront(settings)
    hold.tell({ trackerUrl: front.url, elsewhere: ['catalog', 'warehouse'] })
    const urls = {
      databaseUrl: Promise.resolve(databaseUrl),
      clickhouseUrl: Promise.resolve(clickhouseUrl),
    }
    const warn = (message: string) => log.warn(message)
    const given = { settings, dataDir, secrets, front, ...urls }
    const tracking = startTracking({ ...given, log, stdout: 2, warn, tell: hold.tell })
    await runUntilStopped(context, tracking, front)
  } finally {
    await hold.release()
  }
}

async function runUntilStopped(context: Context, tracking: Tracking, front: Front): Promise<void> {
  const parts = [tracking.tracker, tracking.writer]
  try {
    const kept = await Promise.all(parts)
    tell(context, 'The tracker', { url: front.url })
    await Promise.race([stopSignal(), ...kept.map(({ givenUp }) => givenUp)])
  } finally {
    await front.close()
    for (const part of parts) await (await part.catch(() => undefined))?.stop()
  }
}

function urlsOf({ DATABASE_URL, CLICKHOUSE_URL }: Settings) {
  if (DATABASE_URL !== undefined && CLICKHOUSE_URL !== undefined) {
    return { databaseUrl: DATABASE_URL, clickhouseUrl: CLICKHOUSE_URL }
  }
  const names = { DATABASE_URL, CLICKHOUSE_URL }
  const lacking = Object.entries(names).filter(([, value]) => value === undefined)
  throw new SettingsError(
    lacking.map(([name]) => `${name}: must be set for a tracker alone; \`npm start\` has its own`),
  )
}
