import type { Settings } from '../../core/settings.ts'
import { banner, type Started, startedJson } from '../banner.ts'
import { type DataDir, makeDataDir, readSecrets } from '../folder/data-dir.ts'
import { type HolderInfo, holdFolder } from '../folder/holder.ts'
import { openJournal } from '../folder/journal.ts'
import { onStopSignals } from '../signals.ts'
import { version } from '../version.ts'
import { type Front, openFront } from './front.ts'
import { type Service, startService } from './service.ts'
import { openTrackerFront } from './tracking.ts'

export interface SuperviseOptions {
  settings: Settings
  dataDir: DataDir
  /** One JSON object instead of text, when it is ready. */
  asJson: boolean
}

const FORCED = 130

/**
 * Runs the service until it is told to stop: PostgreSQL and the warehouse, as far as they are not elsewhere by
 * DATABASE_URL and CLICKHOUSE_URL, the API, and the tracker.
 * @throws {CliError} when the folder or a port is taken
 * @throws when a part does not start, or dies again and again
 */
export async function supervise({ settings, dataDir, asJson }: SuperviseOptions): Promise<void> {
  await makeDataDir(dataDir)
  // Our children compile the same modules at each start.
  process.env.NODE_COMPILE_CACHE = dataDir.cache
  const secrets = await readSecrets(dataDir)
  const hold = await holdFolder(dataDir, secrets, 'sightline serve')
  const fronts = await openFronts(settings)
  const { url, localUrl } = fronts.api
  const trackerUrl = fronts.tracker.url
  hold.tell({ url, localUrl, trackerUrl, elsewhere: elsewhere(settings) })
  const journal = openJournal(dataDir, settings.LOG_LEVEL)
  const service = startService({ settings, dataDir, secrets, journal, hold, fronts })
  // Whoever reads our output may leave; the service stays.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)
  const stopAsked = watchSignals(service, asJson)
  try {
    const demo = await Promise.race([service.ready, stopAsked])
    if (demo !== stopped) {
      const readyMs = Math.round(performance.now())
      const started: Started = { version, url, trackerUrl, dataDir, demo, readyMs }
      journal.log.info({ url, trackerUrl, readyMs }, 'started')
      process.stdout.write(asJson ? `${JSON.stringify(startedJson(started))}\n` : banner(started))
      await Promise.race([stopAsked, service.givenUp])
    }
  } finally {
    await Promise.all([fronts.api.close(), fronts.tracker.close()])
    await service.stop().catch((error: Error) => {
      journal.warn(`Not everything stopped in order: ${error.message}`)
      service.kill()
    })
    journal.log.info('stopped')
    journal.close()
    await hold.release()
  }
}

/** Both ports, or none. */
async function openFronts(settings: Settings): Promise<{ api: Front; tracker: Front }> {
  const { HOST: host, PORT: port, PUBLIC_URL: publicUrl } = settings
  const api = await openFront({ host, port, publicUrl, setting: 'PORT', whileAway: 'answer' })
  try {
    return { api, tracker: await openTrackerFront(settings) }
  } catch (error) {
    await api.close()
    throw error
  }
}

function elsewhere(settings: Settings): HolderInfo['elsewhere'] {
  return [
    ...(settings.DATABASE_URL ? (['catalog'] as const) : []),
    ...(settings.CLICKHOUSE_URL ? (['warehouse'] as const) : []),
  ]
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
