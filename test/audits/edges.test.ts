import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { type TestWorkspace, useApi } from '../kit/api.ts'
import { countStatements } from '../kit/catalog-statements.ts'
import { asking } from '../kit/changes.ts'
import { countedStatements } from '../kit/statements.ts'

const statements = countedStatements()
const api = useApi({}, statements.log)

let workspace: TestWorkspace
let key = ''
let project = ''
const graph = asking(api, () => key)

const many = 50
const numbers = Array.from({ length: many }, (_, i) => i + 1)
const urlOf = (page: number) => `https://acme.com/${String(page).padStart(2, '0')}`
const start = Date.UTC(2025, 4, 1)
const minute = (n: number) => new Date(start + n * 60_000)

/** Audit `n` of all pages: each has a title problem, which nobody ignored, and one that somebody did. */
async function addAudit(n: number, pages: readonly { id: string; url: string }[]) {
  const found = (check: string) => ({ check, affectedCount: 70, evidence: [] })
  const findings = {
    findings: [found('title-length'), found('h1-missing')],
    evaluated: ['title-length', 'h1-missing'],
    superseded: [],
    standing: 'judged',
    counted: ['title-length'],
  }
  const shared = { status: 'completed', httpStatus: 200, findings, issueCount: 1 } as const
  await api.db.audit.create({
    data: {
      projectId: project,
      status: 'completed',
      pageCount: pages.length,
      isWholeSite: true,
      createdAt: minute(n),
      pages: {
        create: pages.map(({ id: pageId, url }) => ({ pageId, url, address: url, ...shared })),
      },
    },
  })
}

function issueOf({ id: pageId, url }: { id: string; url: string }) {
  const at = minute(0)
  return {
    id: randomUUID(),
    projectId: project,
    pageId,
    url,
    check: 'title-length',
    severity: 'low' as const,
    affectedCount: 70,
    reach: 0,
    evidence: [],
    decidedBy: 1,
    firstSeenAt: at,
    lastSeenAt: at,
    openedAt: at,
  }
}

/**
 * Fifty pages, each with an issue and two audits, and 50 audits: 48 of the first page, then two of all. Fifty
 * opportunities name a page, a prompt, a topic, a competitor and an issue each. Three answers cite page 1.
 */
beforeAll(async () => {
  workspace = await api.workspace()
  key = (await workspace.key()).key
  project = await workspace.project({ competitors: [{ name: 'Bolt', domain: 'bolt.io' }] })
  await api.db.page.createMany({
    data: numbers.map((n) => {
      const text = { slug: `${n}`, type: 'other', title: '', description: '' }
      return { projectId: project, url: urlOf(n), ...text }
    }),
  })
  const pages = await api.db.page.findMany({
    where: { projectId: project },
    orderBy: { url: 'asc' },
  })
  for (const n of numbers) await addAudit(n, n <= many - 2 ? pages.slice(0, 1) : pages)
  const issues = pages.map(issueOf)
  await api.db.issue.createMany({ data: issues })
  const citations = [{ url: urlOf(1) }]
  await workspace.load(project, [
    ...numbers.map((n) => ({ prompt: `Which of ${n} headphones?`, topic: `Topic ${n}` })),
    { run: 1, citations, collectedAt: '2025-05-11T08:00:00Z' },
    { run: 2, citations, collectedAt: '2025-05-12T08:00:00Z' },
    { run: 3, citations, platform: 'perplexity', collectedAt: '2025-05-13T08:00:00Z' },
  ])
  const [prompts, topics, competitor] = await Promise.all([
    api.db.prompt.findMany({ where: { projectId: project } }),
    api.db.topic.findMany({ where: { projectId: project } }),
    api.db.competitor.findFirstOrThrow({ where: { projectId: project } }),
  ])
  await api.db.opportunity.createMany({
    data: numbers.map((n) => ({
      id: randomUUID(),
      projectId: project,
      rule: 'prompt-gap',
      subject: `${n}`,
      title: 'T',
      description: 'D',
      source: 'competitors',
      category: 'content',
      scope: 'prompt',
      actionType: 'create_page',
      impact: 'low' as const,
      score: 1,
      evidence: [
        { label: 'Page', count: 1, url: urlOf(n) },
        { label: 'Unknown page', count: 1, url: 'https://acme.com/unknown' },
        { label: 'Prompt', count: 1, promptId: prompts[n]?.id ?? '' },
        { label: 'Topic', count: 1, topicId: topics[n - 1]?.id ?? '' },
        { label: 'Competitor', count: 1, competitorId: competitor.id },
        { label: 'Issue', count: 1, issueId: issues[n - 1]?.id ?? '' },
      ],
      createdAt: minute(n),
      updatedAt: minute(n),
    })),
  })
})

const window = 'window: { from: "2025-05-01", to: "2025-05-30" }'
const citations = `metrics(${window}) { citations { total lastCitedOn byPlatform { platform { slug } citedIn } } }`

const cited = `metrics(${window}) { citations { total } dateRange { to } }`

const edges: readonly (readonly [edge: string, list: string, fields: string])[] = [
  ['Issue → page', 'issues', 'page { url openIssueCount }'],
  ['Issue → page → citations', 'issues', `page { ${cited} }`],
  ['Issue → check → worth', 'issues', `check { type worth(${window}) { cited { reason } } }`],
  ['Page → issues', 'pages', 'issues { type }'],
  ['Page → latestAudit', 'pages', 'latestAudit { id }'],
  [
    'Page → audits → findings',
    'pages',
    'audits { nodes { findings { type isCounted check { type } } } }',
  ],
  ['Page → audits → audit', 'pages', 'audits { nodes { audit { pageCount } } }'],
  ['Audit → pages → page', 'audits', 'pages { nodes { page { url } } totalCount }'],
  ['Audit → pages → findings', 'audits', 'pages { nodes { findings { description } } }'],
  ['Audit → progress and scores', 'audits', 'progress { done } scoreBreakdown { type points }'],
  ['Opportunity → evidence → page', 'opportunities', `evidence { page { url ${cited} } }`],
  ['Opportunity → evidence → prompt', 'opportunities', 'evidence { prompt { text } }'],
  ['Opportunity → evidence → topic', 'opportunities', 'evidence { topic { name } }'],
  ['Opportunity → evidence → competitor', 'opportunities', 'evidence { competitor { name } }'],
  ['Opportunity → evidence → issue', 'opportunities', 'evidence { issue { page { url } } }'],
]

const rowsOf = (list: unknown) => (list as { nodes: unknown[] } | undefined)?.nodes

/** The rows of a list with an edge, and the statements that they took. */
async function ask(list: string, limit: number, fields: string) {
  statements.taken()
  const listed = `${list}(first: ${limit}) { nodes { ${fields} } }`
  const asked = await countStatements(api, key, `{ project(id: "${project}") { ${listed} } }`)
  const found = asked.data.project as Record<string, { nodes: unknown[] }>
  const rows = found[list]?.nodes ?? []
  return { rows, taken: { catalog: asked.statements, warehouse: statements.taken() } }
}

test.each(edges)(
  '%s takes as many statements for 50 parents as for one',
  async (_, list, fields) => {
    const one = await ask(list, 1, fields)
    const all = await ask(list, many, fields)
    expect([one.rows.length, all.rows.length]).toEqual([1, many])
    expect(JSON.stringify(all.rows)).not.toContain('[]')
    expect(all.taken).toEqual(one.taken)
  },
)

test('an issue leads to its page, and to the answers that cite the page', async () => {
  const { data } = await graph(
    `{ project(id: "${project}") { issues(first: 2) { nodes { page { url ${citations} } } } } }`,
  )
  expect(rowsOf(data.project?.issues)).toEqual([
    {
      page: {
        url: urlOf(1),
        metrics: {
          citations: {
            total: 3,
            lastCitedOn: '2025-05-13',
            byPlatform: [
              { platform: { slug: 'chatgpt' }, citedIn: 2 },
              { platform: { slug: 'perplexity' }, citedIn: 1 },
            ],
          },
        },
      },
    },
    {
      page: {
        url: urlOf(2),
        metrics: { citations: { total: 0, lastCitedOn: null, byPlatform: [] } },
      },
    },
  ])
})

test('a page shows what its newest audits found, ignored faults too', async () => {
  const found = (type: string, isCounted: boolean) => ({ type, isCounted })
  const results = { findings: [found('title-length', true), found('h1-missing', false)] }
  const { data } = await graph(
    `{ project(id: "${project}") { pages(first: 2) { nodes {
         audits(first: 3) { nodes { audit { createdAt } findings { type isCounted } } pageInfo { hasNextPage } } } } } }`,
  )
  const at = (n: number) => ({ audit: { createdAt: minute(n).toISOString() }, ...results })
  expect(rowsOf(data.project?.pages)).toEqual([
    { audits: { nodes: [at(50), at(49), at(48)], pageInfo: { hasNextPage: true } } },
    { audits: { nodes: [at(50), at(49)], pageInfo: { hasNextPage: false } } },
  ])
})

test('evidence leads to the page at its URL, and to none for an unknown URL', async () => {
  const { data } = await graph(
    `{ project(id: "${project}") { opportunities(first: 1) { nodes {
         evidence { label ... on PageEvidence { page { url } } } } } } }`,
  )
  const others = ['Prompt', 'Topic', 'Competitor', 'Issue'].map((label) => ({ label }))
  expect(rowsOf(data.project?.opportunities)).toEqual([
    {
      evidence: [
        { label: 'Page', page: { url: urlOf(50) } },
        { label: 'Unknown page', page: null },
        ...others,
      ],
    },
  ])
})
