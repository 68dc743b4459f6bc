import { randomBytes } from 'node:crypto'
import { Agent, get, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { pino } from 'pino'
import { readSettings } from '../core/settings.ts'
import { type Metrics, openMetrics } from '../observability/registry.ts'
import { type Catalog, createCatalog } from '../prisma/client.ts'
import { migrateCatalog } from '../prisma/migrate.ts'
import { createKey } from '../resolvers/keys/keys.ts'
import { createProject } from '../resolvers/projects/create.ts'
import { createWorkspace } from '../resolvers/workspaces.ts'
import { startApi } from '../server.ts'
import { startTestPostgres } from '../test/kit/postgres.ts'
import { startTestWarehouse } from '../test/kit/warehouse.ts'
import { freePort } from '../test/kit/web/free-port.ts'
import type { Warehouse } from '../warehouse/client.ts'
import { migrateWarehouse } from '../warehouse/migrate.ts'

/** A whole service on temporary folders and free ports, for one measurement. */
export interface BenchService {
  readonly url: string
  readonly db: Catalog
  readonly databaseUrl: string
  readonly warehouse: Warehouse
  readonly warehouseUrl: string
  readonly warehousePid: number
  readonly metrics: Metrics
  readonly projectId: string
  readonly key: string
  /** Another key, with a rate of its own. */
  newKey(): Promise<string>
  stop(): Promise<void>
}

export async function startBenchService(): Promise<BenchService> {
  const [postgres, engine] = await Promise.all([startTestPostgres(), startTestWarehouse()])
  await Promise.all([migrateCatalog(postgres.url), migrateWarehouse(engine.warehouse)])
  const db = createCatalog(postgres.url)
  const metrics = openMetrics('api')
  // A browser signs in at the address that the service knows as its own.
  const port = await freePort()
  const api = await startApi({
    metrics,
    settings: readSettings({ PORT: String(port) }),
    databaseUrl: postgres.url,
    clickhouseUrl: engine.url,
    secrets: { cursorSecret: randomBytes(32).toString('base64url'), signingSecrets: ['bench'] },
    log: pino({ level: 'silent' }),
  })
  await new Promise<void>((resolve) => api.server.listen(port, '127.0.0.1', resolve))
  const workspaceId = (await createWorkspace(db, { name: 'Bench' })).id
  const project = { workspaceId, name: 'Sony', domain: 'sony.com' }
  const projectId = (await createProject(db, project, 'bench')).id
  const newKey = async () => (await createKey(db, { workspaceId, scopes: ['read'] })).key
  return {
    url: `http://127.0.0.1:${port}`,
    db,
    databaseUrl: postgres.url,
    warehouse: engine.warehouse,
    warehouseUrl: engine.url,
    warehousePid: engine.pid,
    metrics,
    projectId,
    key: await newKey(),
    newKey,
    async stop() {
      await api.close()
      await db.$disconnect()
      await Promise.all([postgres.stop(), engine.stop()])
    },
  }
}

const agent = new Agent({ keepAlive: true })

/** Reads a report of the project. `fetch` would take a millisecond of its own for each. */
export async function readReport<Report>(
  { url, projectId }: BenchService,
  path: string,
  key: string,
): Promise<Report> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  const headers = { authorization: `Bearer ${key}` }
  get(`${url}/api/mcp/projects/${projectId}/${path}`, { agent, headers }, resolve).on(
    'error',
    reject,
  )
  const response = await promise
  const body = await text(response)
  if (response.statusCode !== 200) throw new Error(`${path}: ${response.statusCode} ${body}`)
  return JSON.parse(body) as Report
}

/** Milliseconds of each of `times` calls, one after the other, after a warm-up. */
export async function timed(times: number, call: () => Promise<unknown>): Promise<number[]> {
  for (let i = 0; i < Math.min(5, times); i++) await call()
  const all: number[] = []
  for (let i = 0; i < times; i++) {
    const began = performance.now()
    await call()
    all.push(performance.now() - began)
  }
  return all.sort((a, b) => a - b)
}

/** The value below which a share of the sorted values lies. */
export function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

/** The middle one of values in any order. */
export const median = (values: readonly number[]): number =>
  quantile(
    values.toSorted((a, b) => a - b),
    0.5,
  )

/** A path with more parameters of its query. */
export const withQuery = (path: string, query: string): string =>
  `${path}${path.includes('?') ? '&' : '?'}${query}`

export function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

/** Prints time, pace and the memory of this process, the most of it less that of the start. */
export async function measureAnswers(
  name: string,
  work: () => Promise<{ answers: number }>,
): Promise<void> {
  const before = process.memoryUsage().rss
  let most = before
  const timer = setInterval(() => {
    most = Math.max(most, process.memoryUsage().rss)
  }, 50)
  const began = performance.now()
  const { answers: done } = await work()
  const seconds = (performance.now() - began) / 1000
  clearInterval(timer)
  const megabytes = Math.round((most - before) / 1_048_576)
  say(
    `${name.padEnd(12)}${done} answers in ${seconds.toFixed(1)} s, ${Math.round(done / seconds)} a second, +${megabytes} MB`,
  )
}
