import { beforeAll, expect, test } from 'vitest'
import { publicSchema } from '../../schema/index.ts'
import { useApi } from '../kit/api.ts'
import { type List, listAsker, makeNeighbours, pageOf, window } from '../kit/graphql/neighbours.ts'
import { graphRequests, triedExecutors } from '../kit/graphql/requests.ts'
import { isSoak, sized } from '../kit/soak.ts'
import { allFields, allIntervals, edgesOf, edgesWith } from './selection.ts'

const api = useApi()
const request = graphRequests(api)

let key = ''
let small = ''
let large = ''
const many = sized({ normal: 8, soak: 25 })

beforeAll(async () => {
  const workspace = await api.workspace()
  key = (await workspace.key({ scopes: ['read', 'admin'] })).key
  small = await makeNeighbours(api, workspace, 1)
  large = await makeNeighbours(api, workspace, many)
})

const ask = listAsker(request, () => key)

const answers = `answers(${window}, first: 2) { totalCount pageInfo { hasNextPage }
  nodes { prompt { text } mentions { brand { name } } citations { url page { url } } } }`
const prompts = `prompts(${window}, first: 2) { nodes { answerCount prompt { text } } }`

/** The lists that all edges begin at, with the type of their rows, and how many rows there are at least. */
const lists: readonly (readonly [list: List, type: string, least: number])[] = [
  ['topics', 'Topic', many],
  ['prompts', 'Prompt', many],
  ['platforms', 'Platform', 5],
  ['locations', 'Location', 1],
  ['pages', 'Page', many],
  ['sourceUrls', 'SourceUrl', many],
  ['sourceDomains', 'SourceDomain', many],
  ['brands', 'BrandStanding', many],
  ['competitors', 'Competitor', many],
  ['ownBrand', 'OwnBrand', 1],
  ['queryFanout', 'FanoutQuery', many],
  ['answers', 'Answer', many],
  ['articles', 'Article', many],
  ['issues', 'Issue', many],
  ['opportunities', 'Opportunity', many],
  ['searchQueries', 'SearchQuery', many],
  ['searchPages', 'SearchPage', many],
  ['crawlers', 'Crawler', 5],
  ['visibilityByTopic', 'VisibilityTopic', many],
  ['visibilityByPrompt', 'VisibilityPrompt', many],
  ['visibilityByLocation', 'VisibilityLocation', 1],
  ['visibilityByPlatform', 'VisibilityPlatform', 1],
  ['topicHeatmap', 'HeatmapTopic', many],
  ['shareOfVoice', 'BrandShareOfVoice', many],
  ['fanoutPrompts', 'FanoutPrompt', many],
  ['ads', 'Ad', many],
  ['crawlerHits', 'CrawlerHit', 5],
  ['ofPaths', 'CorrelationRow', many],
  ['ofPlatforms', 'CorrelationRow', 1],
  ['ofCrawlers', 'CorrelationRow', 5],
  ['auditTrail', 'AuditEntry', many],
  ['trafficOverview', 'TrafficOverview', 1],
  ['trafficAttribution', 'AttributedSessions', many],
  ['topPages', 'LandingPage', many],
  ['aiReferrals', 'AiReferralSource', 1],
  ['shopping', 'ShoppingProduct', many],
  ['sitemapCoverage', 'UncrawledUrl', many - 1],
  ['investigate', 'Investigation', 1],
  ['brandMatches', 'NameMatches', many],
  ['previewReanalysis', 'PreviewedBrand', many],
]

/**
 * Edges of single objects, of audits, of rows that an argument selects, and of rows two steps on. And what needs days
 * before: competitors of a change, and suggestions of today. And topics that a brand leads: all are named alike here.
 */
const elsewhere =
  /^(?:ArticleWithText|Audit\w*|Check|CitingPlatform|Page(?:CrawlDay|CrawlsByBot|ReferralDay)|RankedPrompt|Report|Shopping(?:Mention|ProductDetail)|SuggestedPrompt)\.|^Page\.(?:audits|latestAudit)$|\.leadingTopics$|^InvestigationDriver\.competitor$/

const filled = new Set<string>()

/** Each statement of an edge serves many lists: the normal run asks for a few. */
const asked = triedExecutors.flatMap((executor) =>
  lists
    .filter((_, at) => at % sized({ normal: 10, soak: 1 }) === 0)
    .map(([list, type, least]) => [list, executor, type, least] as const),
)

test.each(asked)(
  `all edges of %s with %s take as many statements for ${many} as for one`,
  async (list, executor, type, least) => {
    const fields = allFields(publicSchema, type)
    const one = await ask(small, list, fields, executor)
    const all = await ask(large, list, fields, executor)
    expect(all.rows.length).toBeGreaterThanOrEqual(least)
    expect(all.taken).toEqual(one.taken)
    for (const edge of edgesWith(publicSchema, type, all.rows)) filled.add(edge)
  },
)

test.each(
  sized({
    normal: [['topics', 'Topic']],
    soak: [
      ['topics', 'Topic'],
      ['prompts', 'Prompt'],
      ['platforms', 'Platform'],
      ['competitors', 'Competitor'],
    ],
  }) as [List, string][],
)(
  `the intervals of all reports of %s take as many statements for ${many} as for one`,
  async (list, type) => {
    const fields = allIntervals(publicSchema, type)
    const one = await ask(small, list, fields)
    const all = await ask(large, list, fields)
    expect(fields).toContain('basketLow')
    expect(all.taken).toEqual(one.taken)
    expect(all.taken.statements.filter((name) => name.includes('samples'))).not.toEqual([])
  },
)

if (isSoak) {
  test('every edge of the schema led to something in those lists', () => {
    const missed = edgesOf(publicSchema).filter(
      (edge) => !filled.has(edge) && !elsewhere.test(edge),
    )
    expect(missed).toEqual([])
  })
}

const answer = (n: number) => ({
  totalCount: 1,
  pageInfo: { hasNextPage: false },
  nodes: [
    {
      prompt: { text: `Question ${n}?` },
      mentions: [{ brand: { name: 'Acme' } }, { brand: { name: `Rivalco${n}` } }],
      citations: [
        { url: pageOf(n), page: { url: pageOf(n) } },
        { url: `https://site-${n}.com/`, page: null },
      ],
    },
  ],
})

test.each([
  ['topics', 'name', 'Topic 7'],
  ['prompts', 'text', 'Question 7?'],
  ['pages', 'url', pageOf(7)],
  ['sourceUrls', 'url', 'https://site-7.com/'],
  ['sourceDomains', 'domain', 'site-7.com'],
  ['competitors', 'name', 'Rivalco7'],
  ['queryFanout', 'query', 'query 7'],
] as const)('%s lead to their own answers', async (list, of, value) => {
  const { rows } = await ask(large, list, `${of} ${answers}`)
  expect(rows.find((row) => row[of] === value)?.answers).toEqual(answer(7))
})

test('a later page of an edge goes on where the first one ended', async () => {
  const page = (after: string) =>
    `answers(${window}, first: 5${after}) { totalCount nodes { id } pageInfo { endCursor hasNextPage } }`
  const seen: string[] = []
  let after = ''
  do {
    const { rows } = await ask(large, 'locations', page(after))
    const found = rows[0]?.answers as {
      totalCount: number
      nodes: { id: string }[]
      pageInfo: { endCursor: string; hasNextPage: boolean }
    }
    expect(found.totalCount).toBe(many)
    seen.push(...found.nodes.map(({ id }) => id))
    after = found.pageInfo.hasNextPage ? `, after: "${found.pageInfo.endCursor}"` : ''
  } while (after !== '')
  expect(seen).toHaveLength(many)
  expect(new Set(seen).size).toBe(many)
})

test('a sub-query and a cited URL lead to their prompts', async () => {
  for (const [list, of, value] of [
    ['queryFanout', 'query', 'query 7'],
    ['sourceUrls', 'url', pageOf(7)],
  ] as const) {
    const { rows } = await ask(large, list, `${of} ${prompts}`)
    const found = rows.find((row) => row[of] === value)
    expect(found?.prompts).toEqual({ nodes: [{ answerCount: 1, prompt: { text: 'Question 7?' } }] })
  }
})

test('objects show the sources of their own answers', async () => {
  const typed = `sources(${window}, first: 2) { nodes { domain type citationCount citedIn } }`
  const cited = (domain: string, type: string, n: number) => {
    return { domain, type, citationCount: n, citedIn: n }
  }
  const { rows: topics } = await ask(large, 'topics', `name ${typed}`)
  expect(topics.find(({ name }) => name === 'Topic 7')?.sources).toEqual({
    nodes: [cited('acme.com', 'brand', 1), cited('site-7.com', 'other', 1)],
  })
  const { rows: places } = await ask(large, 'locations', typed)
  expect(places).toEqual([
    { sources: { nodes: [cited('acme.com', 'brand', many), cited('site-1.com', 'other', 1)] } },
  ])
  const { rows: flat } = await ask(large, 'sourceDomains', 'domain type citationCount')
  expect(flat.slice(0, 2)).toEqual([
    { domain: 'acme.com', type: 'brand', citationCount: many },
    { domain: 'site-1.com', type: 'other', citationCount: 1 },
  ])
})

test('what names a crawler leads to the crawler with its own hits', async () => {
  const crawler = `crawler(${window}) { botName visits }`
  const found = { crawler: { botName: 'GPTBot', visits: 3 } }
  const { rows: hits } = await ask(large, 'crawlerHits', `botName ${crawler}`)
  expect(hits.find(({ botName }) => botName === 'GPTBot')).toEqual({ botName: 'GPTBot', ...found })
  const { rows: joined } = await ask(large, 'ofCrawlers', `botName ${crawler}`)
  expect(joined.find(({ botName }) => botName === 'GPTBot')).toEqual({
    botName: 'GPTBot',
    ...found,
  })
  const { rows: byPath } = await ask(large, 'ofPaths', crawler)
  expect(new Set(byPath.map((row) => row.crawler))).toEqual(new Set([null]))
  const { rows: overview } = await ask(
    large,
    'trafficOverview',
    `crawlers { byBot { ${crawler} } }`,
  )
  expect(overview[0]).toMatchObject({ crawlers: { byBot: expect.arrayContaining([found]) } })
  const days = `crawls { series { ${crawler} } byBot { ${crawler} } }`
  const { rows: pages } = await ask(large, 'pages', `url metrics(${window}) { ${days} }`)
  expect(pages.find(({ url }) => url === pageOf(1))).toMatchObject({
    metrics: {
      crawls: { series: expect.arrayContaining([found]), byBot: expect.arrayContaining([found]) },
    },
  })
})

test('a stored text leads to its URL, a heatmap to its platforms, a change to who made it', async () => {
  const url = 'https://site-7.com/'
  const { data } = await request(
    key,
    `{ project(id: "${large}") { sourceContent(url: "${url}") { sourceUrl(${window}) { url citedIn } }
       topicHeatmap(${window}) { platforms { slug displayName } }
       auditTrail(first: 1) { nodes { project { id } member { userId role } key { scopes } userId } } } }`,
  )
  const { auditTrail, ...project } = data.project as { auditTrail: { nodes: unknown[] } }
  expect(project).toEqual({
    sourceContent: { sourceUrl: { url, citedIn: 1 } },
    topicHeatmap: {
      platforms: [{ slug: 'chatgpt', displayName: 'ChatGPT' }],
    },
  })
  const [change] = auditTrail.nodes as { userId: string }[]
  expect(change).toEqual({
    project: { id: large },
    key: { scopes: ['read', 'admin'] },
    userId: change?.userId,
    member: { userId: change?.userId, role: 'owner' },
  })
})

test('a crawler leads to the pages that it reads most', async () => {
  const crawler = (name: string) => `crawler(name: "${name}", ${window}) {
    botName visits platform { slug } pages(first: 2) { nodes { path visits page { url } } } }`
  const text = (name: string) => `{ project(id: "${large}") { ${crawler(name)} } }`
  expect((await request(key, text('gptbot'))).data.project).toEqual({
    crawler: {
      botName: 'GPTBot',
      visits: 3,
      platform: { slug: 'chatgpt' },
      pages: {
        nodes: [
          { path: '/page-1', visits: 2, page: { url: pageOf(1) } },
          { path: '/page-2', visits: 1, page: { url: pageOf(2) } },
        ],
      },
    },
  })
  expect((await request(key, text('NoBot'))).data.project).toEqual({ crawler: null })
})
