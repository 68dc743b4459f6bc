import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest'
import { run } from '../../warehouse/run.ts'
import { useApi } from '../kit/api.ts'
import { bingSites, type FakeBing, startBing } from '../kit/bing.ts'
import { clearOfMidnight } from '../kit/day.ts'
import { type FakeGoogle, startGoogle } from '../kit/google.ts'
import { reportRow } from '../kit/imports/web-analytics.ts'
import { makeDataFolder, runJson } from '../kit/service.ts'

await clearOfMidnight(240_000)

const api = useApi()
let google: FakeGoogle
let bing: FakeBing
let folder: Awaited<ReturnType<typeof makeDataFolder>>
let keyFile = ''
let env: Record<string, string> = {}

const today = new Date().toISOString().slice(0, 10)
const yesterday = new Date(Date.now() - 24 * 60 * 60 * 1000).toISOString().slice(0, 10)

beforeAll(async () => {
  google = await startGoogle()
  bing = await startBing()
  folder = await makeDataFolder()
  keyFile = join(folder.parent, 'key.json')
  await writeFile(keyFile, google.credentials)
  const urls = { DATABASE_URL: inject('databaseUrl'), CLICKHOUSE_URL: inject('clickhouseUrl') }
  env = { ...urls, DATA_DIR: folder.path, ...google.env, ...bing.env }
})
beforeEach(() => {
  google.taken()
})
afterAll(async () => {
  await google.close()
  await bing.close()
  await folder.remove()
})

const pull = (what: string, project: string, ...more: string[]) =>
  runJson<Record<string, unknown>>(
    ['pull', what, '--project', project, '--credentials', keyFile, ...more],
    { env },
  )

const linkOf = (projectId: string) =>
  api.db.connection.findFirst({ where: { projectId }, select: { host: true, problem: true } })

async function countOf(table: string, project: string) {
  const [found] = await run(api.warehouse, {
    id: 'test.count',
    sql: `SELECT count() AS rows FROM ${table} FINAL WHERE project_id = {project:UUID}`,
    params: { project },
    row: (raw) => raw.rows,
  })
  return found
}

type Ask = Record<string, unknown>
const refused = (status: number) => () => ({
  status,
  body: { error: { code: status, message: 'No.' } },
})

/** So many queries of the day that is asked for, in pages as long as was asked for. */
const searches = (count: number) => (body: Ask) => {
  const [first, length] = [Number(body.startRow), Number(body.rowLimit)]
  const rows = Array.from({ length: Math.max(0, Math.min(length, count - first)) }, (_, i) => ({
    keys: [body.startDate, `query ${first + i}`, 'https://acme.com/', 'usa', 'MOBILE'],
    clicks: 1,
    impressions: 2,
    ctr: 0.5,
    position: 3,
  }))
  return { body: rows.length > 0 ? { rows } : {} }
}

test('clicks are pulled day by day, page by page, again and again, behind faults of theirs', async () => {
  const project = await (await api.workspace()).project()
  google.answer(refused(429), refused(503), searches(25_001))
  const site = 'https://www.acme.com/'
  const loaded = { read: 50_002, loaded: 50_002, rejected: [] }
  expect(await pull('search-console', project, '--days', '2', '--site', site)).toEqual(loaded)
  const asked = google.taken()
  const path = `/webmasters/v3/sites/${encodeURIComponent(site)}/searchAnalytics/query`
  expect(new Set(asked.map((each) => each.path))).toEqual(new Set([path]))
  const dimensions = ['date', 'query', 'page', 'country', 'device']
  const of = (day: string, startRow: number) => ({
    startDate: day,
    endDate: day,
    dimensions,
    type: 'web',
    rowLimit: 25_000,
    startRow,
  })
  const pages = [of(yesterday, 0), of(yesterday, 25_000), of(today, 0), of(today, 25_000)]
  expect(asked.map(({ body }) => body)).toEqual([pages[0], pages[0], ...pages])
  expect(await linkOf(project)).toEqual({ host: site, problem: null })
  // The linked site stands for none.
  expect(await pull('search-console', project, '--days', '2')).toEqual(loaded)
  expect(await countOf('search_console', project)).toBe(50_002)
})

test.each([
  [403, 'accessDenied', 'gsc_access_denied'],
  [404, 'notFound', 'gsc_site_not_linked'],
])(
  'a refusal with %i is told by the reports until a pull succeeds',
  async (status, problem, code) => {
    const workspace = await api.workspace()
    const project = await workspace.project()
    const { key } = await workspace.key()
    google.answer(refused(status))
    const failed = await pull('search-console', project)
    expect(failed).toMatchObject({ error: { code, message: `Google answered ${status}: No.` } })
    expect(google.taken()).toHaveLength(1)
    expect(await linkOf(project)).toEqual({ host: 'sc-domain:acme.com', problem })
    const ask = () => api.get(`/api/mcp/projects/${project}/gsc/queries`, key)
    expect((await ask()).status).toBe(status)
    google.answer(searches(2))
    expect(await pull('search-console', project, '--days', '1')).toMatchObject({ loaded: 2 })
    expect(await (await ask()).json()).toMatchObject({ pagination: { totalCount: 2 } })
  },
)

/** So many pages of yesterday, in pages as long as was asked for. */
const sessions = (count: number) => (body: Ask) => {
  const [offset, limit] = [Number(body.offset), Number(body.limit)]
  const rows = Array.from({ length: Math.max(0, Math.min(limit, count - offset)) }, (_, i) => {
    const { dimensionValues, metricValues } = reportRow({
      date: yesterday.replaceAll('-', ''),
      source: 'chatgpt.com',
    })
    const [date, , source, medium, host] = dimensionValues
    return {
      dimensionValues: [date, host, { value: `/${offset + i}` }, source, medium],
      metricValues,
    }
  })
  return { body: { rows, rowCount: count } }
}

test('sessions are pulled page by page, and the property is linked once they are there', async () => {
  const workspace = await api.workspace()
  const project = await workspace.project()
  const { key } = await workspace.key()
  expect(await pull('web-analytics', project)).toMatchObject({
    error: { code: 'invalid_argument' },
  })
  google.answer(refused(403))
  const denied = await pull('web-analytics', project, '--property', '42')
  expect(denied).toMatchObject({
    error: { message: '`--property` is not readable: Google answered 403: No.' },
  })
  expect(await linkOf(project)).toBeNull()
  google.taken()
  google.answer(sessions(25_001))
  const loaded = { read: 25_001, loaded: 25_001, rejected: [] }
  expect(
    await pull('web-analytics', project, '--property', 'properties/42', '--days', '2'),
  ).toEqual(loaded)
  const asked = google.taken()
  expect(asked.map(({ path, body }) => [path, body.offset, body.limit, body.dateRanges])).toEqual(
    ['0', '25000'].map((offset) => [
      '/v1beta/properties/42:runReport',
      offset,
      '25000',
      [{ startDate: yesterday, endDate: today }],
    ]),
  )
  expect(await linkOf(project)).toEqual({ host: '42', problem: null })
  expect(await pull('web-analytics', project, '--days', '2')).toEqual(loaded)
  expect(await countOf('web_analytics', project)).toBe(25_001)
  const response = await api.get(`/api/mcp/projects/${project}/ga4/ai-referrals`, key)
  expect(((await response.json()) as { rows: unknown }).rows).toEqual([
    { platform: 'chatgpt', source: 'chatgpt.com', sessions: 25_001, users: 25_001 },
  ])
  google.answer(refused(404))
  await pull('web-analytics', project)
  expect(await linkOf(project)).toEqual({ host: '42', problem: 'notFound' })
})

test('what cannot work is told before Google is asked', async () => {
  const project = await (await api.workspace()).project()
  await writeFile(join(folder.parent, 'none.json'), '{}')
  const wrong = (...more: string[]) => pull('search-console', project, ...more)
  expect(await wrong('--credentials', join(folder.parent, 'none.json'))).toMatchObject({
    error: {
      code: 'invalid_argument',
      details: { fieldErrors: { credentials: [expect.any(String)] } },
    },
  })
  expect(await wrong('--credentials', join(folder.parent, 'absent.json'))).toMatchObject({
    error: { code: 'file_not_readable' },
  })
  expect(await wrong('--days', '0')).toMatchObject({ error: { code: 'invalid_argument' } })
  expect(await pull('search-console', '8c1e0000-0000-4000-8000-000000000000')).toMatchObject({
    error: { code: 'not_found' },
  })
  expect(google.taken()).toEqual([])
  expect(await linkOf(project)).toBeNull()
})

test('a key to Bing is checked and stored, a site is added, listed and disconnected', async () => {
  const workspace = await api.workspace()
  const project = await workspace.project()
  bing.answer({ GetUserSites: bingSites('https://acme.com/') })
  const feed = (input: string, ...args: string[]) => runJson(['feed', ...args], { env, input })
  const setKey = (key: string) => feed(`${key}\n`, 'set-bing-key', '--workspace', workspace.id)
  const add = () => feed('', 'add-bing', '--project', project, '--site', 'https://acme.com')
  expect(await add()).toMatchObject({ error: { code: 'invalid_argument' } })
  expect(await setKey('ffffffffffffffffffffffffffffffff')).toMatchObject({
    error: {
      details: {
        fieldErrors: { key: [expect.stringContaining('Bing does not know the API key')] },
      },
    },
  })
  expect(await setKey(bing.key)).toEqual({ sites: ['https://acme.com/'], changed: true })
  expect(await add()).toMatchObject({ changed: true })
  expect(await feed('', 'list', '--project', project)).toMatchObject({
    feeds: [{ kind: 'bingWebmaster', name: 'https://acme.com/', account: null, problem: null }],
  })
  expect(await feed('', 'pull-bing', '--project', project)).toMatchObject({ changed: true })
  expect(await feed('', 'stop-bing', '--project', project)).toMatchObject({ changed: true })
  await api.db.connection.create({ data: { projectId: project, kind: 'bingWebmaster' } })
  expect(await runJson(['disconnect', 'bing', '--project', project], { env })).toMatchObject({
    changed: true,
  })
  expect(await linkOf(project)).toBeNull()
})
