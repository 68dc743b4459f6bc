import type { Settings } from '../../core/settings.ts'
import { partMetrics } from '../../observability/parts.ts'
import type { Metrics } from '../../observability/registry.ts'
import type { DataDir, Secrets } from '../folder/data-dir.ts'
import type { DataDirLock } from '../folder/data-dir-lock.ts'
import type { Journal } from '../folder/journal.ts'
import type { BeginApi } from './api-main.ts'
import { type Child, type RunningPart, startChild } from './child.ts'
import { type Engine, startCatalog, startWarehouse } from './engines.ts'
import type { Front } from './front.ts'
import { type KeptPart, keepRunning, watched } from './keep-running.ts'
import { apiMemory } from './memory/heap.ts'
import { openPartBoard, type PartBoard } from './part-states.ts'
import type { BeginPreparing, Offered, Prepared } from './prepare-main.ts'
import { startTracking } from './tracking.ts'
import type { BeginWorker } from './worker-main.ts'

/** What keeps a part: its board shows the state of each. */
interface Keeping extends ServiceOptions {
  board: PartBoard
  warn: Journal['warn']
}

export interface ServiceOptions {
  settings: Settings
  dataDir: DataDir
  secrets: Secrets
  journal: Journal
  lock: DataDirLock
  fronts: { api: Front; tracker: Front }
  /** Shows whoever waits for the start what takes its time. */
  onStep: (step: StartStep) => void
  /** Of the supervisor. */
  metrics: Metrics
}

export type StartStep = 'migrating' | 'makingDemo'

/** The parts of the service. A part that dies is restarted. */
export interface Service {
  /** Resolves when the service answers requests. @throws when a part does not start */
  readonly ready: Promise<Offered>
  /** Rejects when a part has died too often. */
  readonly givenUp: Promise<never>
  /** Stops the parts in order: clients before the stores that they use. */
  stop(): Promise<void>
  kill(): void
  /** The metrics of each running part, and those of this process. */
  metrics(): Promise<string[]>
}

interface Urls {
  databaseUrl: string
  clickhouseUrl: string
}

// The API finishes its requests within 5 s and closes its connections.
const API_STOP_TIMEOUT_MS = 8000
// The worker gives its jobs 8 s and closes its connections.
const WORKER_STOP_TIMEOUT_MS = 12_000

/** Starts every part at once; each waits only for what it needs. */
export function startService(given: ServiceOptions): Service {
  const board = openPartBoard()
  measure(board, given)
  const options: Keeping = { ...given, board, warn: given.journal.warn }
  const { settings, journal } = options
  const front = options.fronts.api
  front.show(board)
  const catalog = settings.DATABASE_URL ? undefined : keepEngine('catalog', startCatalog, options)
  const warehouse = settings.CLICKHOUSE_URL
    ? undefined
    : keepEngine('warehouse', startWarehouse, options)
  const databaseUrl = urlOf(settings.DATABASE_URL, catalog)
  const clickhouseUrl = urlOf(settings.CLICKHOUSE_URL, warehouse)
  const urls = Promise.all([databaseUrl, clickhouseUrl]).then(
    ([catalogUrl, warehouseUrl]): Urls => ({
      databaseUrl: catalogUrl,
      clickhouseUrl: warehouseUrl,
    }),
  )
  const { trackers, writer } = track({ databaseUrl, clickhouseUrl }, options)
  const preparing = prepare(urls, options)
  const begin = preparing.migrated.then(() => urls)
  let isOpen = false
  let detach = () => {}
  const tell = (child: Child | undefined) => {
    if (child?.process.connected) child.process.send({ type: 'parts', parts: board.current() })
  }
  const api = keepRunning<Child>({
    name: 'The API',
    start: () => startApiChild(begin, options),
    onUp: (child) => {
      journal.log.info({ part: 'api', pid: child.pid, sinceStartMs: sinceStart() }, 'up')
      options.lock.publish({ api: { pid: child.pid } })
      tell(child)
      if (isOpen) detach = front.attach(child)
    },
    onDown: () => {
      options.lock.publish({ api: undefined })
      detach()
    },
    ...watched('api', options),
  })
  board.follow(async () => tell((await api.catch(() => undefined))?.current()))
  const worker = keepWorker(begin, options)
  const open = async () => {
    const [offered, kept] = await Promise.all([
      preparing.prepared,
      api,
      ...trackers,
      writer,
      worker,
    ])
    isOpen = true
    const child = kept.current()
    if (child) detach = front.attach(child)
    return offered
  }
  return {
    ready: open(),
    ...combine(
      [api, ...trackers, writer, worker, warehouse, catalog],
      preparing.child,
      given.metrics,
    ),
  }
}

/** Measures what the supervisor knows: the parts and the connections. */
function measure(board: PartBoard, { metrics, fronts }: ServiceOptions): void {
  const { api, tracker } = fronts
  const ports = Object.entries({ api, tracker })
  const connections = () => Object.fromEntries(ports.map(([name, port]) => [name, port.open()]))
  const { restarted, refused } = partMetrics(metrics, { parts: board.current, connections })
  for (const [name, front] of ports) front.onRefused((limit) => refused(name, limit))
  board.onRestart(restarted)
}

async function urlOf(
  given: string | undefined,
  own: Promise<KeptPart<Engine>> | undefined,
): Promise<string> {
  return given ?? (await own)?.current()?.url ?? ''
}

function track(
  urls: { databaseUrl: Promise<string>; clickhouseUrl: Promise<string> },
  { settings, dataDir, secrets, journal, lock, fronts, board }: Keeping,
) {
  const { log, fd: stdout, warn } = journal
  const front = fronts.tracker
  const given = { settings, dataDir, secrets, front, board, ...urls }
  return startTracking({ ...given, log, stdout, warn, publish: lock.publish })
}

/** @param parts in the order in which they stop */
function combine(
  parts: (Promise<KeptPart<RunningPart>> | undefined)[],
  preparing: Child,
  own: Metrics,
): Omit<Service, 'ready'> {
  const up: (KeptPart<RunningPart> | undefined)[] = parts.map(() => undefined)
  const { promise: givenUp, reject } = Promise.withResolvers<never>()
  givenUp.catch(() => undefined)
  for (const [index, part] of parts.entries()) {
    part?.then(
      (kept) => {
        up[index] = kept
        kept.givenUp.catch(reject)
      },
      // `ready` rejects with the same error.
      () => undefined,
    )
  }
  return {
    givenUp,
    stop: async () => {
      preparing.kill()
      // A part that is still starting stops after its start: half a start may leave broken files.
      for (const part of parts) await (await part?.catch(() => undefined))?.stop()
    },
    kill: () => {
      for (const part of up) part?.kill()
    },
    metrics: () => {
      const asked = up.map(async (kept) => (await kept?.current()?.metrics?.()) ?? '')
      return Promise.all([own.text(), ...asked.map((text) => text.catch(() => ''))])
    },
  }
}

function keepEngine(
  role: 'catalog' | 'warehouse',
  start: typeof startCatalog,
  options: Keeping,
): Promise<KeptPart<Engine>> {
  const { dataDir, secrets, journal, lock } = options
  // A restart keeps the port, so that the API's URLs stay valid.
  let port: number | undefined
  return keepRunning<Engine>({
    name: role === 'catalog' ? 'PostgreSQL' : 'The warehouse',
    start: () => start({ dataDir, secrets, log: journal.log, stdout: journal.fd, port }),
    onUp: (engine) => {
      port = engine.port
      journal.log.info({ part: role, pid: engine.pid, sinceStartMs: sinceStart() }, 'up')
      lock.publish({ [role]: { pid: engine.pid, port } })
    },
    onDown: () => lock.publish({ [role]: undefined }),
    ...watched(role, options),
  })
}

function keepWorker(begin: Promise<Urls>, options: Keeping): Promise<KeptPart<Child>> {
  const { journal, lock } = options
  return keepRunning<Child>({
    name: 'The worker',
    start: () => startWorkerChild(begin, options),
    onUp: ({ pid }) => {
      journal.log.info({ part: 'worker', pid, sinceStartMs: sinceStart() }, 'up')
      lock.publish({ worker: { pid } })
    },
    onDown: () => lock.publish({ worker: undefined }),
    ...watched('worker', options),
  })
}

async function startWorkerChild(begin: Promise<Urls>, options: ServiceOptions): Promise<Child> {
  const { settings, secrets, dataDir, journal, fronts } = options
  const child = startChild({
    entry: './worker-main.ts',
    name: 'The worker',
    stdout: journal.fd,
    log: journal.log,
    requestStop: (worker) => worker.send({ type: 'stop' }),
    stopTimeoutMs: WORKER_STOP_TIMEOUT_MS,
  })
  const own = { ...settings, PUBLIC_URL: fronts.api.url }
  return beginChild(child, begin, (stores): BeginWorker => {
    return { type: 'begin', settings: own, secrets, dataDir, ...stores }
  })
}

/** Sends the first message once the stores are ready, and waits until the child is ready. */
async function beginChild(
  child: Child,
  begin: Promise<Urls>,
  messageOf: (stores: Urls) => BeginApi | BeginWorker,
): Promise<Child> {
  try {
    child.process.send(messageOf(await begin))
    await child.message('ready')
    return child
  } catch (error) {
    child.kill()
    throw error
  }
}

async function startApiChild(begin: Promise<Urls>, options: ServiceOptions): Promise<Child> {
  const { settings, secrets, journal } = options
  const { api: front, tracker } = options.fronts
  const child = startChild({
    entry: './api-main.ts',
    name: 'The API',
    ...apiMemory,
    stdout: journal.fd,
    log: journal.log,
    requestStop: (api) => api.send({ type: 'stop' }),
    stopTimeoutMs: API_STOP_TIMEOUT_MS,
  })
  const own = {
    ...settings,
    PORT: front.port,
    PUBLIC_URL: front.url,
    TRACKER_PORT: tracker.port,
  }
  return beginChild(child, begin, (stores): BeginApi => {
    return { type: 'begin', settings: own, secrets, ...stores }
  })
}

function prepare(urls: Promise<Urls>, options: ServiceOptions) {
  const { settings, dataDir, secrets, journal, onStep } = options
  const name = 'The preparation of the stores'
  const { fd: stdout, log, warn } = journal
  const child = startChild({ entry: './prepare-main.ts', name, stdout, log })
  const migrated = child.message('migrated')
  const prepared = child.message<Prepared>('prepared').then(({ demo, codes, warning }): Offered => {
    if (warning) warn(warning)
    log.info({ part: 'preparation', sinceStartMs: sinceStart() }, 'done')
    return { demo, codes }
  })
  migrated.then(
    () => log.info({ part: 'migrations', sinceStartMs: sinceStart() }, 'done'),
    () => undefined,
  )
  const wantsDemo = settings.SIGHTLINE_DEMO === '1'
  const begun = urls.then((stores) => {
    const begin: BeginPreparing = {
      type: 'begin',
      settings,
      ...stores,
      dataDir,
      secrets,
      wantsDemo,
    }
    child.process.send(begin)
    onStep('migrating')
  })
  // Most starts make no demo.
  child.message('makesDemo').then(
    () => onStep('makingDemo'),
    () => undefined,
  )
  for (const promise of [begun, prepared]) promise.catch(() => child.kill())
  return { child, migrated: begun.then(() => migrated), prepared }
}

function sinceStart(): number {
  return Math.round(performance.now())
}
