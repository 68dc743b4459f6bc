import type { Settings } from '../../core/settings.ts'
import type { DataDir, Secrets } from '../folder/data-dir.ts'
import type { HolderInfo } from '../folder/holder.ts'
import type { Log } from '../folder/journal.ts'
import { type Child, startChild } from './child.ts'
import { type Front, openFront } from './front.ts'
import { type Kept, keepRunning } from './keep-running.ts'
import type { BeginTracker, CatalogKnown } from './tracker-main.ts'
import type { BeginWriter } from './tracker-writer-main.ts'

export interface TrackingOptions {
  readonly settings: Settings
  readonly dataDir: DataDir
  readonly secrets: Secrets
  /** The tracker's port. */
  readonly front: Front
  /** Known once PostgreSQL runs; the tracker does not wait for it. */
  readonly databaseUrl: Promise<string>
  readonly clickhouseUrl: Promise<string>
  readonly log: Log
  /** Where the parts' own logs go. */
  readonly stdout: number
  readonly warn: (message: string) => void
  readonly tell: (news: Partial<HolderInfo>) => void
  /** How often the list of what is revoked is read. */
  readonly revokedEveryMs?: number
}

/** The way of events: the tracker takes them, the writer brings them to the warehouse. Both are kept running. */
export interface Tracking {
  readonly tracker: Promise<Kept<Child>>
  readonly writer: Promise<Kept<Child>>
}

/**
 * Opens the port of events. They wait while the tracker starts again: their senders mostly try once.
 * @throws {CliError} as `openFront`
 */
export function openTrackerFront({ HOST: host, TRACKER_PORT: port }: Settings): Promise<Front> {
  return openFront({ host, port, setting: 'TRACKER_PORT', whileAway: 'wait' })
}

// Each ends in order within 5 s.
const PATIENCE_MS = 8000

/** Starts both at once. The tracker takes events from then on, whatever becomes of the stores. */
export function startTracking(options: TrackingOptions): Tracking {
  const { front, log, warn, tell } = options
  const up = (part: string, { pid }: Child) =>
    log.info({ part, pid, sinceStartMs: Math.round(performance.now()) }, 'up')
  const tracker = keepRunning<Child>({
    name: 'The tracker',
    start: () => startTrackerChild(options),
    onUp: (child) => {
      up('tracker', child)
      tell({ tracker: { pid: child.pid } })
      front.give(child)
    },
    onDown: () => {
      tell({ tracker: undefined })
      front.takeBack()
    },
    warn,
  })
  const writer = keepRunning<Child>({
    name: "The tracker's writer",
    start: () => startWriterChild(options),
    onUp: (child) => {
      up('trackerWriter', child)
      tell({ trackerWriter: { pid: child.pid } })
    },
    onDown: () => tell({ trackerWriter: undefined }),
    warn,
  })
  return { tracker, writer }
}

async function startTrackerChild(options: TrackingOptions): Promise<Child> {
  const { settings, dataDir, secrets, databaseUrl, revokedEveryMs } = options
  const child = fork(options, './tracker-main.ts', 'The tracker')
  const { signingSecrets } = secrets
  const begin = { type: 'begin', settings, signingSecrets, dir: dataDir.tracker } as const
  child.process.send({ ...begin, revokedEveryMs } satisfies BeginTracker)
  databaseUrl.then(
    (url) => {
      const news: CatalogKnown = { type: 'catalog', databaseUrl: url }
      if (child.process.connected) child.process.send(news)
    },
    // Whoever started PostgreSQL tells of it.
    () => undefined,
  )
  return whenReady(child)
}

async function startWriterChild(options: TrackingOptions): Promise<Child> {
  const { settings, dataDir, clickhouseUrl } = options
  const url = await clickhouseUrl
  const child = fork(options, './tracker-writer-main.ts', "The tracker's writer")
  const begin = { type: 'begin', settings, dir: dataDir.tracker } as const
  child.process.send({ ...begin, clickhouseUrl: url } satisfies BeginWriter)
  return whenReady(child)
}

function fork({ log, stdout }: TrackingOptions, entry: string, name: string): Child {
  const ask: Parameters<typeof startChild>[0]['ask'] = (child) => child.send({ type: 'stop' })
  return startChild({ entry, name, stdout, log, ask, patienceMs: PATIENCE_MS })
}

async function whenReady(child: Child): Promise<Child> {
  try {
    await child.message('ready')
    return child
  } catch (error) {
    child.kill()
    throw error
  }
}
