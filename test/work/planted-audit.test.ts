import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { useApi } from '../kit/api.ts'
import { site } from '../kit/audit/cases.ts'
import {
  addPlantedPages,
  importPlantedFacts,
  importTexts,
  refreshPlantedSitemap,
} from '../kit/audit/import-facts.ts'
import { siteTruthOf, startAuditSite, truthOf } from '../kit/audit/site.ts'
import { asking } from '../kit/changes.ts'
import { dayMs } from '../kit/day.ts'
import { askingRest } from '../kit/prompts.ts'
import { connectSource } from '../kit/tracker/hits.ts'
import { startTestWorker, type TestWorker } from '../kit/worker.ts'

/** Audits of the planted site by a real worker, from the request to its issues. */

const start = new Date('2026-06-15T12:00:00Z')
vi.useFakeTimers({ toFake: ['Date'], now: start })
afterAll(() => vi.useRealTimers())

const planted = await startAuditSite()
afterAll(() => planted.close())
const api = useApi({ ALLOW_PRIVATE_HOSTS: planted.privateHosts, AUDIT_DELAY_MS: '0' }, undefined, {
  ownDatabase: true,
})

let project = ''
let key = ''
let worker: TestWorker
let pageIds: ReadonlyMap<string, string>

beforeAll(async () => {
  const workspace = await api.workspace()
  const competitors = [{ name: 'Rival', domain: 'rival.test', aliases: [] }]
  project = await workspace.project({ domain: 'shop.test', competitors })
  key = (await workspace.key({ scopes: ['read', 'write'] })).key
  pageIds = await addPlantedPages(api, project)
  await connectSource(api.db, project)
  await importPlantedFacts(api, workspace, project, new Date(start.getTime() - 5 * dayMs))
  await refreshPlantedSitemap(api, project, planted)
  worker = await startTestWorker(api)
}, 60_000)

const rest = askingRest(
  api,
  () => project,
  () => key,
)

async function audit(body: object = {}): Promise<void> {
  const reply = await rest('POST', '/audits', body)
  const { id } = reply.body.audit as { id: string }
  await worker.idle()
  const { body: got } = await rest('GET', `/audits/${id}`)
  expect(got.audit).toMatchObject({ status: 'completed', error: null })
}

const graph = asking(api, () => key)

interface Listed {
  readonly id: string
  readonly pageId: string | null
  readonly url: string
  readonly type: string
  readonly resolution: string | null
}

async function issues(status: 'open' | 'all' = 'open'): Promise<Listed[]> {
  const reply = await rest('GET', `/issues?limit=5000&status=${status}`)
  return reply.body.issues as unknown as Listed[]
}

/** The open issues of a page, by GraphQL. */
async function issuesInGraph(pageId: string | undefined) {
  const { data } = await graph(
    `{ project(id: "${project}") { issues(filter: { pageId: "${pageId}" }) { issues: nodes { type status affectedCount } } } }`,
  )
  return (data.project?.issues as { issues: unknown } | undefined)?.issues
}
/** ClaudeBot was refused four times, of six requests of AI crawlers. */
const refusedOpen = { type: 'crawlers-refused', status: 'open', affectedCount: 4 }

/** Checks by page address and by origin, of those that have any. */
async function found(): Promise<Record<string, string[]>> {
  const rows = await api.db.issue.findMany({ where: { projectId: project, status: 'open' } })
  const addresses = new Map([...pageIds].map(([address, id]) => [id, address]))
  const byName = Object.groupBy(rows, ({ pageId, origin }) =>
    pageId === null ? `site ${origin}` : (addresses.get(pageId) ?? ''),
  )
  return Object.fromEntries(
    Object.entries(byName).map(([name, all]) => [name, (all ?? []).map((row) => row.check).sort()]),
  )
}

function truth(withFacts: boolean): Record<string, string[]> {
  const origins = new Set([...pageIds.keys()].map((address) => new URL(address).origin))
  const all = [
    ...[...pageIds.keys()].map((at) => [at, [...truthOf(planted, at, withFacts)]] as const),
    ...[...origins].map((at) => [`site ${at}`, siteTruthOf(planted, at, withFacts)] as const),
  ]
  return Object.fromEntries(
    all.flatMap(([name, faults]) => (faults.length > 0 ? [[name, faults.toSorted()]] : [])),
  )
}

test('an audit finds exactly the planted faults, by page and by origin', {
  timeout: 300_000,
}, async () => {
  await audit()
  expect(await found()).toEqual(truth(true))
  const refused = pageIds.get(`${site}/case/crawlersrefused`)
  expect(await issuesInGraph(refused)).toEqual([refusedOpen])
  const counted = Object.values(truth(true)).flat().length
  expect(await issues()).toHaveLength(counted)
})

test('a site is asked by one user agent, for each page once, and for nothing that robots.txt forbids', () => {
  const agents = new Set(planted.requests.map(({ agent }) => agent))
  expect([...agents]).toEqual([
    expect.stringMatching(/^Mozilla\/5\.0 \(compatible; SightlineBot\//),
  ])
  const gets = planted.requests.filter(({ method }) => method === 'GET')
  const times = (address: string) => gets.filter((each) => each.address === address).length
  expect(times(`${site}/case/titlelength`)).toBe(1)
  expect(times(`${site}/private/all`)).toBe(0)
  // A slow page is measured twice, and a failing one has three tries.
  expect(times(`${site}/case/slowresponse`)).toBe(2)
  expect(times(`${site}/case/servererror`)).toBe(3)
})

test('an audit of some pages judges these alone, by the facts of its own window', {
  timeout: 300_000,
}, async () => {
  const audited = ['citedpagemissing', 'crawlersrefused', 'titlelength'].map(
    (name) => pageIds.get(`${site}/case/${name}`) ?? '',
  )
  const [missing, refused, length] = audited
  const before = await issues('all')
  // The answers and the requests of crawlers are older than 30 days, and no source is connected.
  vi.setSystemTime(start.getTime() + 40 * dayMs)
  const { count } = await api.db.connection.deleteMany({ where: { projectId: project } })
  expect(count).toBe(1)
  await audit({ pageIds: audited })
  const after = await issues('all')
  const ofPage = (id: string | undefined) =>
    after.filter(({ pageId }) => pageId === id).map(({ type, resolution }) => [type, resolution])
  expect(ofPage(missing)).toEqual([
    ['cited-page-missing', 'superseded'],
    ['page-not-found', null],
  ])
  // Without a source there is nothing to see.
  expect(ofPage(refused)).toEqual([['crawlers-refused', null]])
  expect(await issuesInGraph(refused)).toEqual([refusedOpen])
  // No page of the audit links to this one, which makes it no orphan.
  expect(ofPage(length)).toEqual([['title-length', null]])
  const others = (all: readonly Listed[]) =>
    all.filter(({ pageId, url }) =>
      pageId === null ? !url.startsWith(site) : !audited.includes(pageId),
    )
  expect(others(after)).toEqual(others(before))
})

test('mended faults resolve, and no other issue opens', { timeout: 300_000 }, async () => {
  const before = await issues()
  planted.mended.add('all')
  await connectSource(api.db, project)
  await importTexts(api, project, new Date(), 20)
  await refreshPlantedSitemap(api, project, planted)
  await audit()
  expect(await found()).toEqual(truth(false))
  const after = new Map((await issues('all')).map((issue) => [issue.id, issue]))
  const resolutions = before.map(({ id }) => after.get(id)?.resolution)
  expect([...new Set(resolutions)].sort()).toEqual(['fixed', null])
})
