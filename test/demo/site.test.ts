import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { locateDataDir } from '../../cli/folder/data-dir.ts'
import { faults } from '../../demo/site/faults.ts'
import { sitePaths } from '../../demo/site/paths.ts'
import { serveDemoSite } from '../../demo/site/serve.ts'
import { demoSites } from '../../demo/site/sites.ts'
import { ownPaths } from '../../demo/sources.ts'
import { type TestWorkspace, useApi } from '../kit/api.ts'
import { asking } from '../kit/changes.ts'
import { startTestWorker, type TestWorker } from '../kit/worker.ts'

const api = useApi({}, undefined, { ownDatabase: true })
const folder = await mkdtemp(join(tmpdir(), 'sightline-demo-site-'))
const dataDir = locateDataDir({ DATA_DIR: folder })
const host = 'www.lumora.example'

let workspace: TestWorkspace
let demo = ''
let other = ''
let key = ''
let worker: TestWorker

beforeAll(async () => {
  workspace = await api.workspace()
  key = (await workspace.key({ scopes: ['read', 'write'] })).key
  const project = { name: 'Lumora', domain: 'lumora.example' }
  demo = await workspace.project(project)
  other = await workspace.project(project)
  for (const projectId of [demo, other]) {
    await api.db.page.createMany({
      data: sitePaths.map((path) => ({
        projectId,
        url: `https://${host}${path}`,
        address: `http://${host}${path}`,
        slug: path,
        type: 'other',
        title: '',
        description: '',
      })),
    })
  }
  const file = { workspaceId: '', projectId: demo, key: '', endDay: today(), isComplete: true }
  await writeFile(dataDir.demo, JSON.stringify(file))
  worker = await startTestWorker({ ...api, serveSite: demoSites(dataDir) })
}, 60_000)
afterAll(() => rm(folder, { recursive: true }))

const graph = asking(api, () => key)
const today = () => new Date().toISOString().slice(0, 10)

async function audited(projectId: string) {
  const reply = await fetch(`${api.url}/api/mcp/projects/${projectId}/audits`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: '{}',
  })
  expect(reply.status).toBe(202)
  await worker.idle()
  const issues = await api.db.issue.findMany({ where: { projectId } })
  const pages = await api.db.auditPage.findMany({ where: { audit: { projectId } } })
  return { issues, pages }
}

test('an audit of the demonstration finds faults on the pages that have one, and on no other', async () => {
  const { issues, pages } = await audited(demo)
  expect(pages.filter(({ status }) => status === 'completed')).toHaveLength(sitePaths.length)
  const found = new Set(issues.flatMap(({ pageId, url }) => (pageId === null ? [] : url)))
  const planted = new Set([...Object.keys(faults), '/stores/berlin', '/docs/headset/set-up'])
  // The home page only links. The other two have faults by facts: a citation, and an imported text.
  planted.delete('/')
  planted.delete('/how-to-choose-studio-headphones')
  planted.delete('/category/wireless-earbuds')
  expect([...found].sort()).toEqual([...planted].map((path) => `https://${host}${path}`).sort())
})

test('the worth of a check is a number with an interval', async () => {
  // Answers cite three pages without a description, of six, and all others that answers of the demo cite.
  const undescribed = Object.keys(faults).filter((path) => {
    const fault = faults[path]
    return fault !== undefined && 'description' in fault && path !== '/imprint'
  })
  const cited = ownPaths().filter((path) => !undescribed.slice(3).includes(path))
  const citations = cited.map((path) => ({ url: `https://${host}${path}` }))
  await workspace.load(demo, [{ collectedAt: new Date().toISOString(), citations }])
  const { data } =
    await graph(`{ project(id: "${demo}") { checks(filter: { minPages: 5 }) { id: type worth {
    cited { reason failing { numerator denominator } interval { low high } } } } } }`)
  const checks = (data.project?.checks ?? []) as unknown as { id: string; worth: object }[]
  expect(checks.find(({ id }) => id === 'description-missing')?.worth).toEqual({
    cited: {
      // The imprint, which nothing cites, has no description either.
      reason: null,
      failing: { numerator: 3, denominator: 7 },
      interval: { low: expect.any(Number), high: expect.any(Number) },
    },
  })
})

test('another project of the same domain does not reach the site', async () => {
  const { pages } = await audited(other)
  expect(pages.map(({ httpStatus }) => httpStatus)).toEqual(sitePaths.map(() => null))
})

test('the site answers to its own name alone, and only while a job needs it', async () => {
  const { port, close } = await serveDemoSite(today())
  const ask = (path: string, named: string) =>
    new Promise<[number | undefined, string]>((resolve, reject) => {
      const options = { host: '127.0.0.1', port, path, headers: { host: named } }
      const asked = request(options, async (reply) =>
        resolve([reply.statusCode, await text(reply)]),
      )
      asked.on('error', reject).end()
    })
  expect(await ask('/imprint', host)).toEqual([200, expect.stringContaining('<h1>Imprint</h1>')])
  expect((await ask('/imprint', `127.0.0.1:${port}`))[0]).toBe(421)
  expect((await ask('//', host))[0]).toBe(404)
  await close()
  await expect(ask('/imprint', host)).rejects.toThrow()
})
