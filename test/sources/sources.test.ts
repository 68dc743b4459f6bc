import { beforeAll, describe, expect, test } from 'vitest'
import { useApi } from '../kit/api.ts'
import { underKeys } from '../kit/graphql/rest-keys.ts'
import { citedAnswers } from './cited-answers.ts'

const api = useApi()

const may = 'from=2025-05-01&to=2025-05-31'

let key = ''
let project = ''
let base = ''

beforeAll(async () => {
  const workspace = await api.workspace()
  project = await workspace.project({ competitors: [{ name: 'Rival', domain: 'rival.com' }] })
  key = (await workspace.key({ scopes: ['read'] })).key
  base = `/api/mcp/projects/${project}`
  const result = await workspace.load(project, citedAnswers)
  expect(result).toEqual({ read: 7, loaded: 7, skipped: 0, rejected: [] })
})

async function rest(path: string, window = may) {
  const response = await api.get(`${base}${path}${path.includes('?') ? '&' : '?'}${window}`, key)
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}

async function graph(field: string) {
  const response = await api.graphql(`query($id: ID!) { project(id: $id) { ${field} } }`, key, {
    id: project,
  })
  const { data, errors } = (await response.json()) as {
    data: { project: Record<string, unknown> }
    errors?: unknown
  }
  expect(errors).toBeUndefined()
  return Object.values(data.project)[0]
}

const graphNames = {
  frequency: 'citedIn',
  usage: 'citationRate',
  avgCitations: 'citationsPerCitingAnswer',
  avgCitationsPerResponse: 'citationsPerAnswer',
  totalCitations: 'citationCount',
  totalResponses: 'answerCount',
  responsesWithUrl: 'citedIn',
  citationType: 'sourceType',
  totalUsed: 'citationCount',
  promptsCount: 'promptCount',
}

const domainFields =
  'domain rank frequency avgCitations type totalCitations models pageCount usage avgCitationsPerResponse topContentTypes subdomains'
const window = 'from: "2025-05-01", to: "2025-05-31"'

const wikipedia = {
  domain: 'wikipedia.org',
  rank: 1,
  frequency: 3, // answers 1, 2, 3
  avgCitations: 1.33, // 4 citations in 3 answers
  totalCitations: 4, // a, b, en a, a
  models: ['gpt-4o', 'sonar'], // 3 and 1
  pageCount: 3, // a, b, en a
  usage: 50, // 3 of 6
  avgCitationsPerResponse: 0.67, // 4 in 6
  subdomains: ['en.wikipedia.org'],
}

describe('cited domains', () => {
  test('both doors give the numbers that can be counted by hand', async () => {
    const { body } = await rest('/sources/domains')
    expect(Object.keys(body)).toEqual([
      'sources',
      'totalSources',
      'hasMore',
      'success',
      'totalCitations',
      'nextCursor',
    ])
    const sources = body.sources as Record<string, unknown>[]
    expect(sources.map((row) => [row.domain, row.rank, row.totalCitations, row.frequency])).toEqual(
      [
        ['wikipedia.org', 1, 4, 3],
        ['rival.com', 2, 2, 2],
        ['acme.com', 3, 1, 1],
        ['reddit.com', 4, 1, 1],
      ],
    )
    expect(sources[0]).toMatchObject(wikipedia)
    expect(Object.keys(sources[0] ?? {}).join(' ')).toBe(domainFields)
    const types = sources.map((row) => row.type)
    expect(types).toEqual(['institutional', 'competitor', 'brand', 'forum'])
    expect(body).toMatchObject({
      totalSources: 4,
      totalCitations: 4,
      hasMore: false,
      nextCursor: null,
      success: true,
    })

    const list = await graph(
      `sourceDomains(window: { ${window} }) { totalSources: totalCount sources: nodes { ${underKeys(domainFields.split(' '), graphNames)} } }`,
    )
    expect(list).toEqual({ totalSources: 4, sources })
  })

  test('a ratio says in GraphQL what it was counted from', async () => {
    const list = await graph(
      `sourceDomains(window: { ${window} }, first: 1) { sources: nodes { metrics { usage: citationRate { value numerator denominator low high } avgCitations: citationsPerCitingAnswer { value numerator denominator low } } } }`,
    )
    expect(list).toEqual({
      sources: [
        {
          metrics: {
            // Prompts cite it in 3 of 3, 0 of 2, 0 of 1: 6 ⁄ 3.5 answers, 0.5 ± ½·4.303 ⁄ √(1.714 + 4.303²)
            usage: { value: 50, numerator: 3, denominator: 6, low: 2.17, high: 97.83 },
            avgCitations: { value: 1.33, numerator: 4, denominator: 3, low: null },
          },
        },
      ],
    })
  })

  test.each([
    ['-citations', ['wikipedia.org', 'rival.com', 'acme.com', 'reddit.com']],
    ['citations', ['acme.com', 'reddit.com', 'rival.com', 'wikipedia.org']],
    ['-usage', ['wikipedia.org', 'rival.com', 'acme.com', 'reddit.com']],
    ['usage', ['acme.com', 'reddit.com', 'rival.com', 'wikipedia.org']],
    ['-avgCitations', ['wikipedia.org', 'acme.com', 'reddit.com', 'rival.com']],
    ['avgCitations', ['acme.com', 'reddit.com', 'rival.com', 'wikipedia.org']],
  ])('sorted by %s, ties by name, the rank stays', async (sort, order) => {
    const { body } = await rest(`/sources/domains?sort=${sort}`)
    const sources = body.sources as { domain: string; rank: number }[]
    expect(sources.map((row) => row.domain)).toEqual(order)
    expect(sources.find((row) => row.domain === 'reddit.com')?.rank).toBe(4)
    const pages: string[] = []
    let cursor: unknown = ''
    while (cursor !== null) {
      const page = await rest(
        `/sources/domains?sort=${sort}&limit=1${cursor ? `&cursor=${cursor}` : ''}`,
      )
      pages.push(...(page.body.sources as { domain: string }[]).map((row) => row.domain))
      cursor = page.body.nextCursor
    }
    expect(pages).toEqual(order)
  })

  test('a source type narrows the rows, not the answers that usage is counted out of', async () => {
    const { body } = await rest('/sources/domains?sourceType=brand,competitor')
    const sources = body.sources as Record<string, unknown>[]
    expect(sources.map((row) => [row.domain, row.rank, row.usage])).toEqual([
      ['rival.com', 1, 33.33],
      ['acme.com', 2, 16.67],
    ])
    expect(body.totalSources).toBe(2)
  })

  test.each([
    [
      'platform=perplexity',
      [
        ['wikipedia.org', 1, 50],
        ['rival.com', 1, 50],
      ],
    ],
    ['platform=Perplexity,CHATGPT&limit=1', [['wikipedia.org', 4, 50]]],
    [
      'platform=gpt-5',
      [
        ['reddit.com', 1, 50],
        ['rival.com', 1, 50],
      ],
    ],
    [
      'country=Germany',
      [
        ['wikipedia.org', 2, 100],
        ['acme.com', 1, 100],
      ],
    ],
    ['country=us,DEU&limit=1', [['wikipedia.org', 3, 100]]],
    ['branded=true', [['reddit.com', 1, 100]]],
    ['unbranded=true&limit=1', [['wikipedia.org', 4, 60]]],
  ])('%s narrows the answers', async (filter, expected) => {
    const { body } = await rest(`/sources/domains?${filter}`)
    const rows = (body.sources as Record<string, unknown>[]).map((row) => [
      row.domain,
      row.totalCitations,
      row.usage,
    ])
    const byName = (a: unknown[], b: unknown[]) => String(a[0]).localeCompare(String(b[0]))
    expect(rows.sort(byName)).toEqual(expected.sort(byName))
  })

  test('topics and locations narrow the answers, at both doors', async () => {
    const topics = (
      (await graph('topics { nodes { id name } }')) as { nodes: { id: string; name: string }[] }
    ).nodes
    const t2 = topics.find((topic) => topic.name === 'T2')?.id
    const { body } = await rest(`/sources/domains?topicId=${t2}`)
    expect((body.sources as { domain: string }[]).map((row) => row.domain)).toEqual(['rival.com'])
    const locations = await graph('locations { nodes { id city } }')
    const [berlin] = (locations as { nodes: { id: string; city: string }[] }).nodes
    expect(berlin?.city).toBe('Berlin')
    const list = await graph(
      `sourceDomains(window: { ${window} }, filter: { locationIds: ["${berlin?.id}"] }) { sources: nodes { domain totalCitations: citationCount } }`,
    )
    expect(list).toEqual({
      sources: [
        { domain: 'wikipedia.org', totalCitations: 2 },
        { domain: 'acme.com', totalCitations: 1 },
      ],
    })
  })

  test('a page beyond the end is empty and still knows the total', async () => {
    const { body } = await rest('/sources/domains?offset=50')
    expect(body).toMatchObject({ sources: [], totalSources: 4, hasMore: false, nextCursor: null })
  })

  test('without answers there are no rows and no error', async () => {
    const { body } = await rest('/sources/domains', 'from=2024-01-01&to=2024-01-31')
    expect(body).toMatchObject({ sources: [], totalSources: 0, hasMore: false, nextCursor: null })
  })
})

describe('cited URLs', () => {
  test('both doors give the numbers that can be counted by hand', async () => {
    const { body } = await rest('/sources/urls')
    const urls = body.urls as Record<string, unknown>[]
    expect(urls.map((row) => [row.url, row.rank, row.responsesWithUrl, row.usage])).toEqual([
      ['https://rival.com/r', 1, 2, 33.33],
      ['https://wikipedia.org/a', 2, 2, 33.33],
      ['https://acme.com/x', 3, 1, 16.67],
      ['https://en.wikipedia.org/a', 4, 1, 16.67],
      ['https://wikipedia.org/b', 5, 1, 16.67],
      ['https://www.reddit.com/r/x/comments/1/y', 6, 1, 16.67],
    ])
    expect(urls[1]).toEqual({
      url: 'https://wikipedia.org/a',
      domain: 'wikipedia.org',
      title: 'A',
      rank: 2,
      usage: 33.33,
      totalResponses: 6,
      responsesWithUrl: 2,
      contentType: expect.any(String),
      citationType: expect.any(String),
      brandMentioned: true, // answer 1 names Acme
      hasContent: false,
      periodGrowth: 100, // 2 in May, 1 in the 31 days before
    })
    expect(urls.map((row) => row.brandMentioned)).toEqual([true, true, true, false, true, false])
    expect(Object.keys(body)).toEqual(['urls', 'totalUrls', 'hasMore', 'success', 'nextCursor'])
    expect(body.totalUrls).toBe(6)
    const fields = `url domain title rank usage: citationRate totalResponses: answerCount responsesWithUrl: citedIn
      contentType citationType: sourceType brandMentioned hasContent`
    const inGraph = urls.map(({ periodGrowth: _, ...row }) => row)
    expect(
      await graph(
        `sourceUrls(window: { ${window} }) { totalUrls: totalCount urls: nodes { ${fields} } }`,
      ),
    ).toEqual({
      totalUrls: 6,
      urls: inGraph,
    })
  })

  test('of one domain, with cursors', async () => {
    const { body } = await rest('/sources/domains/wikipedia.org/urls?limit=2')
    expect(Object.keys(body)).toEqual(['domain', 'urls', 'hasMore', 'nextCursor', 'success'])
    expect((body.urls as { url: string }[]).map((row) => row.url)).toEqual([
      'https://wikipedia.org/a',
      'https://en.wikipedia.org/a',
    ])
    expect(body).toMatchObject({ domain: 'wikipedia.org', hasMore: true })
    const next = await rest(`/sources/domains/wikipedia.org/urls?limit=2&cursor=${body.nextCursor}`)
    expect((next.body.urls as { url: string }[]).map((row) => row.url)).toEqual([
      'https://wikipedia.org/b',
    ])
    expect(next.body).toMatchObject({ hasMore: false, nextCursor: null })
    expect(
      await graph(
        `sourceDomain(domain: "wikipedia.org", window: { ${window} }) { domain urls(first: 1) { pageInfo { hasNextPage } nodes { url rank } } }`,
      ),
    ).toEqual({
      domain: 'wikipedia.org',
      urls: {
        pageInfo: { hasNextPage: true },
        nodes: [{ url: 'https://wikipedia.org/a', rank: 1 }],
      },
    })
  })
})

test('a domain is the same one however it is written, at both doors', async () => {
  const workspace = await api.workspace()
  const own = await workspace.project()
  const { key: ownKey } = await workspace.key()
  const url = 'https://www.münchen.example/path/ü'
  await workspace.load(own, [{ citations: [{ url }] }])
  const stored = 'https://www.xn--mnchen-3ya.example/path/%C3%BC'
  for (const domain of ['münchen.example', 'WWW.MÜNCHEN.example.', 'xn--mnchen-3ya.example']) {
    const path = `/api/mcp/projects/${own}/sources/domains/${encodeURIComponent(domain)}/urls`
    const page = await (await api.get(`${path}?${may}`, ownKey)).json()
    expect(page).toMatchObject({ domain: 'xn--mnchen-3ya.example', urls: [{ url: stored }] })
    const query = `query($id: ID!, $domain: String!) { project(id: $id) {
      sourceDomain(domain: $domain, window: { ${window} }) { domain urls { nodes { url } } } } }`
    const { data } = await (await api.graphql(query, ownKey, { id: own, domain })).json()
    expect(data.project.sourceDomain).toEqual({
      domain: 'xn--mnchen-3ya.example',
      urls: { nodes: [{ url: stored }] },
    })
  }
})

describe('content types', () => {
  test('both doors count citations, prompts and answers by hand', async () => {
    const { body } = await rest('/sources/content-types')
    expect(Object.keys(body)).toEqual(['contentTypes', 'success'])
    const rows = body.contentTypes as Record<string, unknown>[]
    expect(Object.keys(rows[0] ?? {})).toEqual([
      'contentType',
      'rank',
      'rankChange',
      'totalUsed',
      'promptsCount',
      'citationRate',
      'competitors',
    ])
    expect(rows.reduce((sum, row) => sum + Number(row.totalUsed), 0)).toBe(8)
    const forum = rows.find((row) => row.contentType === 'forum_thread')
    expect(forum).toMatchObject({
      totalUsed: 1,
      promptsCount: 1,
      citationRate: 16.67,
      competitors: [],
      rankChange: 0,
    })
    expect(rows.filter((row) => (row.competitors as string[]).includes('Rival'))).toHaveLength(1)
    const fields = underKeys(Object.keys(rows[0] ?? {}), graphNames)
    expect(await graph(`contentTypes(window: { ${window} }) { ${fields} }`)).toEqual(rows)
  })
})

describe('trend', () => {
  const days = 'from=2025-05-10&to=2025-05-14'

  test.each([
    ['brand', [1, 0, 0, 0, 0], [1, 0]],
    ['competitors', [1, 0, 1, 0, 0], [1, 1]],
    ['top-domains', [5, 1, 1, 0, 1], [6, 2]],
  ])('of %s has a count for every day, and for every week', async (group, counts, byWeek) => {
    const { body } = await rest(`/sources/trend?group=${group}`, days)
    expect(Object.keys(body)).toEqual(['citations', 'brandDomain', 'success'])
    expect(body.brandDomain).toBe('acme.com')
    const dates = ['2025-05-10', '2025-05-11', '2025-05-12', '2025-05-13', '2025-05-14']
    expect(body.citations).toEqual(dates.map((date, i) => ({ date, citationCount: counts[i] })))
    const inGraph = `group: ${group.replaceAll('-', '_')}, window: { from: "2025-05-10", to: "2025-05-14" }`
    expect(await graph(`sourceTrend(${inGraph}) { citations { date citationCount } }`)).toEqual({
      citations: body.citations,
    })
    expect(
      await graph(`sourceTrend(${inGraph}, interval: week) { citations { date citationCount } }`),
    ).toEqual({
      citations: ['2025-05-05', '2025-05-12'].map((date, i) => ({
        date,
        citationCount: byWeek[i],
      })),
    })
  })

  test('is of the most-cited domains unless asked', async () => {
    const { body } = await rest('/sources/trend', days)
    expect((body.citations as { citationCount: number }[])[0]?.citationCount).toBe(5)
  })
})
