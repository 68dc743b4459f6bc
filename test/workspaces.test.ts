import { beforeEach, expect, test } from 'vitest'
import { type TestWorkspace, useApi } from './kit/api.ts'
import { asking } from './kit/changes.ts'

const api = useApi({ RETENTION_DAYS: 'answers=400' })

let workspace: TestWorkspace
let admin = { id: '', key: '' }

const ask = asking(api, () => admin.key)

beforeEach(async () => {
  workspace = await api.workspace()
  admin = await workspace.key({ scopes: ['admin'] })
})

async function read(fields: string) {
  const { data } = await ask(`{ workspace(id: "${workspace.id}") { ${fields} } }`)
  return data.workspace
}

async function trail(args = '') {
  const answer = await read(`auditTrail${args} {
    nodes { action subjectId before after keyId userId }
    totalCount
    pageInfo { hasNextPage endCursor }
  }`)
  return answer?.auditTrail as {
    nodes: { action: string; subjectId: string }[]
    totalCount: number
    pageInfo: { hasNextPage: boolean; endCursor: string }
  }
}

test('says how long data is kept, to every member', async () => {
  const { key } = await workspace.key({ scopes: ['read'] })
  const fields = 'answers crawlerHits analytics pageContents audits auditTrail'
  const query = `{ workspace(id: "${workspace.id}") { retention { ${fields} } } }`
  const { data } = await (await api.graphql(query, key)).json()
  expect(data.workspace.retention).toEqual({
    answers: 400,
    crawlerHits: null,
    analytics: null,
    pageContents: null,
    audits: null,
    auditTrail: null,
  })
})

test('the trail pages from the newest, and tells what the command line did', async () => {
  const project = await workspace.project()
  const add = (name: string) =>
    ask(`mutation { addTopic(projectId: "${project}", name: "${name}") { changed } }`)
  for (const name of ['A', 'B', 'C']) await add(name)
  const all = (await trail()).nodes.map(({ action }) => action)
  expect(all).toEqual([
    'topic.add',
    'topic.add',
    'topic.add',
    'project.create',
    'key.create',
    'workspace.create',
  ])
  const first = await trail('(first: 1)')
  const page = await trail(`(first: 2, after: "${first.pageInfo.endCursor}")`)
  expect(page.nodes).toMatchObject([{ after: { name: 'B' } }, { after: { name: 'A' } }])
  expect(page).toMatchObject({ totalCount: 6, pageInfo: { hasNextPage: true } })
  const next = await trail(`(after: "${page.pageInfo.endCursor}")`)
  expect(next.nodes[0]).toMatchObject({ keyId: null, userId: null })
})
