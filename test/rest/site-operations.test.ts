import { beforeAll, describe, expect, test } from 'vitest'
import { importPages } from '../../imports/content/pages.ts'
import { makeReport } from '../../worker/report.ts'
import { useApi } from '../kit/api.ts'
import { makeAuditRows } from '../kit/audit-rows.ts'
import { asking } from '../kit/changes.ts'
import { flat } from '../kit/graphql/flat.ts'
import { answers, brand } from '../kit/reports.ts'
import { sendWrite } from '../kit/rest/writes.ts'

/** HTTP of all operations on audits, issues, opportunities, reports, sitemaps and changes of metrics. */

const api = useApi()
const graph = asking(api, () => key)

let key = ''
let bound = ''
let project = ''
/** The ids in paths of `project`, and those of another project of the workspace. */
let own: Record<string, string> = {}
let foreign: Record<string, string> = {}

async function* bytesOf(text: string) {
  yield Buffer.from(text)
}

/** A project with a page, an audit with an issue, an opportunity and a report. Its ids by their names in paths. */
async function fill(projectId: string): Promise<Record<string, string>> {
  const bytes = bytesOf('url\nhttps://acme.com/a\n')
  await importPages(api, { projectId, name: 'pages', bytes })
  const { auditId, issueId } = await makeAuditRows(api, projectId)
  const at = new Date('2025-05-10T12:00:00Z')
  await api.db.opportunity.create({
    data: {
      id: crypto.randomUUID(),
      projectId,
      rule: 'prompt-gap',
      subject: 'x',
      title: 'T',
      description: 'D',
      source: 'competitors',
      category: 'content',
      scope: 'prompt',
      actionType: 'create_page',
      impact: 'low',
      score: 1,
      evidence: [],
      createdAt: at,
      updatedAt: at,
    },
  })
  const path = `/api/mcp/projects/${projectId}/reports`
  const body = { reportType: 'visibility', from: '2025-05-01', to: '2025-05-30' }
  const made = await sendWrite(api, { path, key, body })
  const { report } = (await made.json()) as { report: { id: string } }
  await makeReport(api, report.id)
  return { auditId, issueId, reportId: report.id }
}

beforeAll(async () => {
  const workspace = await api.workspace()
  key = (await workspace.key({ scopes: ['admin'] })).key
  project = await workspace.project(brand)
  const other = await workspace.project(brand)
  bound = (await workspace.key({ projectId: project })).key
  await workspace.load(project, answers)
  own = await fill(project)
  foreign = await fill(other)
})

const may = '?from=2025-05-01&to=2025-05-30'
const page = 'totalCount'
const range = 'dateRange { from to }'
const scores = 'scores { overall technical content aiReadiness }'
const audit = `id status pageCount issueCount createdAt startedAt completedAt ${scores}`
const issue = `id pageId: page { id } url type severity status title description howToFix firstSeenAt lastSeenAt
  category affectedCount reach resolution resolvedAt`
const report = 'id reportType title status shareUrl createdAt completedAt'

/** Each GET with the field of GraphQL that has the same answer. */
const reads: readonly (readonly [path: string, field: string, selection: string])[] = [
  [
    `/investigate${may}&metric=visibility`,
    'investigate(metric: visibility, window: { from: "2025-05-01", to: "2025-05-30" })',
    `metric current previous change isSignificant ${range}
       drivers { dimension key label contribution } evidence { answerId: answer { id } excerpt }`,
  ],
  ['/issues', 'issues', `summary { total } issues: nodes { ${issue} } ${page}`],
  ['/issues/{issueId}', 'issue(id: "{issueId}")', issue],
  ['/audits', 'audits', `audits: nodes { ${audit} } ${page}`],
  ['/audits/{auditId}', 'audit(id: "{auditId}")', `${audit} progress { done total } error`],
  [
    '/audits/{auditId}/pages',
    'audit(id: "{auditId}") { pages',
    `pages: nodes { pageId: page { id } url status httpStatus issueCount ${scores} } ${page} }`,
  ],
  [
    '/opportunities',
    'opportunities',
    `summary { total } opportunities: nodes { id title source impact status createdAt } ${page}`,
  ],
  ['/reports', 'reports', `reports: nodes { ${report} } ${page}`],
  [
    '/reports/{reportId}',
    'report(id: "{reportId}")',
    `${report} ${range} error sections { title metrics { label value unit low high n } }`,
  ],
]

const writes = [
  ...['/reports', '/audits', '/sitemap/refresh'].map((path) => `/api/mcp/projects/{id}${path}`),
  ...['/reports', '/audits', '/sitemap/refresh'].map((path) => `/api/v1/projects/{id}${path}`),
]

const withIds = (text: string, ids: Record<string, string>) =>
  text.replace(/\{(\w+Id)\}/g, (_, name: string) => ids[name] ?? '')
const pathOf = (tail: string, ids = own) => `/api/mcp/projects/${project}${withIds(tail, ids)}`

function ask(method: string, path: string, headers: Record<string, string> = {}) {
  return fetch(api.url + path, { method, headers: { authorization: `Bearer ${key}`, ...headers } })
}

describe.each(reads)('GET %s', (tail, field, selection) => {
  test('has an ETag: 304 for who knows it, and its headers alone for HEAD', async () => {
    const whole = await ask('GET', pathOf(tail))
    const tag = whole.headers.get('etag') ?? ''
    const text = await whole.text()
    expect([whole.status, tag]).toEqual([200, expect.stringMatching(/^W\/"/)])
    const known = await ask('GET', pathOf(tail), { 'if-none-match': tag })
    expect([known.status, await known.text(), known.headers.get('etag')]).toEqual([304, '', tag])
    const other = await ask('GET', pathOf(tail), { 'if-none-match': '"x"' })
    expect([other.status, await other.text()]).toEqual([200, text])
    const head = await ask('HEAD', pathOf(tail))
    expect([head.status, await head.text(), head.headers.get('etag')]).toEqual([200, '', tag])
    expect(head.headers.get('content-length')).toBe(String(Buffer.byteLength(text)))
  })

  test('answers 405 to DELETE, with the methods that it has', async () => {
    const response = await ask('DELETE', pathOf(tail))
    expect(response.status).toBe(405)
    expect(response.headers.get('allow')).toContain('GET, HEAD')
    expect(await response.json()).toMatchObject({ code: 'method_not_allowed' })
  })

  test('equals its field of GraphQL', async () => {
    const { data, errors } = await graph(
      `{ project(id: "${project}") { ${withIds(field, own)} { ${selection} } } }`,
    )
    expect(errors).toBeUndefined()
    const name = field.replace(/\(.*/, '')
    const body = (await (await ask('GET', pathOf(tail))).json()) as Record<string, unknown>
    const isOne = tail.endsWith('Id}')
    const found = flat(data.project?.[name]) as Record<string, object>
    const list = /\{ (\w+)$/.exec(field)?.[1]
    const { totalCount, ...shown } = (list ? found[list] : found) as { totalCount?: number }
    expect(isOne ? body[name] : body).toMatchObject(shown)
    if (totalCount !== undefined) expect(body).toMatchObject({ pagination: { totalCount } })
  })
})

test.each(writes)('POST %s answers 405 to DELETE, with the methods that it has', async (path) => {
  const response = await ask('DELETE', path.replace('{id}', project))
  expect([response.status, response.headers.get('allow')]).toEqual([
    405,
    expect.stringContaining('POST'),
  ])
})

test.each([
  '/audits/{auditId}',
  '/audits/{auditId}/pages',
  '/issues/{issueId}',
  '/reports/{reportId}',
])('a bound key gets the 404 of a missing one for %s of another project', async (tail) => {
  const texts = await Promise.all(
    [foreign, {}, { auditId: 'x', issueId: 'x', reportId: 'x' }].map(async (ids) => {
      const missing = { ...own, auditId: own.issueId, issueId: own.auditId, reportId: own.auditId }
      const path = pathOf(tail, { ...missing, ...ids } as Record<string, string>)
      const response = await api.get(path, bound)
      expect(response.status).toBe(404)
      const id = response.headers.get('x-request-id') ?? ''
      return (await response.text()).replace(id, '')
    }),
  )
  expect(new Set(texts).size).toBe(1)
})
