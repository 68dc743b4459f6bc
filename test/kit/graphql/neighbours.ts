import { normaliseUrl } from '../../../core/sites/urls.ts'
import type { TestApi, TestWorkspace } from '../api.ts'

export const pageOf = (n: number) => `https://acme.com/page-${n}`

/**
 * A project of `count` topics, prompts, competitors, own pages, cited sites and sub-queries, with an answer for each.
 * Answer n belongs to prompt n and topic n, names Acme and then competitor n, and cites page n and site n.
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
  return project
}
