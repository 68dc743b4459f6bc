import { beforeEach, expect, test } from 'vitest'
import { type TestWorkspace, useApi } from './kit/api.ts'
import { asking } from './kit/changes.ts'

const api = useApi()

let workspace: TestWorkspace
let admin = { id: '', key: '' }

const ask = asking(api, () => admin.key)

beforeEach(async () => {
  workspace = await api.workspace()
  admin = await workspace.key({ scopes: ['admin'] })
})

async function read(fields: string) {
  const { data } = await ask(`{ workspace(workspaceId: "${workspace.id}") { ${fields} } }`)
  return data.workspace
}

async function trail(args = '(limit: 50)') {
  const answer = await read(`auditTrail${args} {
    entries { action subjectId before after keyId userId }
    pagination { totalCount hasMore nextOffset }
  }`)
  return answer?.auditTrail as {
    entries: { action: string; subjectId: string }[]
    pagination: { totalCount: number }
  }
}

test('the trail pages from the newest, and tells what the command line did', async () => {
  const project = await workspace.project()
  const add = (name: string) =>
    ask(`mutation { addTopic(projectId: "${project}", name: "${name}") { changed } }`)
  for (const name of ['A', 'B', 'C']) await add(name)
  const all = (await trail()).entries.map(({ action }) => action)
  expect(all).toEqual([
    ...['topic.add', 'topic.add', 'topic.add', 'project.create', 'key.create'],
    'workspace.create',
  ])
  const page = await trail('(limit: 2, offset: 1)')
  expect(page.entries).toMatchObject([{ after: { name: 'B' } }, { after: { name: 'A' } }])
  expect(page.pagination).toEqual({ totalCount: 6, hasMore: true, nextOffset: 3 })
  expect((await trail('(offset: 3)')).entries[0]).toMatchObject({ keyId: null, userId: null })
})
