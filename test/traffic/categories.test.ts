import { beforeAll, expect, test } from 'vitest'
import { useApi } from '../kit/api.ts'
import { flat } from '../kit/graphql/flat.ts'
import { connectSource, putHits } from '../kit/tracker/hits.ts'

const api = useApi()
let key = ''
let project = ''

/** On 10 May 2025: /a by GPTBot twice, by PerplexityBot once, by bingbot three times; /b by Googlebot once. */
beforeAll(async () => {
  const workspace = await api.workspace()
  project = await workspace.project()
  key = (await workspace.key()).key
  await connectSource(api.db, project)
  const at = '2025-05-10T08:00:00Z'
  const hits = (bot: string, path: string, times: number) =>
    Array.from({ length: times }, () => ({ bot, at, path }))
  await putHits(api.warehouse, project, [
    ...hits('GPTBot', '/a', 2),
    ...hits('PerplexityBot', '/a', 1),
    ...hits('bingbot', '/a', 3),
    ...hits('Googlebot', '/b', 1),
  ])
})

const window = 'window: { from: "2025-05-01", to: "2025-05-31" }'

async function ask(field: string) {
  const query = `query($id: ID!) { project(id: $id) { it: ${field} } }`
  const response = await api.graphql(query, key, { id: project })
  const { data, errors } = (await response.json()) as { data: { project: { it: unknown } } } & {
    errors?: unknown
  }
  expect(errors).toBeUndefined()
  return flat(data.project.it)
}

test('crawlers of AI and of search engines are counted apart, and together', async () => {
  const fields = '{ crawlers { total aiVisits searchEngineVisits } }'
  expect(await ask(`trafficOverview(${window}) ${fields}`)).toEqual({
    crawlers: { total: 7, aiVisits: 3, searchEngineVisits: 4 },
  })
  const rest = await api.get(
    `/api/mcp/projects/${project}/traffic/overview?from=2025-05-01&to=2025-05-31`,
    key,
  )
  expect(await rest.json()).toMatchObject({ crawlers: { total: 7 } })
})

const engines = 'filter: { botCategories: [search_engine] }'
const ofAi = 'filter: { botCategories: [ai_training, ai_search] }'

test('the overview keeps the hits of the purposes that are asked for', async () => {
  const fields =
    '{ crawlers { total byPlatform { platform { slug } visits } } topPages { path crawls: visits } }'
  expect(await ask(`trafficOverview(${window}, ${engines}) ${fields}`)).toEqual({
    crawlers: {
      total: 4,
      byPlatform: [
        { platform: 'copilot', visits: 3 },
        { platform: 'google', visits: 1 },
      ],
    },
    topPages: [
      { path: '/a', crawls: 3 },
      { path: '/b', crawls: 1 },
    ],
  })
})

test('so do the list of crawlers, one crawler, and the list of hits', async () => {
  const list = (filter: string) => `crawlers(${window}, ${filter}) { nodes { botName visits } }`
  expect(await ask(list(engines))).toEqual({
    nodes: [
      { botName: 'bingbot', visits: 3 },
      { botName: 'Googlebot', visits: 1 },
    ],
  })
  expect(await ask(list(ofAi))).toEqual({
    nodes: [
      { botName: 'GPTBot', visits: 2 },
      { botName: 'PerplexityBot', visits: 1 },
    ],
  })
  expect(await ask(`crawler(name: "GPTBot", ${window}, ${engines}) { visits }`)).toBeNull()
  expect(await ask(`crawlerHits(${window}, ${engines}) { totalCount }`)).toEqual({ totalCount: 4 })
})

test('and the correlation', async () => {
  const rows = await ask(`trafficCorrelation(${window}, ${ofAi}) { nodes { path crawls: visits } }`)
  expect(rows).toEqual({ nodes: [{ path: '/a', crawls: 3 }] })
})
