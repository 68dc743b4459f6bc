import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { useApi } from '../kit/api.ts'
import { asking } from '../kit/changes.ts'
import { askingRest } from '../kit/prompts.ts'
import { soundPage, startSmallSite } from '../kit/small-site.ts'
import { startTestWorker, type TestWorker } from '../kit/worker.ts'

/** Audits that cannot read or ask everything go on with the rest. */

const start = new Date('2026-06-15T12:00:00Z')
vi.useFakeTimers({ toFake: ['Date'], now: start })
afterAll(() => vi.useRealTimers())

const site = await startSmallSite()
afterAll(() => site.close())
const api = useApi({ ALLOW_PRIVATE_HOSTS: site.allowed }, undefined, {
  ownDatabase: true,
})
let project = ''
let key = ''
let worker: TestWorker
const rest = askingRest(
  api,
  () => project,
  () => key,
)
const graph = asking(api, () => key)

beforeAll(async () => {
  worker = await startTestWorker(api)
})
beforeEach(async () => {
  vi.setSystemTime(start)
  site.requests.length = 0
  const workspace = await api.workspace()
  project = await workspace.project({ domain: 'shop.test' })
  key = (await workspace.key({ scopes: ['read', 'write'] })).key
})

async function addPage(path: string, address = `http://shop.test${path}`): Promise<void> {
  const text = { slug: path, type: 'other', title: '', description: '' }
  await api.db.page.create({
    data: { projectId: project, url: `https://shop.test${path}`, address, ...text },
  })
}

/** Audits all pages: the audit and the states of its pages, through both doors. */
async function audit() {
  const { id } = (await rest('POST', '/audits', {})).body.audit as { id: string }
  await worker.idle()
  const { body } = await rest('GET', `/audits/${id}`)
  const listed = (await rest('GET', `/audits/${id}/pages`)).body.pages as unknown as {
    url: string
    status: string
  }[]
  const { data } = await graph(`{ project(id: "${project}") { audit(id: "${id}") {
    status error pages { nodes { url status } } } } }`)
  const { status, error } = body.audit as { status: string; error: string | null }
  const pages = listed.map((page) => ({ url: page.url, status: page.status }))
  expect(data.project?.audit).toEqual({ status, error, pages: { nodes: pages } })
  return { status, error, pages: pages.map((page) => page.status) }
}

const typesOf = async () => {
  const { issues } = (await rest('GET', '/issues')).body as unknown as {
    issues: { type: string }[]
  }
  return issues.map(({ type }) => type)
}

test('link targets that the budget leaves out are not asked, and count as whole', async () => {
  for (const path of ['/a', '/b']) {
    site.pages.set(path, soundPage(path))
    await addPage(path)
  }
  site.before.set('/b', async () => {
    site.before.delete('/b')
    // Two pages have 15 minutes and 30 seconds.
    vi.setSystemTime(start.getTime() + 16 * 60_000)
  })
  expect(await audit()).toEqual({
    status: 'completed',
    error: 'budget_exhausted',
    pages: ['completed', 'completed'],
  })
  expect(site.requests).not.toContain('/c')
  expect(await typesOf()).not.toContain('broken-internal-links')
  // The next audit has time for all: both pages link to `/c`, which does not exist.
  expect(await audit()).toMatchObject({ status: 'completed', error: null })
  expect(site.requests.filter((path) => path === '/c')).toHaveLength(2)
  expect(await typesOf()).toContain('broken-internal-links')
})

test('pages that the budget leaves out are skipped', async () => {
  for (const path of ['/a', '/b', '/d']) {
    site.pages.set(path, soundPage(path))
    await addPage(path)
  }
  site.before.set('/a', async () => {
    site.before.delete('/a')
    vi.setSystemTime(start.getTime() + 16 * 60_000)
  })
  expect(await audit()).toEqual({
    status: 'completed',
    error: 'budget_exhausted',
    pages: ['completed', 'skipped', 'skipped'],
  })
})

test('a page that cannot be read for our own fault has failed, and the audit goes on', async () => {
  site.pages.set('/a', soundPage('/a'))
  site.pages.set('/c', soundPage('/c'))
  await addPage('/a')
  // No code of the product writes an address that is none: reading throws, as a defect would.
  await addPage('/b', 'http://shop.test:99999/b')
  await addPage('/c')
  expect(await audit()).toEqual({
    status: 'completed',
    error: null,
    pages: ['completed', 'failed', 'completed'],
  })
  const { data } = await graph(`{ project(id: "${project}") { audits { audits: nodes {
    progress { done total } pages { nodes { status httpStatus issueCount scores { overall } } } } } } }`)
  expect(data.project?.audits).toMatchObject({
    audits: [
      {
        progress: { done: 3, total: 3 },
        pages: { nodes: [{}, { httpStatus: null, scores: null }, {}] },
      },
    ],
  })
})

test('texts that PostgreSQL cannot store fail no audit', async () => {
  const data =
    '{ "@context": "https://schema.org", "@type": "Product", "name": "Zero \\u0000 end" }'
  const head = `<title>${'x'.repeat(999)}😀😀</title><script type="application/ld+json">${data}</script>`
  site.pages.set('/a', soundPage('/a', head))
  await addPage('/a')
  expect(await audit()).toEqual({ status: 'completed', error: null, pages: ['completed'] })
  const { title } = await api.db.page.findFirstOrThrow({ where: { projectId: project } })
  expect(title).toBe(`${'x'.repeat(999)}\uFFFD`)
  const issue = await api.db.issue.findFirstOrThrow({
    where: { projectId: project, check: 'structured-data-contradicts-page' },
  })
  expect(issue.evidence).toEqual([{ line: expect.any(Number), text: 'name: Zero \uFFFD end' }])
})
