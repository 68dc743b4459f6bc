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

/** Answers of one day that each cite some URLs. */
const day = '2025-05-10'
const query = `from=${day}&to=${day}`
const window = `window: { from: "${day}", to: "${day}" }`

test('a page that answers cite at several addresses is one row, at the address that most cite', async () => {
  const workspace = await api.workspace()
  const project = await workspace.project({ competitors: [{ name: 'Rival', domain: 'rival.com' }] })
  const { key } = await workspace.key()
  const cited = [
    ['https://www.rtings.com/tv'],
    ['https://www.rtings.com/tv', 'https://rtings.com/tv'],
    ['https://m.rtings.com/tv', 'https://rtings.com/audio'],
    // As often cited at one address as at the other: the first by name.
    ['https://www.blog.org/a'],
    ['https://blog.org/a'],
  ]
  await workspace.load(
    project,
    cited.map((urls, i) => {
      const read =
        [['https://old.rtings.com/tv'], ['https://m.read.org/b'], ['https://read.org/b']][i] ?? []
      const citations = [
        ...urls.map((url) => ({ url })),
        ...read.map((url) => ({ url, cited: false })),
      ]
      return { text: 'Rival leads.', run: i + 1, collectedAt: day, citations }
    }),
  )
  const get = async (path: string) => {
    const response = await api.get(`/api/mcp/projects/${project}/${path}`, key)
    return response.json() as Promise<Record<string, Record<string, unknown>[]>>
  }
  const rows = [
    ['https://www.rtings.com/tv', 3],
    ['https://blog.org/a', 2],
    ['https://rtings.com/audio', 1],
  ]
  const { urls, totalUrls } = await get(`sources/urls?${query}`)
  expect(urls?.map(({ url, responsesWithUrl }) => [url, responsesWithUrl])).toEqual(rows)
  expect(totalUrls).toBe(3)
  const ofDomain = await get(`sources/domains/rtings.com/urls?${query}`)
  expect(ofDomain.urls?.map(({ url, responsesWithUrl }) => [url, responsesWithUrl])).toEqual([
    rows[0],
    rows[2],
  ])
  const { sources } = await get(`sources/domains?${query}`)
  expect(sources?.map(({ domain, pageCount }) => [domain, pageCount])).toEqual([
    ['rtings.com', 2],
    ['blog.org', 1],
  ])
  const filtered = await get(`sources/urls?${query}&contentType=other&sourceType=review,other`)
  expect(filtered.urls?.map(({ url }) => url)).toContain('https://www.rtings.com/tv')
  const { data } = await request(
    key,
    `{ project(id: "${project}") {
      sourceUrls(${window}) { nodes {
        url citedIn metrics { citationRate { numerator low } } answers(${window}) { totalCount }
      } }
      sourceDomain(domain: "rtings.com", ${window}) { urls { nodes { url citedIn } } }
      urlsToWin(${window}) { nodes { url lostAnswerCount lostAnswers { totalCount } } }
      retrievedUrls(${window}) { nodes { url retrievedIn } }
      bare: sourceUrl(url: "https://rtings.com/tv", ${window}) { url citedIn }
      touch: sourceUrl(url: "https://touch.rtings.com/tv", ${window}) { url citedIn }
      answers(${window}, filter: { citedUrls: ["https://old.rtings.com/tv"] }) { totalCount }
    } }`,
  )
  expect(data.project).toMatchObject({
    sourceUrls: {
      nodes: rows.map(([url, citedIn]) => {
        return {
          url,
          citedIn,
          metrics: { citationRate: { numerator: citedIn } },
          answers: { totalCount: citedIn },
        }
      }),
    },
    sourceDomain: {
      urls: { nodes: [rows[0], rows[2]].map((row) => ({ url: row?.[0], citedIn: row?.[1] })) },
    },
    urlsToWin: {
      nodes: rows.map(([url, lostAnswerCount]) => {
        return { url, lostAnswerCount, lostAnswers: { totalCount: lostAnswerCount } }
      }),
    },
    retrievedUrls: { nodes: [{ url: 'https://m.read.org/b', retrievedIn: 2 }] },
    bare: { url: 'https://www.rtings.com/tv', citedIn: 3 },
    touch: { url: 'https://www.rtings.com/tv', citedIn: 3 },
    answers: { totalCount: 3 },
  })
  const columns = `dataset=sources&fields=url,responses&startDate=${day}&endDate=${day}`
  const connected = await api.get(`/api/v1/projects/${project}/connector/data?${columns}`, key)
  expect(await connected.json()).toMatchObject({ rows: rows.toSorted() })
})
