import type { Settings } from '../core/settings.ts'
import { banner, type Started, startedJson } from './banner.ts'
import { type DataDir, makeDataDir, readSecrets, type Secrets } from './data-dir.ts'
import { openFront } from './front.ts'
import { askHolder, type Hold, type HolderInfo, heldBy, takeFolder } from './holder.ts'
import { openJournal } from './journal.ts'
import { type Service, startService } from './service.ts'
import { onStopSignals } from './signals.ts'
import { version } from './version.ts'

export interface SuperviseOptions {
  settings: Settings
  dataDir: DataDir
  /** One JSON object instead of text, when it is ready. */
  asJson: boolean
}

const FORCED = 130

/**
 * Runs the service until it is told to stop: PostgreSQL, the warehouse and the API, as far as they are
 * not elsewhere by DATABASE_URL and CLICKHOUSE_URL.
 * @throws {CliError} when the folder or the port is taken
 * @throws when a part does not start, or dies again and again
 */
export async function supervise({ settings, dataDir, asJson }: SuperviseOptions): Promise<void> {
  await makeDataDir(dataDir)
  // Our children compile the same modules at each start.
  process.env.NODE_COMPILE_CACHE = dataDir.cache
  const secrets = await readSecrets(dataDir)
  const hold = await holdFolder(dataDir, secrets)
  const front = await openFront(settings)
  const { url } = front
  hold.tell({ url, localUrl: front.localUrl, elsewhere: elsewhere(settings) })
  const journal = openJournal(dataDir, settings.LOG_LEVEL)
  const service = startService({ settings, dataDir, secrets, journal, hold, front })
  // Whoever reads our output may leave; the service stays.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)
  const stopAsked = watchSignals(service, asJson)
  try {
    const demo = await Promise.race([service.ready, stopAsked])
    if (demo !== stopped) {
      const readyMs = Math.round(performance.now())
      const started: Started = { version, url, dataDir, demo, readyMs }
      journal.log.info({ url, readyMs }, 'started')
      process.stdout.write(asJson ? `${JSON.stringify(startedJson(started))}\n` : banner(started))
      await Promise.race([stopAsked, service.givenUp])
    }
  } finally {
    await front.close()
    await service.stop().catch((error: Error) => {
      journal.warn(`Not everything stopped in order: ${error.message}`)
      service.kill()
    })
    journal.log.info('stopped')
    journal.close()
    await hold.release()
  }
}

function elsewhere(settings: Settings): HolderInfo['elsewhere'] {
  return [
    ...(settings.DATABASE_URL ? (['catalog'] as const) : []),
    ...(settings.CLICKHOUSE_URL ? (['warehouse'] as const) : []),
  ]
}

async function holdFolder(dataDir: DataDir, secrets: Secrets): Promise<Hold> {
  for (;;) {
    const about = { command: 'sightline serve', temporary: false }
    const hold = await takeFolder(dataDir, secrets, about)
    if (hold) return hold
    const other = await askHolder(dataDir, secrets)
    other?.leave()
    if (other) throw heldBy(dataDir, other.info)
    // It ended between our two questions.
  }
}

const stopped = Symbol('stopped')

function watchSignals(service: Service, asJson: boolean): Promise<typeof stopped> {
  return new Promise((resolve) => {
    onStopSignals(
      () => {
        if (!asJson) process.stdout.write('\n  Stopping …\n')
        resolve(stopped)
      },
      () => {
        service.kill()
        process.exit(FORCED)
      },
    )
  })
}
