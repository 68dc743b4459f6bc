import { beforeAll, expect, test } from 'vitest'
import { useApi } from '../kit/api.ts'
import { flat } from '../kit/graphql/flat.ts'
import { type List, listAsker, makeNeighbours, pageOf, window } from '../kit/graphql/neighbours.ts'
import { graphRequests } from '../kit/graphql/requests.ts'

const api = useApi()
const request = graphRequests(api)

let key = ''
let project = ''
const count = 3

beforeAll(async () => {
  const workspace = await api.workspace()
  key = (await workspace.key()).key
  project = await makeNeighbours(api, workspace, count)
})

const ask = listAsker(request, () => key)

/** What one row of a list has at a field. */
async function rowOf(list: List, of: string, value: string, fields: string) {
  const { rows } = await ask(project, list, `of: ${of} ${fields}`)
  const { of: _of, ...found } = rows.find((row) => flat(row.of) === value) ?? {}
  return found
}

test('a topic leads to its prompts, and a prompt to its topics', async () => {
  const prompts = 'prompts { totalCount nodes { text topics { name promptCount } } }'
  expect(await rowOf('topics', 'name', 'Topic 2', prompts)).toEqual({
    prompts: {
      totalCount: 1,
      nodes: [{ text: 'Question 2?', topics: [{ name: 'Topic 2', promptCount: 1 }] }],
    },
  })
  const archived = 'prompts(filter: { isTracked: false }) { totalCount nodes { text } }'
  expect(await rowOf('topics', 'name', 'Topic 2', archived)).toEqual({
    prompts: { totalCount: 0, nodes: [] },
  })
})

test('an answer has its products, ads and sub-queries', async () => {
  const fields = `products { name brand rank price currency } ads { advertiser domain title url position }
    fanoutQueries(${window}) { query count promptCount }`
  expect(await rowOf('answers', 'prompt { text }', 'Question 2?', fields)).toEqual({
    products: [{ name: 'Anvil 2', brand: 'Acme', rank: 1, price: 20, currency: 'GBP' }],
    ads: [
      {
        advertiser: 'Bolt 2',
        domain: 'bolt-2.com',
        title: 'Boom',
        url: 'https://bolt-2.com/',
        position: 1,
      },
    ],
    fanoutQueries: [{ query: 'query 2', count: 1, promptCount: 1 }],
  })
})

const urlNumbers = `rank citationRate answerCount citedIn title contentType sourceType brandMentioned
  hasContent`
const domainNumbers = `rank citedIn type citationCount models pageCount citationRate citationsPerCitingAnswer
  citationsPerAnswer topContentTypes subdomains`

test('a citation leads to its source, with the numbers of the list of sources', async () => {
  const fields = `citations { sourceUrl(${window}) { url ${urlNumbers} sourceDomain { domain ${domainNumbers} }
    content { title content } page { url } } }`
  const { citations } = await rowOf('answers', 'prompt { text }', 'Question 2?', fields)
  const own = await rowOf('sourceUrls', 'url', pageOf(2), urlNumbers)
  const site = await rowOf('sourceUrls', 'url', 'https://site-2.com/', urlNumbers)
  expect(site).toMatchObject({ rank: 5, citationRate: 33.33, citedIn: 1, hasContent: true })
  const ownDomain = await rowOf('sourceDomains', 'domain', 'acme.com', domainNumbers)
  const siteDomain = await rowOf('sourceDomains', 'domain', 'site-2.com', domainNumbers)
  expect(ownDomain).toMatchObject({ rank: 1, citationCount: 3, pageCount: 3, citationRate: 100 })
  expect(citations).toEqual([
    {
      sourceUrl: {
        url: pageOf(2),
        ...own,
        sourceDomain: { domain: 'acme.com', ...ownDomain },
        content: null,
        page: { url: pageOf(2) },
      },
    },
    {
      sourceUrl: {
        url: 'https://site-2.com/',
        ...site,
        sourceDomain: { domain: 'site-2.com', ...siteDomain },
        content: { title: 'Site 2', content: 'Text.' },
        page: null,
      },
    },
  ])
})

test('a citation outside the window has no source in it', async () => {
  const fields = 'citations { sourceUrl(window: { from: "2025-04-01", to: "2025-04-30" }) { url } }'
  const { citations } = await rowOf('answers', 'prompt { text }', 'Question 2?', fields)
  expect(citations).toEqual([{ sourceUrl: null }, { sourceUrl: null }])
})

test('a domain leads to its URLs, page by page, ranked within the domain', async () => {
  const urls = (after: string) =>
    `urls(first: 2${after}) { totalCount nodes { url ${urlNumbers} } pageInfo { endCursor hasNextPage } }`
  interface Page {
    readonly totalCount: number
    readonly nodes: object[]
    readonly pageInfo: { endCursor: string; hasNextPage: boolean }
  }
  const { nodeId } = await rowOf('sourceDomains', 'domain', 'acme.com', 'nodeId')
  const pageAt = async (after: string) => {
    const text = `{ node(id: "${nodeId}") { ... on SourceDomain { ${urls(after)} } } }`
    const { node } = (await request(key, text)).data as { node: { urls: Page } }
    return node.urls
  }
  const first = await pageAt('')
  const last = await pageAt(`, after: "${first.pageInfo.endCursor}"`)
  expect(last.pageInfo).toMatchObject({ hasNextPage: false })
  const flat = `{ project(id: "${project}") {
    sourceDomain(domain: "www.Acme.com", ${window}) { urls { totalCount nodes { url ${urlNumbers} } } }
    sourceUrl(url: "${pageOf(1)}#top", ${window}) { url responsesWithUrl: citedIn }
    missing: sourceDomain(domain: "nobody.com", ${window}) { domain } } }`
  const { data } = await request(key, flat)
  const { totalCount } = first
  expect(data.project).toEqual({
    sourceDomain: { urls: { totalCount, nodes: [...first.nodes, ...last.nodes] } },
    sourceUrl: { url: pageOf(1), responsesWithUrl: 1 },
    missing: null,
  })
  expect(first.nodes).toMatchObject([{ rank: 1, url: pageOf(1) }, { rank: 2 }])
})

test('a page, its content piece and its reports belong together', async () => {
  const fields = `article { title page { url } } visibility(${window}) { summary { visibilityScore totalResponses: answerCount } }
    shareOfVoice(${window}) { totalMentions: mentionCount } sentiment(${window}) { summary { positive } }
    citedUrls: coCitedUrls(${window}) { nodes { url rank usage: citationRate } } fanoutQueries(${window}) { nodes { query } }`
  expect(await rowOf('pages', 'url', pageOf(2), fields)).toEqual({
    article: { title: 'Page 2', page: { url: pageOf(2) } },
    visibility: { summary: { visibilityScore: 100, totalResponses: 1 } },
    shareOfVoice: { totalMentions: 2 },
    sentiment: { summary: { positive: 1 } },
    citedUrls: {
      nodes: [
        { url: pageOf(2), rank: 1, usage: 100 },
        { url: 'https://site-2.com/', rank: 2, usage: 100 },
      ],
    },
    fanoutQueries: { nodes: [{ query: 'query 2' }] },
  })
})

test('a search query leads to its pages and to the prompts of its wording', async () => {
  const fields = `pages { nodes { url clicks impressions page { url } } } prompts { text }`
  expect(await rowOf('searchQueries', 'query', 'question 2?', fields)).toEqual({
    pages: {
      nodes: [{ url: pageOf(2), clicks: 1, impressions: 10, page: { url: pageOf(2) } }],
    },
    prompts: [{ text: 'Question 2?' }],
  })
})

test('a sub-query leads to the page that its answers cite', async () => {
  const page = `page(${window}) { url }`
  expect(await rowOf('queryFanout', 'query', 'query 2', page)).toEqual({ page: { url: pageOf(2) } })
})

test('a plan without shopping and sub-queries has neither at an answer', async () => {
  const workspace = await api.workspace('starter')
  const of = await workspace.project()
  const at = '2025-05-10T08:00:00Z'
  const line = { prompt: 'p', collectedAt: at, text: 'Text.', searchQueries: ['q'] }
  await workspace.load(of, [{ ...line, products: [{ name: 'Anvil' }] }])
  const { key: mine } = await workspace.key()
  for (const field of ['products { name }', 'fanoutQueries { query }']) {
    const text = `{ project(id: "${of}") { answers(${window}) { nodes { ${field} } } } }`
    const body = await (await api.graphql(text, mine)).json()
    expect(JSON.stringify(body)).toContain('plan_upgrade_required')
  }
})

test.each([
  [
    'visibilityByTopic',
    'topic { name }',
    'Topic 2',
    'topic { name }',
    { topic: { name: 'Topic 2' } },
  ],
  ['topicHeatmap', 'topic { name }', 'Topic 2', 'topic { name }', { topic: { name: 'Topic 2' } }],
  [
    'visibilityByPrompt',
    'prompt { text }',
    'Question 2?',
    'prompt { text }',
    { prompt: { text: 'Question 2?' } },
  ],
  [
    'fanoutPrompts',
    'prompt { text }',
    'Question 2?',
    'prompt { text }',
    { prompt: { text: 'Question 2?' } },
  ],
  ['ads', 'advertiser', 'Bolt 2', 'prompt { text }', { prompt: { text: 'Question 2?' } }],
  [
    'visibilityByLocation',
    'location { city }',
    'Berlin',
    'location { city }',
    { location: { city: 'Berlin' } },
  ],
  [
    'visibilityByPlatform',
    'platform { slug }',
    'chatgpt',
    'platform { slug }',
    { platform: { slug: 'chatgpt' } },
  ],
  [
    'shareOfVoice',
    'brand { name }',
    'Rivalco2',
    'brand { isOwn name }',
    { brand: { isOwn: false, name: 'Rivalco2' } },
  ],
] as const)('a row of %s leads to its object', async (list, of, value, fields, found) => {
  expect(await rowOf(list, of, value, fields)).toEqual(found)
})

test('a rank, a cell of the heatmap and an answer with a product lead to their objects', async () => {
  const { rows: topics } = await ask(project, 'topics', 'id name')
  const topicId = topics.find(({ name }) => name === 'Topic 2')?.id
  const { data } = await request(
    key,
    `{ project(id: "${project}") {
      promptRankings(${window}, topicId: "${topicId}") { nodes { rank prompt { text } } }
      topicHeatmap(${window}) { nodes { cells { platform { displayName } } } }
      shopping(${window}) { nodes { id: productId name } }
    } }`,
  )
  expect(data.project).toMatchObject({
    promptRankings: { nodes: [{ rank: 1, prompt: { text: 'Question 2?' } }] },
    topicHeatmap: {
      nodes: Array(count).fill({ cells: [{ platform: { displayName: 'ChatGPT' } }] }),
    },
  })
  const { shopping } = data.project as { shopping: { nodes: { id: string; name: string }[] } }
  const id = shopping.nodes.find(({ name }) => name === 'Anvil 2')?.id
  const shown = await request(
    key,
    `{ project(id: "${project}") {
      shoppingProduct(${window}, productId: "${id}") {
        product { platforms { slug } } nodes { rank prompt { text } platform { slug } } } } }`,
  )
  expect(shown.data.project).toEqual({
    shoppingProduct: {
      product: { platforms: [{ slug: 'chatgpt' }] },
      nodes: [{ rank: 1, prompt: { text: 'Question 2?' }, platform: { slug: 'chatgpt' } }],
    },
  })
})

const rivalco2 = { name: 'Rivalco2' }
const onPath = (n: number) => ({ page: { url: pageOf(n) }, platform: null })
const onPlatform = { page: null, platform: { slug: 'chatgpt' } }
const onBoth = (n: number) => ({ page: { url: pageOf(n) }, platform: { slug: 'chatgpt' } })

test('citations and sessions of a page lead to their AI platforms', async () => {
  const of = 'platform { slug }'
  const fields = `all: metrics(${window}) { citations { byPlatform { ${of} } } }
    metrics(window: { from: "2025-05-10", to: "2025-05-10" }) { referrals { series { ${of} } byPlatform { ${of} } } }`
  const chatgpt = { platform: { slug: 'chatgpt' } }
  expect(await rowOf('pages', 'url', pageOf(2), fields)).toEqual({
    all: { citations: { byPlatform: [chatgpt] } },
    metrics: { referrals: { series: [chatgpt], byPlatform: [chatgpt] } },
  })
})

test.each([
  ['crawlerHits', 'path', '/page-1', 'page { url }', { page: { url: pageOf(1) } }],
  ['ofPaths', 'path', '/page-2', 'page { url } platform { slug }', onPath(2)],
  ['ofPlatforms', 'platform { slug }', 'chatgpt', 'page { url } platform { slug }', onPlatform],
  ['trafficAttribution', 'landingPath', '/page-2', 'page { url } platform { slug }', onBoth(2)],
  ['topPages', 'path', '/page-2', 'page { url }', { page: { url: pageOf(2) } }],
  ['aiReferrals', 'source', 'chatgpt.com', 'platform { slug }', { platform: { slug: 'chatgpt' } }],
  ['sitemapCoverage', 'path', '/read', 'page { url }', { page: { url: 'https://acme.com/read' } }],
  ['shopping', 'name', 'Anvil 2', 'platforms { slug }', { platforms: [{ slug: 'chatgpt' }] }],
  ['brandMatches', 'text', 'Rivalco2', 'brand { name }', { brand: rivalco2 }],
] as const)('a row of %s leads to its page or platform', async (list, of, value, fields, found) => {
  expect(await rowOf(list, of, value, fields)).toEqual(found)
})
