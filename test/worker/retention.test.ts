import { afterAll, beforeAll, expect, test } from 'vitest'
import { readSettings } from '../../core/settings.ts'
import { importAnswers } from '../../imports/answers/answers.ts'
import { insert, run } from '../../warehouse/run.ts'
import { enforceRetention } from '../../worker/retention/retention.ts'
import { startEmptyService } from '../kit/data-folders.ts'
import { openStores } from '../kit/load.ts'
import { runJson, type TestService } from '../kit/service.ts'

// The stores are of this file alone: a month is dropped for all projects.
let service: TestService
let stores: Awaited<ReturnType<typeof openStores>>
let key = ''
let projectId = ''
let workspaceId = ''

const now = new Date('2026-03-20T12:00:00Z')
const all = { from: '2025-12-01', to: '2026-03-20' }
const kept = { from: '2026-02-18', to: '2026-03-20' }
/** The equal window before it, which changes compare it with, is kept too. */
const inside = { from: '2026-03-06', to: '2026-03-20' }

/** An answer that names the brand, at noon of each day. */
const lineOf = (day: string) =>
  JSON.stringify({
    prompt: 'best headphones',
    platform: 'chatgpt',
    text: 'Acme is good.',
    collectedAt: `${day}T12:00:00Z`,
    citations: [{ url: `https://example.com/${day}` }],
  })

async function answers({ from, to }: { from: string; to: string }): Promise<number> {
  const query = `{ project(id: "${projectId}") {
    answers(window: { from: "${from}", to: "${to}" }) { totalCount }
  } }`
  const response = await fetch(`${service.url}/graphql`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ query }),
  })
  const { data } = (await response.json()) as {
    data: { project: { answers: { totalCount: number } } }
  }
  return data.project.answers.totalCount
}

async function rest(path: string, { from, to }: { from: string; to: string }): Promise<unknown> {
  const response = await service.get(
    `/api/mcp/projects/${projectId}/${path}?from=${from}&to=${to}`,
    key,
  )
  return [response.status, await response.json()]
}

const keep = (env: Record<string, string>, at = now) =>
  enforceRetention({ ...stores, settings: readSettings(env) }, at)

const rowsOf = (table: string) =>
  run(stores.warehouse, {
    id: 'test.rows',
    sql: `SELECT count() AS rows FROM ${table} WHERE project_id = {projectId:UUID}`,
    params: { projectId },
    row: ({ rows }) => Number(rows),
  }).then(([rows]) => rows)

beforeAll(async () => {
  service = await startEmptyService()
  const make = <T = { id: string; key: string }>(...args: string[]) =>
    runJson<T>(args, { env: service.env })
  workspaceId = (await make('workspace', 'create', '--name', 'Acme')).id
  const of = ['--workspace', workspaceId]
  const project = await make('project', 'create', ...of, '--name', 'Acme', '--domain', 'acme.com')
  projectId = project.id
  key = (await make('key', 'create', ...of, '--scope', 'read')).key
  stores = await openStores(service)
  // Two in December, one in January, two in February on both sides of the first kept day, one in March.
  const days = ['2025-12-01', '2025-12-31', '2026-01-15', '2026-02-17', '2026-02-18', '2026-03-20']
  await importAnswers(stores, { projectId, lines: days.map(lineOf) })
})
afterAll(async () => {
  await stores.close()
  await service.stop()
})

test('without a setting, everything is kept', async () => {
  expect(await keep({})).toEqual({})
  expect(await answers(all)).toBe(6)
})

test('answers older than the days that are kept go, and reports of kept days stay as they are', async () => {
  const reports = ['visibility', 'sources/domains', 'sentiment']
  const before = await Promise.all(reports.map((path) => rest(path, inside)))
  expect(await answers(kept)).toBe(2)
  // 30 days before 20 March begin on 18 February.
  const env = { RETENTION_DAYS: 'answers=30' }
  expect(await keep(env)).toEqual({ answers: '2026-02-18' })
  expect(await answers(all)).toBe(2)
  expect(await Promise.all(reports.map((path) => rest(path, inside)))).toEqual(before)
  // A change against days that are gone is unknown.
  expect(JSON.stringify(await rest('visibility', kept))).toContain('"scoreChange":null')
  expect(await rest('sources/urls', all)).toMatchObject([
    200,
    {
      urls: [{ url: 'https://example.com/2026-02-18' }, { url: 'https://example.com/2026-03-20' }],
    },
  ])
  const tables = ['answers', 'citations', 'mentions']
  expect(await Promise.all(tables.map(rowsOf))).toEqual([2, 2, 2])
  const project = await stores.db.project.findUniqueOrThrow({ where: { id: projectId } })
  expect(project.dataAvailableFrom?.toISOString()).toBe('2026-02-18T00:00:00.000Z')
})

test('a second run finds nothing, and an import goes on as before', async () => {
  const { visibleLoad } = await stores.db.project.findUniqueOrThrow({ where: { id: projectId } })
  await keep({ RETENTION_DAYS: 'answers=30' })
  const after = await stores.db.project.findUniqueOrThrow({ where: { id: projectId } })
  expect(after.visibleLoad).toBe(visibleLoad)
  await importAnswers(stores, { projectId, lines: ['2026-03-20', '2026-03-19'].map(lineOf) })
  expect(await answers(all)).toBe(3)
})

test('crawler hits, analytics and page contents each have their own days', async () => {
  const hit = (day: string) => ({
    project_id: projectId,
    timestamp: `${day}T08:00:00Z`,
    event_name: 'server_request',
    path: `/${day}`,
    verification: 'claimed',
  })
  const clicks = (day: string) => ({
    project_id: projectId,
    day,
    query: 'a',
    page: 'p',
    shape: 's',
    clicks: 1,
    impressions: 2,
    position: 1,
    loaded_at: `${day}T08:00:00Z`,
  })
  const content = (day: string) => ({
    project_id: projectId,
    url: `https://acme.com/${day}`,
    title: 't',
    content: 'c',
    fetched_at: `${day}T08:00:00Z`,
  })
  const days = ['2026-01-10', '2026-03-09', '2026-03-10', '2026-03-11']
  const fill: Record<string, (day: string) => Record<string, unknown>> = {
    crawler_hits: hit,
    search_console: clicks,
    page_contents: content,
  }
  for (const [table, rowOf] of Object.entries(fill)) {
    await insert(stores.warehouse, { table, rows: days.map(rowOf), token: `${table}-retention` })
  }
  const versions = () => stores.db.dataVersion.findMany({ where: { projectId, kind: 'contents' } })
  expect(await versions()).toEqual([])
  await keep({ RETENTION_DAYS: 'crawler_hits=10, analytics=11, page_contents=9' })
  // Kept replies about the removed texts end.
  expect(await versions()).toMatchObject([{ version: 1n }])
  const tables = ['crawler_hits', 'search_console', 'page_contents', 'answers']
  expect(await Promise.all(tables.map(rowsOf))).toEqual([2, 3, 1, 3])
})

test('ended audits go, except the newest of the project and of each page; so do entries of the audit trail', async () => {
  const { db } = stores
  const at = (day: string) => new Date(`${day}T00:00:00Z`)
  const page = (url: string) => ({ url, slug: url, type: 'page', title: url, description: '' })
  const [one, two] = await db.page.createManyAndReturn({
    data: ['https://acme.com/1', 'https://acme.com/2'].map((url) => ({ projectId, ...page(url) })),
  })
  const audit = async (day: string, pages: (typeof one)[]) => {
    const { id } = await db.audit.create({
      data: {
        projectId,
        status: 'completed',
        pageCount: pages.length,
        isWholeSite: false,
        createdAt: at(day),
      },
    })
    const rows = pages.map((of) => ({
      pageId: of?.id ?? '',
      url: of?.url ?? '',
      address: of?.url ?? '',
    }))
    await db.auditPage.createMany({ data: rows.map((row) => ({ auditId: id, ...row })) })
    return id
  }
  await audit('2026-01-01', [one])
  const newestOfTwo = await audit('2026-01-02', [one, two])
  const newest = await audit('2026-01-03', [one])
  await keep({ RETENTION_DAYS: 'audits=30' })
  const left = await db.audit.findMany({ where: { projectId }, orderBy: { seq: 'asc' } })
  expect(left.map(({ id }) => id)).toEqual([newestOfTwo, newest])

  const entries = () => db.auditEntry.count({ where: { workspaceId } })
  const before = await entries()
  await db.auditEntry.create({
    data: {
      workspaceId,
      action: 'topic.create',
      subjectType: 'topic',
      subjectId: projectId,
      at: at('2026-01-01'),
    },
  })
  await keep({ RETENTION_DAYS: 'audit_trail=30' })
  expect(await entries()).toBe(before)
})
