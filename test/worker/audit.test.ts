import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { builtinBots } from '../../core/bots/bots.ts'
import { run } from '../../warehouse/run.ts'
import { useApi } from '../kit/api.ts'
import { asking } from '../kit/changes.ts'
import { askingRest } from '../kit/prompts.ts'
import { soundPage, startSmallSite } from '../kit/small-site.ts'
import { startTestWorker, type TestWorker } from '../kit/worker.ts'

const site = await startSmallSite()
const api = useApi({ ALLOW_PRIVATE_HOSTS: site.allowed }, undefined, {
  ownDatabase: true,
})

let project = ''
let key = ''
let worker: TestWorker
const pageIds: Record<string, string> = {}

const paths = ['/', '/a', '/b', '/c']
const addressOf = (path: string) => `http://shop.test${path}`

beforeAll(async () => {
  for (const path of paths) site.pages.set(path, soundPage(path))
  site.pages.set('/a', soundPage('/a', '<meta name="description" content="too short">'))
  site.pages.set(
    '/c',
    soundPage('/c').replace('</p></main>', ' <a href="/gone">Gone</a></p></main>'),
  )
  const workspace = await api.workspace()
  project = await workspace.project({ domain: 'shop.test' })
  key = (await workspace.key({ scopes: ['read', 'write'] })).key
  for (const path of paths) {
    const { id } = await api.db.page.create({
      data: {
        projectId: project,
        url: `https://shop.test${path}`,
        address: addressOf(path),
        slug: path,
        type: 'other',
        title: '',
        description: '',
      },
    })
    pageIds[path] = id
  }
  await workspace.load(project, [
    { platform: 'shop_answers', collectedAt: new Date().toISOString() },
  ])
  const shopBot = {
    id: 9001,
    name: 'ShopBot',
    vendor: 'Shop',
    platform: 'shop_answers',
    ...({ category: 'ai_search', pattern: 'ShopBot' } as const),
  }
  const crawlers = async () => ({ ...builtinBots, bots: [...builtinBots.bots, shopBot] })
  worker = await startTestWorker({ ...api, crawlers })
}, 60_000)
afterAll(() => site.close())

const rest = askingRest(
  api,
  () => project,
  () => key,
)
const graph = asking(api, () => key)

interface Listed {
  readonly id: string
  readonly type: string
  readonly url: string
  readonly status: string
  readonly resolution: string | null
  readonly firstSeenAt: string
}

async function audit(body: object = {}): Promise<string> {
  const reply = await rest('POST', '/audits', body)
  const { id } = reply.body.audit as { id: string }
  await worker.idle()
  return id
}

async function issues(query = ''): Promise<Listed[]> {
  return (await rest('GET', `/issues${query}`)).body.issues as unknown as Listed[]
}

const ofPage = (path: string, status = 'all') => issues(`?pageId=${pageIds[path]}&status=${status}`)
const types = (all: readonly Listed[]) => all.map(({ type }) => type).sort()

test('an audit reads its pages once and lists their faults', { timeout: 180_000 }, async () => {
  const id = await audit()
  const { body } = await rest('GET', `/audits/${id}`)
  expect(body.audit).toMatchObject({
    status: 'completed',
    progress: { done: 4, total: 4 },
    error: null,
  })
  expect(types(await ofPage('/a'))).toEqual(['description-length', 'title-missing'])
  expect(types(await ofPage('/b'))).toEqual([])
  expect(types(await ofPage('/c'))).toEqual(['broken-internal-links'])
  const ofSite = (await issues()).filter(({ url }) => !url.startsWith('https://shop.test/'))
  expect(types(ofSite)).toEqual(['https-missing', 'llms-txt-missing', 'sitemap-missing'])
  for (const path of paths) {
    expect([path, site.requests.filter((asked) => asked === path).length]).toEqual([path, 1])
  }
  const { body: listed } = await rest('GET', `/audits/${id}/pages`)
  const scores = { overall: 95.4, technical: 100, content: 77, aiReadiness: 100 }
  expect((listed.pages as unknown as object[])[1]).toMatchObject({
    pageId: pageIds['/a'],
    status: 'completed',
    httpStatus: 200,
    issueCount: 2,
    scores,
  })
  const { data } = await graph(
    `{ project(id: "${project}") { audit(id: "${id}") { scores { overall } scoreBreakdown { type points pages } } } }`,
  )
  const { scores: all, scoreBreakdown } = (data.project?.audit ?? {}) as {
    scores: { overall: number }
    scoreBreakdown: { type: string; points: number; pages: number }[]
  }
  // A high fault of content on one page of four: 20 · 0.2 / 4.
  expect(scoreBreakdown).toContainEqual({ type: 'title-missing', points: 1, pages: 1 })
  const lost = scoreBreakdown.reduce((sum, { points }) => sum + points, 0)
  expect(100 - lost).toBeCloseTo(all.overall, 2)
  const page = await rest('GET', `/pages/${pageIds['/b']}`)
  expect(page.body).toMatchObject({
    page: { title: 'The page /b of the shop', openIssueCount: 0, isBeingAudited: false },
    latestAudit: { id },
  })
  const [text] = await run<{ origin: string; content: string }>(api.warehouse, {
    id: 'test',
    sql: 'SELECT origin, content FROM page_contents WHERE project_id = {project:UUID} AND url = {url:String}',
    params: { project, url: 'https://shop.test/b' },
  })
  expect(text).toMatchObject({ origin: 'audit', content: expect.stringContaining('word219') })
})

test('a mended fault resolves, and opens again as the same issue', {
  timeout: 180_000,
}, async () => {
  const faulty = site.pages.get('/a') ?? ''
  const [, before] = (await ofPage('/a')).toSorted((a, b) => (a.type < b.type ? -1 : 1))
  const { data } = await graph(
    `mutation { ignoreIssue(projectId: "${project}", issueId: "${(await ofPage('/a')).find(({ type }) => type === 'description-length')?.id}", reason: "short is fine") { id } }`,
  )
  expect(data.ignoreIssue).not.toBeNull()
  site.pages.set('/a', soundPage('/a', '<title>The page with a title now</title>'))
  await audit({ pageIds: [pageIds['/a']] })
  const mended = await ofPage('/a')
  expect(mended.find(({ type }) => type === 'title-missing')).toMatchObject({
    id: before?.id,
    status: 'resolved',
    resolution: 'fixed',
  })
  // An audit of one page resolves nothing of the site.
  expect(types(await issues())).toContain('description-missing')
  site.pages.set('/a', faulty)
  await audit({ pageIds: [pageIds['/a']] })
  const { data: again } = await graph(
    `{ project(id: "${project}") { issue(id: "${before?.id}") { status firstSeenAt regressions } } }`,
  )
  expect(again.project?.issue).toEqual({
    status: 'open',
    firstSeenAt: before?.firstSeenAt,
    regressions: 1,
  })
  const ignored = (await ofPage('/a')).find(({ type }) => type === 'description-length')
  expect(ignored).toMatchObject({ status: 'resolved', resolution: 'ignored' })
  expect(types(await ofPage('/a', 'open'))).toEqual(['title-missing'])
})

test('open issues of removed pages and of retired checks resolve', {
  timeout: 180_000,
}, async () => {
  const at = new Date()
  const row = { url: addressOf('/x'), severity: 'low' as const, affectedCount: 1, reach: 0n }
  const times = { firstSeenAt: at, lastSeenAt: at, openedAt: at }
  const lost = [
    { id: randomUUID(), pageId: randomUUID(), check: 'h1-missing' },
    { id: randomUUID(), pageId: pageIds['/b'] ?? '', check: 'no-such-check' },
  ]
  await api.db.issue.createMany({
    data: lost.map((one) => ({
      ...one,
      ...row,
      ...times,
      projectId: project,
      evidence: [],
      decidedBy: 0n,
    })),
  })
  const open = await issues()
  await audit({ pageIds: [pageIds['/c']] })
  const where = { id: { in: lost.map(({ id }) => id) } }
  expect(await api.db.issue.findMany({ where, orderBy: { check: 'asc' } })).toMatchObject([
    { check: 'h1-missing', status: 'resolved', resolution: 'page_removed' },
    { check: 'no-such-check', status: 'resolved', resolution: 'check_retired' },
  ])
  expect(await issues()).toHaveLength(open.length - 2)
})

test('a cancelled audit leaves all issues unchanged', { timeout: 180_000 }, async () => {
  const before = await issues('?status=all')
  site.pages.set('/b', soundPage('/b', ''))
  site.before.set('/b', async () => {
    site.before.delete('/b')
    const running = await api.db.audit.findFirstOrThrow({ where: { status: 'running' } })
    await graph(
      `mutation { cancelAudit(projectId: "${project}", auditId: "${running.id}") { status } }`,
    )
  })
  const id = await audit()
  const { body } = await rest('GET', `/audits/${id}`)
  expect(body.audit).toMatchObject({ status: 'failed', error: 'cancelled', progress: { done: 2 } })
  expect(await issues('?status=all')).toEqual(before)
})

test('an audit knows the crawlers of the registry of the moment', {
  timeout: 180_000,
}, async () => {
  site.pages.set('/robots.txt', 'User-agent: ShopBot\nDisallow: /\n')
  await audit({ pageIds: [pageIds['/c']] })
  const blocked = await api.db.issue.findFirst({ where: { check: 'ai-search-bots-blocked' } })
  expect(blocked).toMatchObject({ affectedCount: 1, evidence: [{ crawler: 'ShopBot' }] })
})
