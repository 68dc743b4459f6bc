import { beforeAll, expect, test } from 'vitest'
import { loadDemoContent } from '../../demo/content.ts'
import { loadDemoHits } from '../../demo/hits.ts'
import { useApi } from '../kit/api.ts'
import { clearOfMidnight, dayMs } from '../kit/day.ts'

await clearOfMidnight(120_000)

const api = useApi()

const options = {
  seed: 1,
  endDay: new Date(Date.now() - dayMs).toISOString().slice(0, 10),
  days: 3,
}

let project = ''
let key = ''

beforeAll(async () => {
  const workspace = await api.workspace()
  project = await workspace.project({ name: 'Lumora Audio', domain: 'lumora.example' })
  key = (await workspace.key()).key
  await loadDemoHits(api, project, options)
  await loadDemoContent(api, project, options)
})

const read = async (path: string) =>
  (await (await api.get(`/api/mcp/projects/${project}${path}`, key)).json()) as Record<
    string,
    object
  >

const everything = () =>
  Promise.all(
    ['/articles', '/articles?status=archived', '/domain-authority', '/pages', coverage].map(read),
  )
const coverage = '/traffic/sitemap-coverage?days=5'

test('the demonstration has something in each report on content, and the same again', async () => {
  const [articles, archived, authority, pages, sitemap] = await everything()
  const { total } = (articles?.summary ?? {}) as { total: number }
  const { totalPages } = (pages?.summary ?? {}) as { totalPages: number }
  expect(total).toBeGreaterThan(5)
  expect(archived?.summary).toEqual({ total: 2, byStatus: { archived: 2 } })
  expect(authority?.history).toHaveLength(52)
  expect(totalPages).toBeGreaterThan(20)
  const summary = sitemap?.summary as { sitemapUrls: number; crawledUrls: number }
  expect(summary.sitemapUrls).toBe(totalPages)
  expect(summary.crawledUrls).toBeGreaterThan(5)
  expect(summary.crawledUrls).toBeLessThanOrEqual(totalPages - 5)
  const url = encodeURIComponent('https://www.lumora.example/')
  const metrics = await read(`/pages/metrics?url=${url}&days=5`)
  expect(metrics.crawls).toMatchObject({ available: true })
  const [first] = (pages?.pages ?? []) as { url: string }[]
  const content = await read(`/sources/urls/content?url=${encodeURIComponent(first?.url ?? '')}`)
  expect(content).toHaveProperty('content')
  const before = await everything()
  await loadDemoContent(api, project, options)
  expect(await everything()).toEqual(before)
})
