import { pino } from 'pino'
import { locateDataDir, makeDataDir } from '../../../cli/folder/data-dir.ts'
import { openTrackerFront, startTracking } from '../../../cli/service/tracking.ts'
import { readSettings } from '../../../core/settings.ts'

export interface TrackersOptions {
  /** The data folder. */
  readonly path: string
  /** Signs the keys and tokens of senders. */
  readonly secret: string
  readonly processes: number
  /** Absent for trackers without a writer. */
  readonly clickhouseUrl?: string | undefined
}

/** Processes of a tracker behind one free port. No key is revoked. */
export async function startTrackers({ path, secret, processes, clickhouseUrl }: TrackersOptions) {
  const dataDir = locateDataDir({ DATA_DIR: path })
  await makeDataDir(dataDir)
  const settings = readSettings({
    TRACKER_PORT: '0',
    TRACKER_PROCESSES: String(processes),
    LOG_LEVEL: 'silent',
  })
  const front = await openTrackerFront(settings)
  const warnings: string[] = []
  const tracking = startTracking({
    settings,
    dataDir,
    front,
    secrets: {
      postgresPassword: '',
      warehousePassword: '',
      cursorSecret: '',
      signingSecrets: [secret],
    },
    databaseUrl: new Promise<string>(() => undefined),
    ...(clickhouseUrl ? { clickhouseUrl: Promise.resolve(clickhouseUrl) } : {}),
    log: pino({ level: 'silent' }),
    stdout: 2,
    publish: () => undefined,
    warn: (message) => warnings.push(message),
  })
  const trackers = await Promise.all(tracking.trackers)
  const parts = [...trackers, await tracking.writer]
  const stop = async () => {
    await front.close()
    for (const part of parts) await part?.stop()
  }
  return { dataDir, port: front.port, trackers, warnings, stop }
}
