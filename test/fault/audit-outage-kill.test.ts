import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Catalog, createCatalog } from '../../prisma/client.ts'
import { migrateCatalog } from '../../prisma/migrate.ts'
import { createProject } from '../../resolvers/projects/create.ts'
import { sendJob } from '../../resolvers/shared/jobs.ts'
import { createWorkspace } from '../../resolvers/workspaces.ts'
import { migrateWarehouse } from '../../warehouse/migrate.ts'
import { run } from '../../warehouse/run.ts'
import { startTestPostgres, type TestPostgres } from '../kit/postgres.ts'
import { until } from '../kit/service.ts'
import { soundPage, startSmallSite } from '../kit/small-site.ts'
import { startTestWarehouse, type TestWarehouse } from '../kit/warehouse.ts'
import { type AuditWorker, startAuditWorker } from './audit-worker.ts'

/** PostgreSQL, then the warehouse end in the middle of an audit, and start again on the same ports. */

const pageCount = 30
const site = await startSmallSite()
const paths = Array.from({ length: pageCount }, (_, i) => `/page/${String(i).padStart(2, '0')}`)
let postgres: TestPostgres
let engine: TestWarehouse
let db: Catalog
let worker: AuditWorker
let projectId = ''
let auditId = ''

beforeAll(async () => {
  for (const [i, path] of paths.entries()) {
    // Every third page has a fault.
    const head = i % 3 === 0 ? `<title>Page ${i} of the shop</title>` : undefined
    site.pages.set(path, soundPage(path, head))
  }
  ;[postgres, engine] = await Promise.all([startTestPostgres(), startTestWarehouse()])
  await Promise.all([migrateCatalog(postgres.url), migrateWarehouse(engine.warehouse)])
  db = createCatalog(postgres.url)
  const { id: workspaceId } = await createWorkspace(db, { name: 'Test' })
  const input = { workspaceId, name: 'Acme', domain: 'shop.test' }
  projectId = (await createProject(db, input, 'x')).id
  const pages = paths.map((path) => ({
    id: crypto.randomUUID(),
    url: `https://shop.test${path}`,
    address: `http://shop.test${path}`,
  }))
  const text = { type: 'other', title: '', description: '' }
  await db.page.createMany({
    data: pages.map((page) => ({ ...page, ...text, projectId, slug: page.url })),
  })
  const audit = await db.audit.create({
    data: {
      projectId,
      pageCount,
      isWholeSite: true,
      pages: { create: pages.map(({ id: pageId, url, address }) => ({ pageId, url, address })) },
    },
  })
  auditId = audit.id
  worker = await startAuditWorker({
    databaseUrl: postgres.url,
    clickhouseUrl: engine.url,
    env: { ALLOW_PRIVATE_HOSTS: site.allowed },
  })
})

afterAll(async () => {
  await worker?.kill()
  await Promise.all([db?.$disconnect(), site.close()])
  await Promise.all([postgres?.stop(), engine?.stop()])
})

/** What the audit did at some moment; undefined while PostgreSQL is away. */
const seen = <T>(ask: () => Promise<T>) => ask().catch(() => undefined)

test('an audit goes on after both stores were away, and its issues are there once', async () => {
  let isPostgresBack: Promise<void> | undefined
  site.before.set(paths[8] ?? '', async () => {
    site.before.delete(paths[8] ?? '')
    await postgres.pause()
    // The page is answered first: the worker has a page to record, and no PostgreSQL.
    isPostgresBack = new Promise((resolve) => {
      setTimeout(() => resolve(postgres.resume()), 3000)
    })
  })
  site.before.set(paths[20] ?? '', async () => {
    site.before.delete(paths[20] ?? '')
    await engine.kill()
  })
  await sendJob(db, 'audit', { auditId })

  const failures = async () => {
    const [row] = await db.$queryRaw<{ n: number }[]>`
      SELECT coalesce(max(retry_count), 0)::int AS n FROM pgboss.job WHERE name = 'audit'`
    return row?.n ?? 0
  }
  const pagesLeft = () => db.auditPage.count({ where: { auditId, status: 'queued' } })
  await until(async () => (await seen(pagesLeft)) === 0, 200_000)
  await isPostgresBack
  // All pages are read, and their texts cannot be kept.
  const before = await failures()
  await until(async () => ((await seen(failures)) ?? 0) > before, 60_000)
  expect(await db.audit.findUnique({ where: { id: auditId } })).toMatchObject({ status: 'running' })
  await engine.restart()

  const audit = () => db.audit.findUniqueOrThrow({ where: { id: auditId } })
  await until(async () => (await audit()).status !== 'running', 100_000)
  expect(await audit()).toMatchObject({ status: 'completed', error: null })
  expect(worker.isAlive).toBe(true)
  const statuses = await db.auditPage.groupBy({ by: ['status'], where: { auditId }, _count: true })
  expect(statuses).toMatchObject([{ status: 'completed', _count: pageCount }])
  const issues = await db.issue.findMany({ where: { projectId } })
  const byCheck = Object.groupBy(issues, ({ check }) => check)
  const counts = Object.entries(byCheck).map(([check, all]) => [check, all?.length])
  expect(Object.fromEntries(counts)).toEqual({
    // Ten pages have a title and no description. No page links to any.
    'description-missing': 10,
    'orphan-page': pageCount,
    'broken-internal-links': pageCount,
    'https-missing': 1,
    'llms-txt-missing': 1,
    'sitemap-missing': 1,
  })
  const [texts] = await run<{ rows: number; urls: number }>(engine.warehouse, {
    id: 'test',
    sql: 'SELECT count() AS rows, uniqExact(url) AS urls FROM page_contents FINAL',
  })
  expect(texts).toEqual({ rows: pageCount, urls: pageCount })
  expect(await db.auditText.count()).toBe(0)
  // Only the page that was read when PostgreSQL ended was asked again.
  const times = paths.map((path) => site.requests.filter((asked) => asked === path).length)
  expect(times).toEqual(paths.map((_, i) => (i === 8 ? 2 : 1)))
}, 400_000)
