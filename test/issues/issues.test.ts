import { beforeAll, describe, expect, test } from 'vitest'
import { importPages } from '../../imports/content/pages.ts'
import { type TestWorkspace, useApi } from '../kit/api.ts'
import { asking, faultIn } from '../kit/changes.ts'
import { askingRest, outcomeOf } from '../kit/prompts.ts'

const api = useApi()

let workspace: TestWorkspace
let key = ''
let writer = ''
let project = ''
/** Pages by their last letter. */
let pageIds: Record<string, string> = {}

const id = (last: number) => `00000000-0000-4000-9000-00000000000${last}`
const seen = new Date('2025-05-10T12:00:00Z')

async function* bytesOf(text: string) {
  yield Buffer.from(text)
}

const base = {
  origin: null,
  affectedCount: 1,
  reach: 0,
  evidence: [],
  decidedBy: 1,
  firstSeenAt: seen,
  lastSeenAt: seen,
  openedAt: seen,
}
const resolved = { status: 'resolved', resolvedAt: seen } as const

/**
 *   issue  page   check                severity  reach  state
 *   1      a      title-missing        high      5      open
 *   2      b      title-missing        high      7      open
 *   3      b      title-length         low       7      open, 70 characters
 *   4      site   ai-search-bots-…     critical  12     open
 *   5      a      slow-response        medium    5      resolved, fixed
 *   6      gone   =cmd                 low       0      resolved, the check is retired
 */
beforeAll(async () => {
  workspace = await api.workspace()
  project = await workspace.project()
  key = (await workspace.key()).key
  writer = (await workspace.key({ scopes: ['write'] })).key
  const bytes = bytesOf('url\nhttps://acme.com/a\nhttps://acme.com/b\n')
  await importPages(api, { projectId: project, name: 'pages', bytes })
  const rows = await api.db.page.findMany({ where: { projectId: project } })
  pageIds = Object.fromEntries(rows.map((row) => [row.url.slice(-1), row.id]))
  const issue = (number: number, page: string, check: string, rest: object) => ({
    ...base,
    id: id(number),
    projectId: project,
    pageId: pageIds[page] ?? null,
    check,
    url: `https://acme.com/${page}`,
    ...rest,
  })
  const retired = { ...resolved, resolution: 'check_retired', severity: 'low' }
  await api.db.issue.createMany({
    data: [
      issue(1, 'a', 'title-missing', { severity: 'high', reach: 5 }),
      issue(2, 'b', 'title-missing', { severity: 'high', reach: 7 }),
      issue(3, 'b', 'title-length', { severity: 'low', reach: 7, affectedCount: 70 }),
      issue(4, '', 'ai-search-bots-blocked', { severity: 'critical', reach: 12, affectedCount: 2 }),
      issue(5, 'a', 'slow-response', { ...resolved, resolution: 'fixed', severity: 'medium' }),
      issue(6, 'gone', '=cmd', { ...retired, pageId: id(9) }),
    ] as never,
  })
})

const rest = askingRest(
  api,
  () => project,
  () => key,
)
const graph = asking(api, () => key)

interface Listed {
  id: string
  status: string
}
const list = async (query = '') => {
  const { body } = await rest('GET', `/issues${query}`)
  return body as unknown as { issues: Listed[]; summary: object; pagination: object }
}
const numbers = ({ issues }: { issues: Listed[] }) => issues.map((it) => Number(it.id.slice(-1)))

describe('issues', () => {
  test('are listed by severity, then by reach, with counts over all pages', async () => {
    const body = await list('?limit=2')
    expect(numbers(body)).toEqual([4, 2])
    expect(numbers(await list('?limit=2&offset=2'))).toEqual([1, 3])
    const bySeverity = { critical: 1, high: 2, medium: 0, low: 1 }
    const byType = { 'title-missing': 2, 'title-length': 1, 'ai-search-bots-blocked': 1 }
    expect(body.summary).toEqual({ total: 4, bySeverity, byType })
    expect(body.pagination).toMatchObject({ limit: 2, totalCount: 4, hasMore: true })
    expect(Object.keys(body)).toEqual(['project', 'summary', 'pagination', 'issues'])
    const { data } = await graph(
      `{ project(id: "${project}") { issues(filter: { severities: [high, low] }, first: 1) {
           summary { total bySeverity { critical high medium low } typeCounts { key count } }
           issues: nodes { id evidence regressions page { url openIssueCount } } } }
         all: project(id: "${project}") { issues { issues: nodes { id } } } }`,
    )
    expect(data.project?.issues).toEqual({
      summary: {
        total: 3,
        bySeverity: { ...bySeverity, critical: 0 },
        typeCounts: [
          { key: 'title-missing', count: 2 },
          { key: 'title-length', count: 1 },
        ],
      },
      issues: [
        {
          id: id(2),
          evidence: [],
          regressions: 0,
          page: { url: 'https://acme.com/b', openIssueCount: 2 },
        },
      ],
    })
    expect(numbers((data.all as { issues: { issues: Listed[] } }).issues)).toEqual([4, 2, 1, 3])
  })

  test('have every field of the contract, with the texts of their check', async () => {
    const { issues } = await list('?status=all&severity=low')
    expect(issues[0]).toEqual({
      id: id(3),
      pageId: pageIds.b,
      url: 'https://acme.com/b',
      type: 'title-length',
      severity: 'low',
      status: 'open',
      title: 'Title length',
      category: 'content',
      description: expect.stringContaining('70'),
      howToFix: 'Write 10 to 65 characters.',
      firstSeenAt: seen.toISOString(),
      lastSeenAt: seen.toISOString(),
      affectedCount: 70,
      reach: 7,
      resolution: null,
      resolvedAt: null,
    })
    const [first] = (await list()).issues
    expect(first).toMatchObject({ id: id(4), pageId: null, category: 'aiReadiness' })
    const one = await rest('GET', `/issues/${id(3)}`)
    expect(one.body).toEqual({ issue: issues[0] })
    const { pageId, ...inBoth } = { ...issues[0] } as Record<string, unknown>
    const fields = [...Object.keys(inBoth), 'page { id }'].join(' ')
    const { data } = await graph(
      `{ project(id: "${project}") { issue(id: "${id(3)}") { ${fields} } }
         other: project(id: "${project}") { issue(id: "${id(4)}") { page { id } } } }`,
    )
    expect(data).toEqual({
      project: { issue: { ...inBoth, page: { id: pageId } } },
      other: { issue: { page: null } },
    })
  })

  test('narrow by severity, status and page', async () => {
    expect(numbers(await list('?severity=critical,high'))).toEqual([4, 2, 1])
    expect(numbers(await list('?status=resolved'))).toEqual([5, 6])
    expect(numbers(await list(`?pageId=${pageIds.a}`))).toEqual([1])
    expect(numbers(await list(`?pageId=${pageIds.a}&status=all`))).toEqual([1, 5])
    expect(numbers(await list(`?pageId=${id(9)}&status=all`))).toEqual([6])
    const refused = [
      ['severity=urgent', '400 invalid_argument severity'],
      ['status=ignored', '400 invalid_argument status'],
      ['status=open&status=all', '400 invalid_argument status'],
      ['pageId=abc', '404 not_found'],
      [`pageId=${id(8)}`, '404 not_found'],
    ] as const
    for (const [query, outcome] of refused) {
      expect(outcomeOf(await rest('GET', `/issues?${query}`))).toBe(outcome)
    }
    const both = 'statuses: [open, resolved]'
    const { data } = await graph(`{ project(id: "${project}") {
      both: issues(filter: { ${both}, pageId: "${pageIds.a}" }) { issues: nodes { id } }
      gone: issues(filter: { statuses: [resolved] }) { issues: nodes { id } } } }`)
    const { both: all, gone } = data.project as Record<string, { issues: Listed[] }>
    expect([all, gone].map((found) => found && numbers(found))).toEqual([
      [1, 5],
      [5, 6],
    ])
  })

  test('agree with the counts of their pages; issues of the site count for no page', async () => {
    const { body } = await rest('GET', '/pages')
    const { pages, summary } = body as unknown as {
      pages: { id: string; openIssueCount: number }[]
      summary: object
    }
    expect(summary).toMatchObject({ pagesWithIssues: 2 })
    expect(pages.map(({ openIssueCount }) => openIssueCount)).toEqual([1, 2])
    for (const page of pages) {
      const ofPage = await list(`?pageId=${page.id}`)
      expect(ofPage.summary).toMatchObject({ total: page.openIssueCount })
    }
    const { data } = await graph(
      `{ project(id: "${project}") { page(id: "${pageIds.b}") { issues { id } } } }`,
    )
    expect(data.project?.page).toEqual({ issues: [{ id: id(2) }, { id: id(3) }] })
  })

  test('are exported as CSV with hardened cells', async () => {
    const path = `/api/mcp/projects/${project}/issues?format=csv&status=resolved`
    const response = await api.get(`${path}&limit=1`, key)
    expect(response.headers.get('link')).toContain('rel="next"')
    const [header, , ...rest] = (await (await api.get(path, key)).text()).trim().split('\r\n')
    expect(header).toBe(
      'id,pageId,url,type,severity,status,title,description,howToFix,firstSeenAt,lastSeenAt,' +
        'category,affectedCount,reach,resolution,resolvedAt',
    )
    expect(rest.join('')).toContain(",'=cmd,low,resolved,'=cmd,")
  })

  test('are found by their own ids alone, and also in a pitch project', async () => {
    for (const unknown of [id(8), 'x']) {
      expect(outcomeOf(await rest('GET', `/issues/${unknown}`))).toBe('404 not_found')
    }
    const pitch = await workspace.project({ kind: 'pitch' })
    const response = await api.get(`/api/mcp/projects/${pitch}/issues`, key)
    expect(await response.json()).toMatchObject({ summary: { total: 0 }, issues: [] })
  })
})

describe('a person', () => {
  const change = (name: string, issue: string, args = '') =>
    graph(
      `mutation { ${name}(projectId: "${project}", issueId: "${issue}"${args})
         { status resolution ignoredReason } }`,
      writer,
    )
  const trail = () =>
    api.db.auditEntry.findMany({
      where: { projectId: project, subjectType: 'issue' },
      orderBy: { id: 'asc' },
    })

  test('ignores an issue with a reason, and opens it again', async () => {
    const ignored = { status: 'resolved', resolution: 'ignored', ignoredReason: 'by design' }
    for (const reason of ['by design', 'another reason']) {
      const { data } = await change('ignoreIssue', id(1), `, reason: "${reason}"`)
      expect(data.ignoreIssue).toEqual(ignored)
    }
    expect(numbers(await list())).toEqual([4, 2, 3])
    expect(numbers(await list(`?pageId=${pageIds.a}&status=resolved`))).toEqual([1, 5])
    for (const _ of [1, 2]) {
      const { data } = await change('reopenIssue', id(1))
      expect(data.reopenIssue).toEqual({ status: 'open', resolution: null, ignoredReason: null })
    }
    const entries = await trail()
    expect(entries.map(({ action, subjectId }) => [action, subjectId])).toEqual([
      ['issue.ignore', id(1)],
      ['issue.reopen', id(1)],
    ])
    expect(entries[0]?.after).toEqual({
      status: 'resolved',
      resolution: 'ignored',
      reason: 'by design',
    })
  })

  test('gives a reason of 1 to 500 characters, for an issue of the project', async () => {
    for (const reason of ['', ' ', 'x'.repeat(501)]) {
      const answer = await change('ignoreIssue', id(1), `, reason: "${reason}"`)
      expect(faultIn(answer)).toBe('invalid_argument reason')
    }
    expect(faultIn(await change('reopenIssue', id(8)))).toBe('not_found')
    const reading = await graph(
      `mutation { reopenIssue(projectId: "${project}", issueId: "${id(5)}") { id } }`,
    )
    expect(faultIn(reading)).toBe('missing_scope')
  })
})
