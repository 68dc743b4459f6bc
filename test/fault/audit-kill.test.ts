import { PgBoss } from 'pg-boss'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { queueSchema } from '../../core/queues.ts'
import { useApi } from '../kit/api.ts'
import { askingRest } from '../kit/prompts.ts'
import { until } from '../kit/service.ts'
import { soundPage, startSmallSite } from '../kit/small-site.ts'
import { type AuditWorker, startAuditWorker } from './audit-worker.ts'

/** Workers are killed while they read the pages of an audit. */

const pageCount = 100
const kills = 10

const site = await startSmallSite()
const api = useApi({ ALLOW_PRIVATE_HOSTS: site.allowed }, undefined, { ownDatabase: true })
const workers = new Map<string, AuditWorker>()
let supervisor: PgBoss
let project = ''
let key = ''

const paths = Array.from({ length: pageCount }, (_, i) => `/page/${String(i).padStart(3, '0')}`)

beforeAll(async () => {
  for (const [i, path] of paths.entries()) {
    // Every third page has a fault.
    const head = i % 3 === 0 ? `<title>Page ${i} of the shop</title>` : undefined
    site.pages.set(path, soundPage(path, head))
  }
  const workspace = await api.workspace()
  project = await workspace.project({ domain: 'shop.test' })
  key = (await workspace.key({ scopes: ['read', 'write'] })).key
  await api.db.page.createMany({
    data: paths.map((path) => ({
      projectId: project,
      url: `https://shop.test${path}`,
      slug: path,
      type: 'other',
      address: `http://shop.test${path}`,
      title: '',
      description: '',
    })),
  })
  supervisor = new PgBoss({
    connectionString: api.databaseUrl,
    schema: queueSchema,
    migrate: false,
    createSchema: false,
    schedule: false,
    supervise: false,
  })
  supervisor.on('error', () => undefined)
  await supervisor.start()
}, 60_000)

afterAll(async () => {
  await Promise.all([...workers.values()].map((worker) => worker.kill()))
  await supervisor.stop({ graceful: false })
  await site.close()
})

let started = 0

/** Starts a worker, whose user agent names it. */
async function addWorker(): Promise<void> {
  const url = `http://worker-${started++}`
  const env = { ALLOW_PRIVATE_HOSTS: site.allowed, PUBLIC_URL: url }
  workers.set(url, await startAuditWorker({ databaseUrl: api.databaseUrl, env }))
}

/**
 * Kills the worker that asked. Its job waits neither ten seconds until the missing heartbeat is noticed, nor for the
 * pause before a retry.
 */
async function killWorkerOf(agent: string): Promise<void> {
  const [url = ''] = /http:\/\/worker-\d+/.exec(agent) ?? []
  const victim = workers.get(url)
  workers.delete(url)
  await victim?.kill()
  await api.db.$executeRaw`
    UPDATE pgboss.job SET heartbeat_on = now() - interval '1 minute'
     WHERE name = 'audit' AND state = 'active'`
  await supervisor.supervise('audit')
  await api.db.$executeRaw`
    UPDATE pgboss.job SET start_after = now() WHERE name = 'audit' AND state = 'retry'`
}

const rest = askingRest(
  api,
  () => project,
  () => key,
)

async function audit(): Promise<string> {
  const { body } = await rest('POST', '/audits', {})
  return (body.audit as { id: string }).id
}

const isOver = async (id: string) => {
  const { status } = await api.db.audit.findUniqueOrThrow({ where: { id } })
  return status !== 'queued' && status !== 'running'
}

/** What an audit found, without its times. */
async function resultOf(id: string) {
  const { status, error, scores, issueCount } = await api.db.audit.findUniqueOrThrow({
    where: { id },
  })
  const pages = await api.db.auditPage.findMany({
    where: { auditId: id },
    select: { url: true, status: true, httpStatus: true, scores: true, issueCount: true },
    orderBy: { url: 'asc' },
  })
  const issues = await api.db.issue.findMany({
    where: { projectId: project },
    select: { id: true, check: true, status: true, affectedCount: true, regressions: true },
    orderBy: { id: 'asc' },
  })
  return { status, error, scores, issueCount, pages, issues }
}

test(`an audit of ${pageCount} pages ends the same after ${kills} × SIGKILL of its worker`, {
  timeout: 900_000,
}, async () => {
  await Promise.all([addWorker(), addWorker()])
  const undisturbed = await audit()
  await until(() => isOver(undisturbed), 200_000)
  const expected = await resultOf(undisturbed)
  expect(expected).toMatchObject({ status: 'completed', error: null })
  expect(expected.pages.every(({ status }) => status === 'completed')).toBe(true)

  const fatal = paths.filter((_, i) => i % 10 === 5).slice(0, kills)
  expect(fatal).toHaveLength(kills)
  const replaced: Promise<void>[] = []
  for (const path of fatal) {
    site.before.set(path, async (agent) => {
      site.before.delete(path)
      await killWorkerOf(agent)
      replaced.push(addWorker())
    })
  }
  site.requests.length = 0
  const disturbed = await audit()
  await until(() => isOver(disturbed), 600_000)
  await Promise.all(replaced)
  expect(await resultOf(disturbed)).toEqual(expected)
  const times = (path: string) => site.requests.filter((asked) => asked === path).length
  expect(paths.map(times)).toEqual(paths.map((path) => (fatal.includes(path) ? 2 : 1)))
  expect(started).toBe(kills + 2)
})
