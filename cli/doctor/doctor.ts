import { stat, statfs } from 'node:fs/promises'
import { createServer } from 'node:net'
import { fixedSettings } from '../../core/gone-settings.ts'
import type { Settings } from '../../core/settings.ts'
import { type DataDir, exposedPlace, lockedData, readSecrets } from '../folder/data-dir.ts'
import { askOwner, type DataDirOwner } from '../folder/data-dir-lock.ts'
import { version } from '../package.ts'
import { storeProblem } from '../reach.ts'
import type { Context } from '../run.ts'
import { addressOf, listen, samePorts, urlOf } from '../service/listener.ts'
import { openEngines, ownCommand } from '../stores.ts'
import { inspectConnections } from './connections.ts'
import { inspectCrawlers } from './crawlers.ts'
import { inspectBackup, inspectKeeping, type KeepingReport } from './keeping.ts'
import { type Check, checksOf, type Problem, warning } from './problem.ts'
import { inspectRules } from './rules.ts'
import { inspectServices } from './services.ts'
import { inspectCatalog, inspectWarehouse, type StoreReport } from './stores.ts'
import { inspectTracker, type TrackerReport } from './tracker.ts'
import { inspectWorker, type WorkerReport } from './worker.ts'

/** The findings of `sightline doctor`. They contain no secret. */
export interface Diagnosis {
  readonly ok: boolean
  readonly version: string
  readonly node: { readonly version: string; readonly path: string }
  readonly dataDir: {
    readonly path: string
    readonly exists: boolean
    readonly freeBytes: number | null
  }
  /** The settings in effect, without passwords. */
  readonly settings: Record<string, unknown>
  /** The process that owns DATA_DIR, usually the service. */
  readonly running: DataDirOwner | null
  readonly catalog: StoreReport | null
  readonly warehouse: StoreReport | null
  readonly worker: WorkerReport | null
  readonly tracker: TrackerReport | null
  readonly keeping: KeepingReport
  /** What was asked, with what each check found. */
  readonly checks: readonly Check[]
  /** The failed checks. */
  readonly problems: readonly Problem[]
}

const LOW_BYTES = 1024 ** 3
const PROBE_MS = 3000

/** Checks everything once, without changes. Engines that do not run are started for the check. */
export async function diagnose(context: Context): Promise<Diagnosis> {
  const { settings, dataDir } = context
  const exists = await stat(dataDir.secrets).then(
    () => true,
    () => false,
  )
  const files = await inspectFolder(dataDir, exists)
  const { freeBytes, disk } = await inspectDisk(exists ? dataDir.path : process.cwd())
  const service: Problem[] = []
  const running = exists ? await findOwner(dataDir, service) : null
  service.push(...(running ? await probeApi(running) : await probePorts(settings)))
  const metrics = running ? await probeMetrics(settings) : []
  const stores = { catalog: [] as Problem[], warehouse: [] as Problem[] }
  const found = await inspectStores(context, { exists, running }, stores)
  const rules: Problem[] = []
  inspectRules(found.catalog?.analyses ?? [], found.warehouse?.olderCounts ?? [], rules)
  const jobs: Problem[] = []
  const worker = inspectWorker(found.catalog?.jobs ?? null, running, jobs)
  const events: Problem[] = []
  const tracker = exists ? await inspectTracker(dataDir, running, events) : null
  const keeping = await inspectKeeping(dataDir, settings)
  const asked = await Promise.all([inspectCrawlers(settings), inspectServices(settings)])
  const checks = [
    ...checksOf('files', files, 'closed to other users of this machine'),
    ...checksOf('disk', disk, `${Math.floor((freeBytes ?? 0) / 1024 ** 2)} MB free`),
    ...checksOf('service', service, running ? `process ${running.pid}` : 'its ports are free'),
    ...(settings.METRICS_PORT && running ? checksOf('metrics', metrics, 'answer') : []),
    ...(['catalog', 'warehouse'] as const).flatMap((role) => {
      const store = found[role]
      const isThere = store !== null || stores[role].length > 0
      return isThere ? checksOf(role, stores[role], store?.version ?? '') : []
    }),
    ...checksOf('rules', rules, 'numbers are of this version'),
    ...(worker ? checksOf('worker', jobs, `jobs waiting: ${worker.waiting}`) : []),
    ...(tracker ? checksOf('tracker', events, `${tracker.backlog.bytes} bytes wait`) : []),
    ...fixedSettings(process.env).map((line) => warning('settings', line, 'Remove it.')),
    ...inspectConnections(found.catalog?.connections ?? []),
    ...(exists ? [inspectBackup(keeping)] : []),
    ...asked.flat(),
  ]
  const problems = checks.flatMap(({ state, found: problem, mend }) =>
    state === 'failed' ? [{ problem, mend: mend ?? '' }] : [],
  )
  return {
    ok: problems.length === 0,
    version,
    node: { version: process.version, path: process.execPath },
    dataDir: { path: dataDir.path, exists, freeBytes },
    settings: withoutSecrets({ ...settings, DATA_DIR: dataDir.path }),
    running,
    catalog: shown(found.catalog),
    warehouse: shown(found.warehouse),
    worker,
    tracker,
    keeping,
    checks,
    problems,
  }
}

async function inspectDisk(
  path: string,
): Promise<{ freeBytes: number | null; disk: readonly Problem[] }> {
  const freeBytes = await statfs(path).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => null,
  )
  if (freeBytes === null || freeBytes >= LOW_BYTES) return { freeBytes, disk: [] }
  const problem = `Only ${Math.floor(freeBytes / 1024 ** 2)} MB are free on the disk of DATA_DIR.`
  const mend = 'Free some space: both stores stop writing when the disk is full.'
  return { freeBytes, disk: [{ problem, mend }] }
}

/** The report without the lists that only serve a check. */
function shown(store: StoreReport | null): StoreReport | null {
  if (store === null) return null
  const { analyses: _, olderCounts: __, connections: ___, ...rest } = store
  return rest
}

async function inspectFolder(dataDir: DataDir, exists: boolean): Promise<Problem[]> {
  const [exposed, locked] = await Promise.all([
    exposedPlace(dataDir),
    exists ? undefined : lockedData(dataDir),
  ])
  return [
    ...(exposed
      ? [{ problem: `Other users of this machine can read ${exposed.place}.`, mend: exposed.mend }]
      : []),
    ...(locked
      ? [
          {
            problem: `${dataDir.secrets} is missing, and ${locked} cannot be opened without it.`,
            mend: 'Restore secrets.json from a backup.',
          },
        ]
      : []),
  ]
}

async function findOwner(dataDir: DataDir, problems: Problem[]): Promise<DataDirOwner | null> {
  try {
    const connection = await askOwner(dataDir, await readSecrets(dataDir))
    connection?.leave()
    return connection?.owner ?? null
  } catch (error) {
    const mend = 'End that process, or set DATA_DIR to another folder.'
    problems.push({ problem: (error as Error).message, mend })
    return null
  }
}

async function probeApi({ localUrl, temporary }: DataDirOwner): Promise<Problem[]> {
  if (temporary || localUrl === undefined) return []
  const why = await fetch(`${localUrl}/healthz`, { signal: AbortSignal.timeout(PROBE_MS) }).then(
    ({ ok, status }) => (ok ? undefined : `answers with status ${status}`),
    (error: Error) => `does not answer: ${error.message}`,
  )
  if (why === undefined) return []
  const mend = 'Read the log (logs/sightline.log in DATA_DIR), and start Sightline again.'
  return [{ problem: `The API at ${localUrl} ${why}.`, mend }]
}

/** The page of the metrics, where the service has one. */
async function probeMetrics({ METRICS_PORT }: Settings): Promise<Problem[]> {
  if (METRICS_PORT === undefined) return []
  const url = `${urlOf(METRICS_PORT.host, METRICS_PORT.port)}/metrics`
  const why = await fetch(url, { signal: AbortSignal.timeout(PROBE_MS) }).then(
    ({ ok, status }) => (ok ? undefined : `answer with status ${status}`),
    (error: Error) => `do not answer: ${error.message}`,
  )
  if (why === undefined) return []
  const mend = 'Start the service again with METRICS_PORT, or correct METRICS_PORT here.'
  return [{ problem: `The metrics at ${url} ${why}.`, mend }]
}

async function probePorts(settings: Settings): Promise<Problem[]> {
  const problems: Problem[] = samePorts(settings, ['PORT', 'TRACKER_PORT', 'METRICS_PORT']).map(
    (problem) => ({ problem, mend: 'Choose another for one of them.' }),
  )
  for (const setting of ['PORT', 'TRACKER_PORT', 'METRICS_PORT'] as const) {
    const address = addressOf(settings, setting)
    if (address === undefined) continue
    const server = createServer()
    try {
      await listen(server, address.host, address.port, setting)
      await new Promise((resolve) => server.close(resolve))
    } catch (error) {
      const mend = `Choose another address with ${setting} and HOST, or end the other program.`
      problems.push({ problem: (error as Error).message, mend })
    }
  }
  return problems
}

async function inspectStores(
  context: Context,
  { exists, running }: { exists: boolean; running: DataDirOwner | null },
  problems: Record<'catalog' | 'warehouse', Problem[]>,
): Promise<Pick<Diagnosis, 'catalog' | 'warehouse'>> {
  const { DATABASE_URL, CLICKHOUSE_URL } = context.settings
  // A check must not create the folder.
  const roles = [
    ...(DATABASE_URL || exists ? (['catalog'] as const) : []),
    ...(CLICKHOUSE_URL || exists ? (['warehouse'] as const) : []),
  ]
  const found: { catalog: StoreReport | null; warehouse: StoreReport | null } = {
    catalog: null,
    warehouse: null,
  }
  for (const role of roles) {
    const given = role === 'catalog' ? DATABASE_URL : CLICKHOUSE_URL
    const inspect = role === 'catalog' ? inspectCatalog : inspectWarehouse
    try {
      const report = await inspectOne(context, role, given, inspect)
      found[role] = report
      if (running && !running.temporary && report.migrations.pending.length > 0) {
        const problem = `The ${role} lacks the migrations ${report.migrations.pending.join(', ')}.`
        problems[role].push({ problem, mend: 'Run `npx sightline migrate`.' })
      }
    } catch (error) {
      problems[role].push(unreachable(role, given, error as Error))
    }
  }
  return found
}

async function inspectOne(
  context: Context,
  role: 'catalog' | 'warehouse',
  given: string | undefined,
  inspect: typeof inspectCatalog,
): Promise<StoreReport> {
  if (given) return inspect(given, true)
  const engines = await openEngines(context, [role], { command: ownCommand(), temporary: true })
  const url = role === 'catalog' ? engines.databaseUrl : engines.clickhouseUrl
  return inspect(url, false).finally(engines.close)
}

function unreachable(
  role: 'catalog' | 'warehouse',
  given: string | undefined,
  error: Error,
): Problem {
  const words = error.message || (error as NodeJS.ErrnoException).code || error.name
  if (!given) {
    const mend = 'Read logs/sightline.log in DATA_DIR, or restore DATA_DIR from a backup.'
    return { problem: `The ${role} does not work: ${words}`, mend }
  }
  return storeProblem(role === 'catalog' ? 'DATABASE_URL' : 'CLICKHOUSE_URL', given, error)
}

function withoutSecrets(settings: Settings): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(settings).map(([name, value]) => {
      if (name.endsWith('_KEY') && typeof value === 'string') return [name, '***']
      if (typeof value !== 'string' || !/^[a-z]+:[/][/]/i.test(value)) return [name, value]
      if (name === 'NATS_URL') return [name, value.replace(/[/][/][^@/,]*@/g, '//***@')]
      const url = new URL(value)
      if (url.password) url.password = '***'
      for (const key of url.searchParams.keys()) {
        if (/pass|secret|token|key/i.test(key)) url.searchParams.set(key, '***')
      }
      return [name, url.href]
    }),
  )
}
