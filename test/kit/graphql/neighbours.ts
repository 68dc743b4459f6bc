import { randomUUID } from 'node:crypto'
import { normaliseUrl } from '../../../core/sites/urls.ts'
import { importPageContents } from '../../../imports/content/page-contents.ts'
import type { TestApi, TestWorkspace } from '../api.ts'
import { importSearch, searchAnswer } from '../imports/search-console.ts'
import { bytesOf, importReport, reportOf, reportRow } from '../imports/web-analytics.ts'
import { connectSource, putHits } from '../tracker/hits.ts'
import type { executors, graphRequests } from './requests.ts'

/** A page that assistants read, and no answer cites. */
const readPage = 'https://acme.com/read'

export const pageOf = (n: number) => `https://acme.com/page-${n}`

/**
 * A project of `count` topics, prompts, competitors, own pages, cited sites and sub-queries, with an answer for each.
 * Answer n belongs to prompt n and topic n, names Acme and then competitor n, and cites page n and site n. It was made
 * from one more page, which it does not cite.
 * Some crawlers, at most five, each read the first page twice and the second page once.
 */
export async function makeNeighbours(api: TestApi, workspace: TestWorkspace, count: number) {
  const numbers = Array.from({ length: count }, (_, i) => i + 1)
  const competitors = numbers.map((n) => ({ name: `Rivalco${n}`, domain: `rival-${n}.com` }))
  const project = await workspace.project({ competitors })
  await api.db.page.createMany({
    data: [...numbers.map(pageOf), readPage].map((url) => ({
      projectId: project,
      url: normaliseUrl(url) ?? '',
      slug: new URL(url).pathname.slice(1),
      type: 'other',
      title: '',
      description: '',
    })),
  })
  await api.db.sitemapUrl.createMany({
    data: [...numbers.map(pageOf), readPage].map((url) => ({
      projectId: project,
      url,
      host: 'acme.com',
      path: new URL(url).pathname,
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
      citations: [
        { url: pageOf(n) },
        { url: `https://site-${n}.com/` },
        { url: readPage, cited: false },
      ],
      searchQueries: [`query ${n}`],
      products: [{ brand: 'Acme', name: `Anvil ${n}`, price: '£20' }],
      ads: [{ advertiser: `Bolt ${n}`, url: `https://bolt-${n}.com/`, title: 'Boom' }],
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
  await addRecords(api, project, numbers)
  await addChanges(api, workspace, project, numbers)
  return project
}

/** A content piece, a stored text, a search and an issue for each page, with an opportunity of all of them. */
async function addRecords(api: TestApi, projectId: string, numbers: readonly number[]) {
  const at = new Date('2025-05-10T08:00:00Z')
  const dates = { firstSeenAt: at, lastSeenAt: at, openedAt: at }
  const idsAt = async (n: number) => {
    const [page, prompt, topic, competitor] = await Promise.all([
      api.db.page.findFirstOrThrow({ where: { projectId, url: pageOf(n) } }),
      api.db.prompt.findFirstOrThrow({ where: { projectId, text: `Question ${n}?` } }),
      api.db.topic.findFirstOrThrow({ where: { projectId, name: `Topic ${n}` } }),
      api.db.competitor.findFirstOrThrow({ where: { projectId, name: `Rivalco${n}` } }),
    ])
    return { pageId: page.id, promptId: prompt.id, topicId: topic.id, competitorId: competitor.id }
  }
  await api.db.article.createMany({
    data: numbers.map((n) => ({
      projectId,
      source: 'content-v2',
      slug: `page-${n}`,
      title: `Page ${n}`,
      urlPath: `/page-${n}`,
      status: 'published',
      type: 'guide',
      wordCount: 400,
      visibility: 'public',
      content: 'Text.',
    })),
  })
  await importPageContents(api, {
    projectId,
    bytes: bytesOf(
      numbers
        .map((n) => ({ url: `https://site-${n}.com/`, title: `Site ${n}`, content: 'Text.' }))
        .map((line) => JSON.stringify({ ...line, fetchedAt: at.toISOString() }))
        .join('\n'),
    ),
  })
  await importSearch(
    api,
    projectId,
    JSON.stringify(
      searchAnswer(numbers.map((n) => ({ query: `question ${n}?`, page: pageOf(n) }))),
    ),
  )
  const began = numbers.map((n) => reportRow({ page: `/page-${n}`, source: 'chatgpt.com' }))
  await importReport(api, projectId, JSON.stringify(reportOf(began)))
  const place = await api.db.location.findFirstOrThrow({ where: { projectId } })
  for (const n of numbers) {
    const ids = await idsAt(n)
    const { promptId } = ids
    await api.db.promptLocation.create({ data: { promptId, locationId: place.id } })
    const issueId = randomUUID()
    await api.db.issue.create({
      data: {
        id: issueId,
        projectId,
        pageId: ids.pageId,
        check: 'missing-title',
        url: pageOf(n),
        severity: 'high',
        affectedCount: 1,
        reach: 0,
        evidence: [],
        decidedBy: 1,
        ...dates,
      },
    })
    const { topicId, competitorId } = ids
    const evidence = [
      { promptId },
      { topicId },
      { competitorId, promptId },
      { issueId, url: pageOf(n) },
      { platform: 'chatgpt' },
      { url: pageOf(n) },
    ].map((of) => ({ label: 'answers', count: 1, ...of }))
    await api.db.opportunity.create({
      data: {
        id: randomUUID(),
        projectId,
        rule: 'query-without-page',
        subject: `query ${n}`,
        title: `Write page ${n}`,
        description: '',
        source: 'fanout',
        category: 'content',
        scope: 'topic',
        actionType: 'create_page',
        impact: 'high',
        score: 60,
        evidence,
        createdAt: at,
        updatedAt: at,
      },
    })
  }
}

/** A change of each topic by the newest key of the workspace. */
async function addChanges(
  api: TestApi,
  { id: workspaceId }: TestWorkspace,
  projectId: string,
  numbers: readonly number[],
) {
  const where = { workspaceId }
  const key = await api.db.apiKey.findFirst({ where, orderBy: { createdAt: 'desc' } })
  await api.db.auditEntry.createMany({
    data: numbers.map(() => ({
      workspaceId,
      projectId,
      userId: key?.userId ?? null,
      keyId: key?.id ?? null,
      action: 'topic.add',
      subjectType: 'topic',
      subjectId: randomUUID(),
    })),
  })
}

export const window = 'window: { from: "2025-05-01", to: "2025-05-31" }'

/** The lists that an edge begins at, and how many rows the large project has at least. */
const lists = {
  topics: (fields: string) => `topics { nodes { ${fields} } }`,
  platforms: (fields: string) => `platforms { nodes { ${fields} } }`,
  locations: (fields: string) => `locations { nodes { ${fields} } }`,
  prompts: (fields: string) => `prompts(first: 100) { nodes { ${fields} } }`,
  pages: (fields: string) => `pages { nodes { ${fields} } }`,
  sourceUrls: (fields: string) => `sourceUrls(${window}, first: 200) { nodes { ${fields} } }`,
  sourceDomains: (fields: string) => `sourceDomains(${window}, first: 200) { nodes { ${fields} } }`,
  brands: (fields: string) => `brands(${window}) { nodes { ${fields} } }`,
  competitors: (fields: string) => `competitors { nodes { ${fields} } }`,
  answers: (fields: string) => `answers(${window}, first: 100) { nodes { ${fields} } }`,
  crawlers: (fields: string) => `crawlers(${window}, first: 100) { nodes { ${fields} } }`,
  articles: (fields: string) => `articles(first: 100) { nodes { ${fields} } }`,
  issues: (fields: string) => `issues(first: 100) { nodes { ${fields} } }`,
  opportunities: (fields: string) => `opportunities(first: 100) { nodes { ${fields} } }`,
  searchQueries: (fields: string) => `searchQueries(${window}, first: 100) { nodes { ${fields} } }`,
  searchPages: (fields: string) => `searchPages(${window}, first: 100) { nodes { ${fields} } }`,
  visibilityByTopic: (fields: string) => `visibilityByTopic(${window}) { nodes { ${fields} } }`,
  visibilityByPrompt: (fields: string) =>
    `visibilityByPrompt(${window}, first: 100) { nodes { ${fields} } }`,
  visibilityByLocation: (fields: string) =>
    `visibilityByLocation(${window}) { nodes { ${fields} } }`,
  visibilityByPlatform: (fields: string) =>
    `visibilityByPlatform(${window}) { platforms { ${fields} } }`,
  topicHeatmap: (fields: string) => `topicHeatmap(${window}) { nodes { ${fields} } }`,
  shareOfVoice: (fields: string) => `shareOfVoice(${window}) { nodes { ${fields} } }`,
  ads: (fields: string) => `ads(${window}, first: 100) { nodes { ${fields} } }`,
  ownBrand: (fields: string) => `ownBrand { ${fields} }`,
  crawlerHits: (fields: string) => `crawlerHits(${window}, first: 100) { nodes { ${fields} } }`,
  ofPaths: (fields: string) =>
    `ofPaths: trafficCorrelation(${window}, first: 100) { nodes { ${fields} } }`,
  ofPlatforms: (fields: string) =>
    `ofPlatforms: trafficCorrelation(${window}, groupBy: platform) { nodes { ${fields} } }`,
  trafficOverview: (fields: string) => `trafficOverview(${window}) { ${fields} }`,
  trafficAttribution: (fields: string) => `trafficAttribution(${window}) { rows { ${fields} } }`,
  topPages: (fields: string) => `topPages(${window}, first: 100) { nodes { ${fields} } }`,
  aiReferrals: (fields: string) => `aiReferrals(${window}) { nodes { ${fields} } }`,
  shopping: (fields: string) => `shopping(${window}, first: 100) { nodes { ${fields} } }`,
  sitemapCoverage: (fields: string) =>
    `sitemapCoverage(${window}, first: 100) { nodes { ${fields} } }`,
  investigate: (fields: string) => `investigate(metric: citations, ${window}) { ${fields} }`,
  brandMatches: (fields: string) => `brandMatches { names { ${fields} } }`,
  previewReanalysis: (fields: string) => `previewReanalysis { brands { ${fields} } }`,
  auditTrail: (fields: string) => `auditTrail(first: 100) { nodes { ${fields} } }`,
  ofCrawlers: (fields: string) =>
    `ofCrawlers: trafficCorrelation(${window}, groupBy: bot_name) { nodes { ${fields} } }`,
  queryFanout: (fields: string) =>
    `queryFanout(${window}, topQueriesLimit: 100) { topQueries { ${fields} } }`,
  fanoutPrompts: (fields: string) =>
    `fanoutPrompts: queryFanout(${window}, first: 100) { nodes { ${fields} } }`,
}

export type List = keyof typeof lists

type Row = Record<string, unknown>

/** A list, the rows of a connection, or one object. */
function rowsIn(found: Row[] | Row): Row[] {
  if (Array.isArray(found)) return found
  const [only] = Object.values(found)
  const isList = Object.keys(found).length === 1 && Array.isArray(only)
  return isList ? (only as Row[]) : [found]
}

/** Asks for fields of the rows of a list of a project. */
export function listAsker(request: ReturnType<typeof graphRequests>, key: () => string) {
  return async (project: string, list: List, fields: string, executor?: keyof typeof executors) => {
    const text = `{ project(id: "${project}") { ${lists[list](fields)} } }`
    const { data, statements, ofCatalog } = await request(key(), text, executor)
    const found = (data.project as Row)[list] as Row[] | Row
    const rows = rowsIn(found)
    return { rows, taken: { statements, ofCatalog } }
  }
}
