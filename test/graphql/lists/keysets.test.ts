import { beforeAll, describe, expect, test } from 'vitest'
import { type TestWorkspace, useApi } from '../../kit/api.ts'
import { isSoak } from '../../kit/soak.ts'
import { keepsItsPlace, type List, namesOf, pagesOf } from './keysets.ts'

const api = useApi()

let workspace: TestWorkspace
let key = ''
let project = ''
let topic = ''
let page = ''
let audit = ''

const start = Date.parse('2025-05-10T08:00:00Z')
const at = (n: number) => new Date(start - n * 60_000)
const id = (n: number) =>
  `00000000-0000-4000-8000-${project.slice(-8)}${String(n * 10).padStart(4, '0')}`

beforeAll(async () => {
  workspace = await api.workspace()
  key = (await workspace.key({ scopes: ['admin'] })).key
  project = await workspace.project({ name: 'The last' })
  topic = (await api.db.topic.create({ data: { projectId: project, name: 'T' } })).id
  page = (await makePage('https://acme.com/kept')).id
  audit = (await makeAudit(at(0))).id
})

const makePage = (url: string) =>
  api.db.page.create({
    data: { projectId: project, url, slug: url, type: 'other', title: '', description: '' },
  })

const makeAudit = (createdAt: Date, pageCount = 1) =>
  api.db.audit.create({
    data: { projectId: project, pageCount, isWholeSite: false, status: 'completed', createdAt },
  })

const ofAudit = (auditId: string, pageId: string, url: string) =>
  api.db.auditPage.create({
    data: { auditId, pageId, url, address: url, status: 'completed' },
  })

const ask = pagesOf(api, () => key)

const ofProject = (list: string) => `project(id: "${project}") { ${list} }`
const rows = (row: string) => `{ nodes { name: ${row} } pageInfo { hasNextPage endCursor } }`
const inProject = (field: string, row: string) => (args: string) =>
  ofProject(`${field}(${args}) ${rows(row)}`)

const makePrompt = (n: number) =>
  api.db.prompt.create({
    data: {
      id: id(n),
      projectId: project,
      text: `Prompt ${n}`,
      createdAt: at(n),
      isTracked: n < 3,
      topics: { create: { topicId: topic } },
    },
  })
const prompts = {
  make: makePrompt,
  remove: (n: number) => api.db.prompt.delete({ where: { id: id(n) } }),
  name: (n: number) => `Prompt ${n}`,
}

const lists: Readonly<Record<string, List>> = {
  'the projects of a key': {
    query: (args) => `projects(${args}) ${rows('name')}`,
    make: (n) => workspace.project({ name: `List ${n}` }),
    remove: (n) =>
      api.db.project.deleteMany({ where: { workspaceId: workspace.id, name: `List ${n}` } }),
    name: (n) => `List ${n}`,
  },
  prompts: { query: inProject('prompts', 'text'), ...prompts },
  'the prompts of a topic': {
    query: (args) => ofProject(`topic(id: "${topic}") { prompts(${args}) ${rows('text')} }`),
    ...prompts,
  },
  'archived prompts': {
    query: (args) => ofProject(`prompts(filter: { isTracked: false }, ${args}) ${rows('text')}`),
    ...prompts,
    make: async (n) => {
      await makePrompt(n)
      await api.db.prompt.update({ where: { id: id(n) }, data: { isTracked: false } })
    },
  },
  pages: {
    query: inProject('pages', 'url'),
    make: (n) => makePage(`https://acme.com/${n}`),
    remove: (n) =>
      api.db.page.deleteMany({ where: { projectId: project, url: `https://acme.com/${n}` } }),
    name: (n) => `https://acme.com/${n}`,
  },
  articles: {
    query: inProject('articles', 'title'),
    make: (n) =>
      api.db.article.create({
        data: {
          id: id(n),
          projectId: project,
          source: 'content-v2',
          slug: `s${n}`,
          title: `A ${n}`,
          urlPath: `/${n}`,
          status: 'published',
          type: 'guide',
          wordCount: 1,
          content: '',
          visibility: 'public',
          updatedAt: at(n),
        },
      }),
    remove: (n) => api.db.article.delete({ where: { id: id(n) } }),
    name: (n) => `A ${n}`,
  },
  issues: {
    query: inProject('issues', 'url'),
    make: (n) =>
      api.db.issue.create({
        data: {
          id: id(n),
          projectId: project,
          check: 'missing-title',
          url: `https://acme.com/${n}`,
          // Three severities, and two reaches in each.
          severity: (['critical', 'high', 'medium'] as const)[Math.floor((n - 1) / 2)] ?? 'low',
          reach: n % 2 === 0 ? 5 : 9,
          affectedCount: 1,
          evidence: [],
          decidedBy: 1,
          firstSeenAt: at(n),
          lastSeenAt: at(n),
          openedAt: at(n),
        },
      }),
    remove: (n) => api.db.issue.delete({ where: { id: id(n) } }),
    name: (n) => `https://acme.com/${n}`,
  },
  opportunities: {
    query: inProject('opportunities', 'title'),
    make: (n) =>
      api.db.opportunity.create({
        data: {
          id: id(n),
          projectId: project,
          rule: 'query-without-page',
          subject: `${n}`,
          title: `O ${n}`,
          description: '',
          source: 'fanout',
          category: 'content',
          scope: 'topic',
          actionType: 'create_page',
          score: 60,
          evidence: [],
          impact: n < 4 ? 'high' : 'medium',
          createdAt: at(n),
          updatedAt: at(n),
        },
      }),
    remove: (n) => api.db.opportunity.delete({ where: { id: id(n) } }),
    name: (n) => `O ${n}`,
  },
  reports: {
    query: inProject('reports', 'title'),
    make: (n) =>
      api.db.report.create({
        data: {
          id: id(n),
          projectId: project,
          reportType: 'combined',
          title: `R ${n}`,
          from: at(0),
          to: at(0),
          asOf: {},
          createdAt: at(n),
        },
      }),
    remove: (n) => api.db.report.delete({ where: { id: id(n) } }),
    name: (n) => `R ${n}`,
  },
  'the audit trail': {
    query: inProject('auditTrail', 'action'),
    make: (n) =>
      api.db.auditEntry.create({
        data: {
          workspaceId: workspace.id,
          projectId: project,
          action: `made.${n}`,
          subjectType: 'project',
          subjectId: project,
        },
      }),
    name: (n) => `made.${n}`,
  },
  'the pages of an audit': {
    query: (args) => ofProject(`audit(id: "${audit}") { pages(${args}) ${rows('url')} }`),
    make: (n) => ofAudit(audit, id(n), `https://acme.com/${n}`),
    remove: (n) => api.db.auditPage.deleteMany({ where: { auditId: audit, pageId: id(n) } }),
    name: (n) => `https://acme.com/${n}`,
  },
  'the audit results of a page': {
    query: (args) => ofProject(`page(id: "${page}") { audits(${args}) ${rows('url')} }`),
    make: async (n) => ofAudit((await makeAudit(at(n))).id, page, `https://acme.com/${n}`),
    remove: async (n) => {
      const row = await api.db.auditPage.findFirstOrThrow({
        where: { pageId: page, url: `https://acme.com/${n}` },
      })
      await api.db.audit.delete({ where: { id: row.auditId } })
    },
    name: (n) => `https://acme.com/${n}`,
  },
  audits: {
    query: inProject('audits', 'pageCount'),
    make: (n) => makeAudit(at(n - 100), n * 10),
    remove: (n) => api.db.audit.deleteMany({ where: { projectId: project, pageCount: n * 10 } }),
    name: (n) => n * 10,
  },
}

describe('a list of the catalog', () => {
  test.each(Object.entries(lists))(
    '%s: rows that come and go before a cursor neither repeat nor hide a row',
    (_name, list) => keepsItsPlace(ask, list),
  )
})

if (isSoak)
  describe('a cursor', () => {
    const answers = (args: string) => ofProject(`answers(${args}) ${rows('text')}`)

    test('goes on under filters that mean the same, however they are written', async () => {
      const day = new Date().toISOString()
      await workspace.load(
        project,
        [1, 2, 3].map((n) => ({
          text: `Text ${n}`,
          prompt: `p${n}`,
          topic: 'T',
          platform: 'chatgpt',
          location: 'Berlin, Germany',
          collectedAt: day,
        })),
      )
      const written = (filter: string, rest = '') => `filter: { ${filter} }, ${rest} first: 2`
      const ways = [
        written('platforms: ["chatgpt", "perplexity"], countries: ["DE"]'),
        written('countries: ["Germany"], platforms: ["Perplexity", "ChatGPT", "chatgpt"]'),
        written('countries: ["de"], platforms: ["PERPLEXITY", "CHATGPT"]'),
        written('countries: ["DE"], platforms: ["chatgpt", "perplexity"]', 'window: { days: 30 },'),
      ]
      for (const from of ways) {
        const first = await ask(answers(from))
        for (const to of ways) {
          const second = await ask(answers(`${to}, after: "${first.pageInfo.endCursor}"`))
          expect([...namesOf(first), ...namesOf(second)].sort()).toEqual([
            'Text 1',
            'Text 2',
            'Text 3',
          ])
        }
      }
      const first = await ask(answers(written('countries: ["DE"]')))
      const other = answers(`${written('countries: ["FR"]')}, after: "${first.pageInfo.endCursor}"`)
      const refused = await (await api.graphql(`{ ${other} }`, key)).json()
      expect(JSON.stringify(refused)).toContain('"argument":"after"')
    })
  })
