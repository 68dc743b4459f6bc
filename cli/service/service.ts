import type { Settings } from '../../core/settings.ts'
import type { Demo } from '../../demo/demo.ts'
import type { DataDir, Secrets } from '../folder/data-dir.ts'
import type { Hold } from '../folder/holder.ts'
import type { Journal } from '../folder/journal.ts'
import type { BeginApi } from './api-main.ts'
import { type Child, type Running, startChild } from './child.ts'
import { type Engine, startCatalog, startWarehouse } from './engines.ts'
import type { Front } from './front.ts'
import { type Kept, keepRunning } from './keep-running.ts'
import type { BeginPreparing, Prepared } from './prepare-main.ts'
import { startTracking } from './tracking.ts'

export interface ServiceOptions {
  settings: Settings
  dataDir: DataDir
  secrets: Secrets
  journal: Journal
  hold: Hold
  fronts: { api: Front; tracker: Front }
}

/** The parts of the service, each started again when it dies. */
export interface Service {
  /** Resolves when requests are answered. @throws when a part does not start */
  readonly ready: Promise<Demo | null>
  /** Rejects when a part has died too often. */
  readonly givenUp: Promise<never>
  /** Ends the parts in order: first whoever asks, then whoever is asked. */
  stop(): Promise<void>
  kill(): void
}

interface Urls {
  databaseUrl: string
  clickhouseUrl: string
}

// The API finishes its requests within 5 s and closes its connections.
const API_PATIENCE_MS = 8000

/** Starts every part at once; each waits only for what it needs. */
export function startService(options: ServiceOptions): Service {
  const { settings, journal } = options
  const front = options.fronts.api
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
  const { tracker, writer } = track({ databaseUrl, clickhouseUrl }, options)
  const preparing = prepare(urls, options)
  const begin = preparing.migrated.then(() => urls)
  let isOpen = false
  const api = keepRunning<Child>({
    name: 'The API',
    start: () => startApiChild(begin, options),
    onUp: (child) => {
      journal.log.info({ part: 'api', pid: child.pid, sinceStartMs: sinceStart() }, 'up')
      options.hold.tell({ api: { pid: child.pid } })
      if (isOpen) front.give(child)
    },
    onDown: () => {
      options.hold.tell({ api: undefined })
      front.takeBack()
    },
    warn: journal.warn,
  })
  const open = async () => {
    const [demo, kept] = await Promise.all([preparing.prepared, api, tracker, writer])
    isOpen = true
    const child = kept.current()
    if (child) front.give(child)
    return demo
  }
  return {
    ready: open(),
    ...together([api, tracker, writer, warehouse, catalog], preparing.child),
  }
}

async function urlOf(
  given: string | undefined,
  own: Promise<Kept<Engine>> | undefined,
): Promise<string> {
  return given ?? (await own)?.current()?.url ?? ''
}

function track(
  urls: { databaseUrl: Promise<string>; clickhouseUrl: Promise<string> },
  { settings, dataDir, secrets, journal, hold, fronts }: ServiceOptions,
) {
  const { log, fd: stdout, warn } = journal
  const front = fronts.tracker
  const given = { settings, dataDir, secrets, front, ...urls }
  return startTracking({ ...given, log, stdout, warn, tell: hold.tell })
}

/** @param parts in the order in which they stop */
function together(
  parts: (Promise<Kept<Running>> | undefined)[],
  preparing: Child,
): Pick<Service, 'givenUp' | 'stop' | 'kill'> {
  const up: (Kept<Running> | undefined)[] = parts.map(() => undefined)
  const { promise: givenUp, reject } = Promise.withResolvers<never>()
  givenUp.catch(() => undefined)
  for (const [index, part] of parts.entries()) {
    part?.then(
      (kept) => {
        up[index] = kept
        kept.givenUp.catch(reject)
      },
      // Whoever waits for `ready` hears of it.
      () => undefined,
    )
  }
  return {
    givenUp,
    stop: async () => {
      preparing.kill()
      // One that is still starting is stopped when it is up: ended in between it may leave a mess.
      for (const part of parts) await (await part?.catch(() => undefined))?.stop()
    },
    kill: () => {
      for (const part of up) part?.kill()
    },
  }
}

function keepEngine(
  role: 'catalog' | 'warehouse',
  start: typeof startCatalog,
  { dataDir, secrets, journal, hold }: ServiceOptions,
): Promise<Kept<Engine>> {
  // Once known it never changes, so that the URLs that the API has stay good.
  let port: number | undefined
  return keepRunning<Engine>({
    name: role === 'catalog' ? 'PostgreSQL' : 'The warehouse',
    start: () => start({ dataDir, secrets, log: journal.log, stdout: journal.fd, port }),
    onUp: (engine) => {
      port = engine.port
      journal.log.info({ part: role, pid: engine.pid, sinceStartMs: sinceStart() }, 'up')
      hold.tell({ [role]: { pid: engine.pid, port } })
    },
    onDown: () => hold.tell({ [role]: undefined }),
    warn: journal.warn,
  })
}

async function startApiChild(begin: Promise<Urls>, options: ServiceOptions): Promise<Child> {
  const { settings, secrets, journal } = options
  const front = options.fronts.api
  const child = startChild({
    entry: './api-main.ts',
    name: 'The API',
    stdout: journal.fd,
    log: journal.log,
    ask: (api) => api.send({ type: 'stop' }),
    patienceMs: API_PATIENCE_MS,
  })
  try {
    const own = { ...settings, PORT: front.port, PUBLIC_URL: front.url }
    const stores = await begin
    child.process.send({ type: 'begin', settings: own, secrets, ...stores } satisfies BeginApi)
    await child.message('ready')
    return child
  } catch (error) {
    child.kill()
    throw error
  }
}

function prepare(urls: Promise<Urls>, { settings, dataDir, secrets, journal }: ServiceOptions) {
  const name = 'The preparation of the stores'
  const { fd: stdout, log } = journal
  const child = startChild({ entry: './prepare-main.ts', name, stdout, log })
  const migrated = child.message('migrated')
  const prepared = child.message<Prepared>('prepared').then(({ demo }) => {
    log.info({ part: 'preparation', sinceStartMs: sinceStart() }, 'done')
    return demo
  })
  migrated.then(
    () => log.info({ part: 'migrations', sinceStartMs: sinceStart() }, 'done'),
    () => undefined,
  )
  const wantsDemo = settings.SIGHTLINE_DEMO === '1'
  const begun = urls.then((stores) => {
    const begin: BeginPreparing = { type: 'begin', ...stores, dataDir, secrets, wantsDemo }
    child.process.send(begin)
  })
  for (const promise of [begun, prepared]) promise.catch(() => child.kill())
  return { child, migrated: begun.then(() => migrated), prepared }
}

function sinceStart(): number {
  return Math.round(performance.now())
}
