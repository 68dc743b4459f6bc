import { expect, test } from 'vitest'
import { useApi } from '../kit/api.ts'
import { graphRequests } from '../kit/graphql/requests.ts'
import { addPages } from '../kit/work/opportunities.ts'

const api = useApi()
const request = graphRequests(api)

const vertex = (token: string) =>
  `https://vertexaisearch.cloud.google.com/grounding-api-redirect/${token}`

test('redirectors, short addresses and shops count as the page and the site that they are', async () => {
  const workspace = await api.workspace()
  const project = await workspace.project()
  const { key } = await workspace.key()
  const cited = [
    [{ url: 'https://youtu.be/dQw4w9WgXcQ' }, { url: vertex('a'), title: 'rtings.com' }],
    [{ url: 'https://m.youtube.com/watch?v=dQw4w9WgXcQ&utm_source=x' }, { url: vertex('b') }],
    [
      { url: 'https://www.google.com/url?q=https%3A%2F%2Fshop.example.com%2Fproducts%2Ftv' },
      { url: 'https://example.com/about' },
    ],
  ]
  const answers = cited.map((citations, i) => {
    return { run: i + 1, collectedAt: '2025-05-10', citations }
  })
  await workspace.load(project, answers)
  const query = 'from=2025-05-10&to=2025-05-10'
  const get = async (path: string) => {
    const response = await api.get(`/api/mcp/projects/${project}/${path}?${query}`, key)
    return response.json() as Promise<Record<string, Record<string, unknown>[]>>
  }
  const video = 'https://www.youtube.com/watch?v=dQw4w9WgXcQ'
  const { sources } = await get('sources/domains')
  expect(
    sources?.map(({ domain, totalCitations, type, pageCount, subdomains }) => {
      return { domain, totalCitations, type, pageCount, subdomains }
    }),
  ).toEqual([
    {
      domain: 'example.com',
      totalCitations: 2,
      type: 'third_party',
      pageCount: 2,
      subdomains: ['shop.example.com'],
    },
    {
      domain: 'youtube.com',
      totalCitations: 2,
      type: 'social',
      pageCount: 1,
      subdomains: [],
    },
    {
      domain: 'rtings.com',
      totalCitations: 1,
      type: 'review',
      pageCount: 0,
      subdomains: [],
    },
  ])
  const { urls } = await get('sources/urls')
  expect(urls?.map(({ url, responsesWithUrl }) => [url, responsesWithUrl])).toEqual([
    [video, 2],
    ['https://example.com/about', 1],
    ['https://shop.example.com/products/tv', 1],
  ])
  const window = 'window: { from: "2025-05-10", to: "2025-05-10" }'
  const { data } = await request(
    key,
    `{ project(id: "${project}") {
      sourceDomains(${window}) { nodes { domain type } }
      sourceUrl(url: "https://youtu.be/dQw4w9WgXcQ", ${window}) { url answers(${window}) { totalCount } }
      answers(${window}) { nodes { citations { url domain } } }
    } }`,
  )
  expect(data.project).toMatchObject({
    sourceDomains: {
      nodes: [
        { domain: 'example.com', type: 'third_party' },
        { domain: 'youtube.com', type: 'social' },
        { domain: 'rtings.com', type: 'review' },
      ],
    },
    sourceUrl: { url: video, answers: { totalCount: 2 } },
  })
  const { answers: found } = data.project as { answers: { nodes: { citations: object[] }[] } }
  const known = found.nodes.flatMap(({ citations }) => citations)
  expect(known).toContainEqual({ url: vertex('a'), domain: 'rtings.com' })
  expect(known).toContainEqual({ url: vertex('b'), domain: '' })
})

test('a page of the own site has the citations of all hosts that show the site', async () => {
  const workspace = await api.workspace()
  const project = await workspace.project()
  const { key } = await workspace.key()
  await addPages(api, project, [{ url: 'https://www.example.com/a' }])
  const on = (url: string, run: number, platform = 'chatgpt') => {
    return { run, platform, collectedAt: '2025-05-10', citations: [{ url }] }
  }
  await workspace.load(project, [
    on('https://www.example.com/a', 1),
    on('https://example.com/a', 2),
    on('https://m.example.com/a', 3, 'gemini'),
    on('https://blog.example.com/a', 4),
  ])
  const window = 'window: { from: "2025-05-10", to: "2025-05-10" }'
  const { data } = await request(
    key,
    `{ project(id: "${project}") {
      pages { nodes { metrics(${window}) { citations {
        total byPlatform { platform { slug } citedIn }
      } } } }
      answers(${window}, filter: { citedUrls: ["https://example.com/a"] }) { totalCount }
    } }`,
  )
  const byPlatform = [
    { platform: { slug: 'chatgpt' }, citedIn: 2 },
    { platform: { slug: 'gemini' }, citedIn: 1 },
  ]
  expect(data.project).toEqual({
    pages: { nodes: [{ metrics: { citations: { total: 3, byPlatform } } }] },
    answers: { totalCount: 3 },
  })
})
