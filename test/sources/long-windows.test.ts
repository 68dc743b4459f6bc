import { beforeAll, expect, test } from 'vitest'
import { useApi } from '../kit/api.ts'

const api = useApi()

let key = ''
let project = ''

/** An answer that cites pages of example.org by path, with their titles. */
const answer = (day: string, text: string, titles: Readonly<Record<string, string | null>>) => ({
  prompt: 'p1',
  platform: 'chatgpt',
  collectedAt: `${day}T08:00:00Z`,
  text,
  citations: Object.entries(titles).map(([path, title], at) => ({
    position: at + 1,
    url: `https://example.org/${path}`,
    title,
  })),
})

/** 120 days. The last 28 begin on April 3. */
const window = { from: '2025-01-01', to: '2025-04-30' }

beforeAll(async () => {
  const workspace = await api.workspace()
  project = await workspace.project({ competitors: [{ name: 'Rival', domain: 'rival.com' }] })
  key = (await workspace.key({ scopes: ['read'] })).key
  await workspace.load(project, [
    answer('2024-12-30', 'Acme is good.', { rival: 'Far too early' }),
    answer('2024-12-31', 'Acme is good.', { rival: 'Too early', retitled: null }),
    answer('2025-01-01', 'Acme is good.', { old: 'Old', untitled: 'Once titled', retitled: 'One' }),
    answer('2025-01-02', 'Rival is good.', { rival: 'Before', unnamed: 'Unnamed' }),
    answer('2025-04-02', 'Acme is good.', { unnamed: null }),
    answer('2025-04-03', 'Rival is good.', { rival: 'After', unnamed: 'Newest', untitled: null }),
    answer('2025-04-30', 'Acme is good.', {
      recent: 'Recent',
      retitled: 'Two',
      'retitled-to': null,
    }),
  ])
})

const rowOf = (row: Record<string, unknown>) => [
  String(row.url).replace('https://example.org/', ''),
  row.title,
  row.brandMentioned,
  row.responsesWithUrl,
  row.totalResponses,
  row.periodGrowth,
]

/**
 * Path, title, whether an answer of the window that cites it names Acme; citing answers, all answers, and growth. The
 * window before, from September 3, has two citations of `rival` and one of `retitled`.
 */
const expected = [
  ['old', 'Old', true, 1, 5, 100],
  ['recent', 'Recent', true, 1, 5, 100],
  ['retitled', 'Two', true, 2, 5, 100],
  ['retitled-to', '', true, 1, 5, 100],
  ['rival', 'After', false, 2, 5, 0],
  ['unnamed', 'Newest', true, 3, 5, 100],
  ['untitled', 'Once titled', true, 2, 5, 100],
]

test('the details of a URL are those of the whole window, however long ago', async () => {
  const query = new URLSearchParams(window)
  for (const path of ['sources/urls', 'sources/domains/example.org/urls']) {
    const response = await api.get(`/api/mcp/projects/${project}/${path}?${query}`, key)
    const { urls } = (await response.json()) as { urls: Record<string, unknown>[] }
    expect(urls.map(rowOf).toSorted()).toEqual(expected)
  }
  const response = await api.graphql(
    `query($id: ID!, $window: Window) { project(id: $id) { sourceUrls(window: $window) {
      nodes { url title brandMentioned responsesWithUrl: citedIn totalResponses: answerCount } } } }`,
    key,
    { id: project, window },
  )
  const { data } = (await response.json()) as {
    data: { project: { sourceUrls: { nodes: Record<string, unknown>[] } } }
  }
  const inGraph = expected.map((row) => [...row.slice(0, -1), undefined])
  expect(data.project.sourceUrls.nodes.map(rowOf).toSorted()).toEqual(inGraph)
})
