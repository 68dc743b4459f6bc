import type { Log } from '../../core/log.ts'
import type { Settings } from '../../core/settings.ts'
import type { DataDir, Secrets } from '../folder/data-dir.ts'
import type { DataDirOwner } from '../folder/data-dir-lock.ts'
import { type Child, type ChildOptions, startChild } from './child.ts'
import { type Front, limitsOf, openFront } from './front.ts'
import { type KeptPart, keepRunning, watched } from './keep-running.ts'
import type { PartBoard } from './part-states.ts'
import type { BeginTracker, CatalogKnown } from './tracker-main.ts'
import type { BeginWriter } from './tracker-writer-main.ts'

export interface TrackingOptions {
  readonly settings: Settings
  readonly dataDir: DataDir
  readonly secrets: Secrets
  /** The tracker's port. */
  readonly front: Front
  /** Resolves once PostgreSQL runs. The tracker does not wait for it. */
  readonly databaseUrl: Promise<string>
  /** Absent for a tracker without a writer: a writer of another machine stores its events. */
  readonly clickhouseUrl?: Promise<string>
  readonly log: Log
  /** The file descriptor of the parts' logs. */
  readonly stdout: number
  readonly warn: (message: string) => void
  /** Shows the state of both parts. Default: nobody sees it. */
  readonly board?: PartBoard
  readonly publish: (changes: Partial<DataDirOwner>) => void
  /** The period of reading revoked keys. */
  readonly revokedEveryMs?: number
}

/** The trackers accept events, and the writer stores them in the warehouse. Each restarts when it dies. */
export interface Tracking {
  /** `TRACKER_PROCESSES` of them behind one port. */
  readonly trackers: readonly Promise<KeptPart<Child>>[]
  readonly writer: Promise<KeptPart<Child>> | undefined
}

/**
 * Opens the port of the tracker. Connections wait while it restarts: most senders try once.
 * @throws {CliError} as `openFront`
 */
export function openTrackerFront(settings: Settings): Promise<Front> {
  const { HOST: host, TRACKER_PORT: port, TRACKER_URL: publicUrl } = settings
  const limits = limitsOf(settings)
  return openFront({ host, port, publicUrl, limits, setting: 'TRACKER_PORT', whileAway: 'wait' })
}

// Each stops in order within 5 s.
const STOP_TIMEOUT_MS = 8000

/** Starts all at once. The trackers accept events from then on, while stores are away too. */
export function startTracking(options: TrackingOptions): Tracking {
  const { TRACKER_PROCESSES: processes } = options.settings
  const trackers = Array.from({ length: processes }, (_, i) => keepTracker(options, i + 1))
  const writer =
    options.clickhouseUrl &&
    startTrackerWriter({ ...options, clickhouseUrl: options.clickhouseUrl })
  return { trackers, writer }
}

/** @param number of the process, from 1 */
function keepTracker(options: TrackingOptions, number: number): Promise<KeptPart<Child>> {
  const { front, log, publish } = options
  const part = number === 1 ? 'tracker' : `tracker${number}`
  // The first process stands for all: others may be fewer or more at the next start.
  const show = (tracker: { pid: number } | undefined) => {
    if (number === 1) publish({ tracker })
  }
  let detach = () => {}
  return keepRunning<Child>({
    name: number === 1 ? 'The tracker' : `Tracker ${number}`,
    start: () => startTrackerChild(options, number),
    onUp: (child) => {
      logUp(log, part, child)
      show({ pid: child.pid })
      detach = front.attach(child)
    },
    onDown: () => {
      show(undefined)
      detach()
    },
    ...watched(part, options),
  })
}

function logUp(log: Log, part: string, { pid }: Child): void {
  log.info({ part, pid, sinceStartMs: Math.round(performance.now()) }, 'up')
}

export type WriterOptions = Omit<TrackingOptions, 'front' | 'databaseUrl'> & {
  readonly clickhouseUrl: Promise<string>
}

/** The writer alone. */
export function startTrackerWriter(options: WriterOptions): Promise<KeptPart<Child>> {
  const { log, publish } = options
  return keepRunning<Child>({
    name: "The tracker's writer",
    start: () => startWriterChild(options),
    onUp: (child) => {
      logUp(log, 'trackerWriter', child)
      publish({ trackerWriter: { pid: child.pid } })
    },
    onDown: () => publish({ trackerWriter: undefined }),
    ...watched('trackerWriter', options),
  })
}

async function startTrackerChild(options: TrackingOptions, number: number): Promise<Child> {
  const { settings, dataDir, secrets, databaseUrl, revokedEveryMs } = options
  const child = startPart(options, './tracker-main.ts', 'The tracker')
  const { signingSecrets } = secrets
  const begin = { type: 'begin', settings, signingSecrets, dir: dataDir.tracker } as const
  child.process.send({ ...begin, number, revokedEveryMs } satisfies BeginTracker)
  databaseUrl.then(
    (url) => {
      const message: CatalogKnown = { type: 'catalog', databaseUrl: url }
      if (child.process.connected) child.process.send(message)
    },
    // The start of PostgreSQL reports its own failure.
    () => undefined,
  )
  return whenReady(child)
}

async function startWriterChild(options: WriterOptions): Promise<Child> {
  const { settings, dataDir, clickhouseUrl } = options
  const url = await clickhouseUrl
  const child = startPart(options, './tracker-writer-main.ts', "The tracker's writer")
  const begin = { type: 'begin', settings, dir: dataDir.tracker } as const
  child.process.send({ ...begin, clickhouseUrl: url } satisfies BeginWriter)
  return whenReady(child)
}

function startPart(
  { log, stdout }: Pick<TrackingOptions, 'log' | 'stdout'>,
  entry: string,
  name: string,
): Child {
  const requestStop: ChildOptions['requestStop'] = (child) => child.send({ type: 'stop' })
  return startChild({ entry, name, stdout, log, requestStop, stopTimeoutMs: STOP_TIMEOUT_MS })
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
