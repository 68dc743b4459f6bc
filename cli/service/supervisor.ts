import { fixedSettings } from '../../core/gone-settings.ts'
import type { Settings } from '../../core/settings.ts'
import { print } from '../../observability/part-log.ts'
import { openMetrics } from '../../observability/registry.ts'
import { banner, type Started, startedJson, stepText } from '../banner.ts'
import { type DataDir, makeDataDir, readSecrets } from '../folder/data-dir.ts'
import { type DataDirOwner, lockDataDir } from '../folder/data-dir-lock.ts'
import { openJournal } from '../folder/journal.ts'
import { version } from '../package.ts'
import { INTERRUPTED, onStopSignals } from '../signals.ts'
import { type Front, limitsOf, openFront } from './front.ts'
import { refuseSamePorts } from './listener.ts'
import { type MetricsPort, openMetricsPort } from './metrics-port.ts'
import { type Service, type StartStep, startService } from './service.ts'
import { openTrackerFront } from './tracking.ts'

export interface SuperviseOptions {
  settings: Settings
  dataDir: DataDir
  /** Prints one JSON object instead of text when the service is ready. */
  asJson: boolean
}

/**
 * Runs the service until a stop signal: the API, the worker, the tracker, and PostgreSQL and the warehouse unless DATABASE_URL and
 * CLICKHOUSE_URL replace them.
 * @throws {SettingsError} when a listed document cannot run, or two ports are the same
 * @throws {CliError} when the data folder or a port is in use
 * @throws when a part does not start, or dies too often
 */
export async function supervise({ settings, dataDir, asJson }: SuperviseOptions): Promise<void> {
  if (settings.PERSISTED_DOCUMENTS) await checkDocuments(settings)
  await makeDataDir(dataDir)
  // The child processes compile the same modules at each start.
  process.env.NODE_COMPILE_CACHE ??= dataDir.cache
  const secrets = await readSecrets(dataDir)
  const lock = await lockDataDir(dataDir, secrets, 'sightline serve')
  const fronts = await openFronts(settings)
  const { url, localUrl } = fronts.api
  const trackerUrl = fronts.tracker.url
  lock.publish({ url, localUrl, trackerUrl, elsewhere: elsewhere(settings) })
  const metrics = openMetrics('supervisor')
  const journal = openJournal(dataDir, settings.LOG_LEVEL, metrics)
  for (const line of fixedSettings(process.env)) journal.warn(line)
  const onStep = (step: StartStep) => {
    if (!asJson) print(1, stepText(step))
  }
  const given = { settings, dataDir, secrets }
  const service = startService({ ...given, journal, lock, fronts, metrics, onStep })
  fronts.metrics.show(service.metrics)
  // A reader of the output may close the pipe; the service stays.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)
  const stopAsked = watchSignals(service, asJson)
  try {
    const offered = await Promise.race([service.ready, stopAsked])
    if (offered !== stopped) {
      const readyMs = Math.round(performance.now())
      const metricsUrl = fronts.metrics.url
      const places = { url, trackerUrl, metricsUrl, dataDir }
      const started: Started = { version, ...places, ...offered, readyMs }
      journal.log.info({ url, trackerUrl, readyMs }, 'started')
      print(1, asJson ? `${JSON.stringify(startedJson(started))}\n` : banner(started))
      await Promise.race([stopAsked, service.givenUp])
    }
  } finally {
    await Promise.all(Object.values(fronts).map((front) => front.close()))
    await service.stop().catch((error: Error) => {
      journal.warn(`A part did not stop in order: ${error.message}`)
      service.kill()
    })
    journal.log.info({}, 'stopped')
    journal.close()
    await lock.release()
  }
}

/** The schema takes most of a second to load, which only a list of documents needs here. */
async function checkDocuments(settings: Settings): Promise<void> {
  const [{ readDocumentList }, { publicSchema }] = await Promise.all([
    import('../../plugins/document-list.ts'),
    import('../../schema/index.ts'),
  ])
  await readDocumentList(settings, publicSchema)
}

interface Fronts {
  api: Front
  tracker: Front
  metrics: MetricsPort
}

/** Opens all ports, or none. */
async function openFronts(settings: Settings): Promise<Fronts> {
  refuseSamePorts(settings, ['PORT', 'TRACKER_PORT', 'METRICS_PORT'])
  const { HOST: host, PORT: port, PUBLIC_URL: publicUrl } = settings
  const limits = limitsOf(settings)
  const api = await openFront({
    host,
    port,
    publicUrl,
    limits,
    setting: 'PORT',
    whileAway: 'answer',
  })
  const opened: { close(): Promise<void> }[] = [api]
  try {
    const tracker = await openTrackerFront(settings)
    opened.push(tracker)
    return { api, tracker, metrics: await openMetricsPort(settings) }
  } catch (error) {
    await Promise.all(opened.map((front) => front.close()))
    throw error
  }
}

function elsewhere(settings: Settings): DataDirOwner['elsewhere'] {
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
        if (!asJson) print(1, '\n  Stopping …\n')
        resolve(stopped)
      },
      () => {
        service.kill()
        process.exit(INTERRUPTED)
      },
    )
  })
}
