import { beforeAll, expect, test } from 'vitest'
import { type TestWorkspace, useApi } from '../kit/api.ts'
import { faultIn, type GraphAnswer } from '../kit/changes.ts'
import { searchAnswer } from '../kit/imports/search-console.ts'
import { reportOf, reportRow } from '../kit/imports/web-analytics.ts'

const api = useApi()
let workspace: TestWorkspace
let key = ''

beforeAll(async () => {
  workspace = await api.workspace()
  key = (await workspace.key({ scopes: ['admin'] })).key
})

async function send(mutation: string, variables: object) {
  const text = `mutation($id: ID!, $content: String!) { ${mutation} { read loaded rejected { line reason } } }`
  const response = await api.graphql(text, key, variables)
  return (await response.json()) as GraphAnswer
}

const linksOf = (projectId: string) =>
  api.db.connection.findMany({ where: { projectId }, select: { kind: true, host: true } })

test('a mutation imports web analytics, and tells each wrong row', async () => {
  const id = await workspace.project()
  const content = JSON.stringify(reportOf([reportRow({}), reportRow({ date: 'May' })]))
  const mutation = 'importWebAnalytics(projectId: $id, content: $content)'
  const wrong = {
    line: 2,
    reason: expect.stringMatching(/^`date` must be a day, such as 20250524 or 2025-05-24; got /),
  }
  expect(await send(mutation, { id, content })).toEqual({
    data: { importWebAnalytics: { read: 2, loaded: 1, rejected: [wrong] } },
  })
  expect(await linksOf(id)).toEqual([{ kind: 'webAnalytics', host: null }])
  const where = { projectId: id, action: 'connection.add' }
  expect(await api.db.auditEntry.findMany({ where })).toMatchObject([
    { keyId: expect.any(String), after: { kind: 'webAnalytics' } },
  ])
})

test('a mutation imports a search console', async () => {
  const id = await workspace.project()
  const content = JSON.stringify(searchAnswer([{ clicks: 1, impressions: 2 }]))
  const site = 'https://acme.com/'
  const mutation = `importSearchConsole(projectId: $id, content: $content, site: "${site}")`
  expect(await send(mutation, { id, content })).toEqual({
    data: { importSearchConsole: { read: 1, loaded: 1, rejected: [] } },
  })
  expect(await linksOf(id)).toEqual([{ kind: 'searchConsole', host: site }])
})

test.each([
  ['importWebAnalytics(projectId: $id, content: $content)', '', 'content'],
  ['importWebAnalytics(projectId: $id, content: $content)', '{"rows":[{}]}', 'content'],
  ['importSearchConsole(projectId: $id, content: $content)', 'Query,Clicks\na,1', 'content'],
  [
    'importSearchConsole(projectId: $id, content: $content, dimensions: ["query"])',
    '{}',
    'dimensions',
  ],
  ['importSearchConsole(projectId: $id, content: $content, site: "acme")', '{}', 'site'],
])('%s of %j is refused by field, and changes nothing', async (mutation, content, field) => {
  const id = await workspace.project()
  expect(faultIn(await send(mutation, { id, content }))).toBe(`invalid_argument ${field}`)
  expect(await linksOf(id)).toEqual([])
})
