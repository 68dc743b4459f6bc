import { normaliseUrl } from '../../../core/sites/urls.ts'
import type { TestApi, TestWorkspace } from '../api.ts'
import { connectSource, putHits } from '../tracker/hits.ts'
import type { executors, graphRequests } from './requests.ts'

export const pageOf = (n: number) => `https://acme.com/page-${n}`

/**
 * A project of `count` topics, prompts, competitors, own pages, cited sites and sub-queries, with an answer for each.
 * Answer n belongs to prompt n and topic n, names Acme and then competitor n, and cites page n and site n.
 * Some crawlers, at most five, each read the first page twice and the second page once.
 */
export async function makeNeighbours(api: TestApi, workspace: TestWorkspace, count: number) {
  const numbers = Array.from({ length: count }, (_, i) => i + 1)
  const competitors = numbers.map((n) => ({ name: `Rivalco${n}`, domain: `rival-${n}.com` }))
  const project = await workspace.project({ competitors })
  await api.db.page.createMany({
    data: numbers.map((n) => ({
      ...{ projectId: project, url: normaliseUrl(pageOf(n)) ?? '', slug: `page-${n}` },
      ...{ type: 'other', title: '', description: '' },
    })),
  })
  const { loaded } = await workspace.load(
    project,
    numbers.map((n) => ({
      prompt: `Question ${n}?`,
      topic: `Topic ${n}`,
      location: 'Berlin, Germany',
      collectedAt: '2025-05-10T08:00:00Z',
      text: `Acme is great. Rivalco${n} follows.`,
      citations: [{ url: pageOf(n) }, { url: `https://site-${n}.com/` }],
      searchQueries: [`query ${n}`],
    })),
  )
  if (loaded !== count) throw new Error(`${loaded} of ${count} answers were loaded`)
  const at = '2025-05-10T08:00:00Z'
  await connectSource(api.db, project)
  await putHits(
    api.warehouse,
    project,
    ['GPTBot', 'ClaudeBot', 'PerplexityBot', 'CCBot', 'Bytespider']
      .slice(0, count)
      .flatMap((bot) =>
        ['/page-1', '/page-1', '/page-2'].map((path, i) => ({ bot, path, at, tookMs: i })),
      ),
  )
  return project
}

export const window = 'window: { from: "2025-05-01", to: "2025-05-31" }'

/** The lists that an edge begins at, and how many rows the large project has at least. */
const lists = {
  topics: (fields: string) => `topics { ${fields} }`,
  platforms: (fields: string) => `platforms { ${fields} }`,
  locations: (fields: string) => `locations { ${fields} }`,
  prompts: (fields: string) => `prompts(first: 100) { nodes { ${fields} } }`,
  pages: (fields: string) => `pages { nodes { ${fields} } }`,
  sourceUrls: (fields: string) => `sourceUrls(${window}, first: 200) { nodes { ${fields} } }`,
  sourceDomains: (fields: string) => `sourceDomains(${window}, first: 200) { nodes { ${fields} } }`,
  trackedCompetitors: (fields: string) => `trackedCompetitors { ${fields} }`,
  competitors: (fields: string) => `competitors(${window}, first: 100) { nodes { ${fields} } }`,
  answers: (fields: string) => `answers(${window}, first: 100) { nodes { ${fields} } }`,
  trafficBots: (fields: string) => `trafficBots(${window}, first: 100) { nodes { ${fields} } }`,
  queryFanout: (fields: string) =>
    `queryFanout(${window}, topQueriesLimit: 100) { topQueries { ${fields} } }`,
}

export type List = keyof typeof lists

type Row = Record<string, unknown>

/** Asks for fields of the rows of a list of a project. */
export function listAsker(request: ReturnType<typeof graphRequests>, key: () => string) {
  return async (project: string, list: List, fields: string, executor?: keyof typeof executors) => {
    const text = `{ project(id: "${project}") { ${lists[list](fields)} } }`
    const { data, statements, ofCatalog } = await request(key(), text, executor)
    const found = (data.project as Row)[list] as Row[] | Record<string, Row[]>
    const rows = Array.isArray(found) ? found : (Object.values(found)[0] ?? [])
    return { rows, taken: { statements, ofCatalog } }
  }
}
