import { beforeAll, expect, test } from 'vitest'
import { useApi } from '../kit/api.ts'
import { connectSource, putHits } from '../kit/tracker/hits.ts'

const api = useApi()
let key = ''
let project = ''

beforeAll(async () => {
  const workspace = await api.workspace()
  project = await workspace.project()
  key = (await workspace.key()).key
  await connectSource(api.db, project)
})

interface Page {
  readonly totalCount: number
  readonly nodes: readonly { readonly values: readonly unknown[] }[]
  readonly pageInfo: {
    readonly hasNextPage: boolean
    readonly hasPreviousPage: boolean
    readonly endCursor: string | null
  }
}

async function read(table: string, after: string | null): Promise<Page> {
  const place = after === null ? '' : `, after: "${after}"`
  const list = `connectorData(${table}, first: 2${place}) { totalCount nodes { values }
    pageInfo { hasNextPage hasPreviousPage endCursor } }`
  const response = await api.graphql(`{ project(id: "${project}") { ${list} } }`, key)
  const body = (await response.json()) as { data: { project: { connectorData: Page } } }
  expect(body).not.toHaveProperty('errors')
  return body.data.project.connectorData
}

/** All rows in pages of two. `between` runs after each page. */
async function readAll(table: string, between: () => Promise<unknown>) {
  const pages: (readonly unknown[])[][] = []
  for (let after: string | null = null; ; ) {
    const { nodes, pageInfo } = await read(table, after)
    expect(pageInfo.hasPreviousPage).toBe(after !== null)
    pages.push(nodes.map(({ values }) => values))
    if (!pageInfo.hasNextPage) return pages
    after = pageInfo.endCursor
    await between()
  }
}

const at = '2025-05-10T08:00:00Z'
const hit = (path: string) => ({ bot: 'GPTBot', at, path })

test('crawls that arrive before the cursor neither repeat nor hide a row', async () => {
  await putHits(api.warehouse, project, ['/b', '/b', '/d', '/f', '/h', '/j'].map(hit))
  const arriving = [
    ['/a', '/d'],
    ['/c', '/e', '/i'],
  ]
  const table =
    'dataset: traffic, fields: ["path", "visits"], window: { from: "2025-05-10", to: "2025-05-10" }'
  const pages = await readAll(table, async () => {
    await putHits(api.warehouse, project, (arriving.shift() ?? []).map(hit))
  })
  // A row behind the cursor comes in its place: `/i`.
  expect(pages).toEqual([
    [
      ['/b', 2],
      ['/d', 1],
    ],
    [
      ['/f', 1],
      ['/h', 1],
    ],
    [
      ['/i', 1],
      ['/j', 1],
    ],
  ])
  expect((await read(table, null)).totalCount).toBe(9)
})

test('prompts without a topic, branded or not, keep their order when prompts come and go', async () => {
  const topic = await api.db.topic.create({ data: { projectId: project, name: 'Shoes' } })
  const add = async (text: string, isBranded: boolean, topicId?: string) => {
    const link = topicId === undefined ? {} : { topics: { create: { topicId } } }
    await api.db.prompt.create({ data: { projectId: project, text, isBranded, ...link } })
  }
  await add('b', false, topic.id)
  await add('d', true, topic.id)
  await add('b', false)
  await add('d', false)
  await add('b', true)
  const table = 'dataset: prompts, fields: ["topic", "isBranded", "text", "prompts"]'
  const pages = await readAll(table, async () => {
    await add(`a${Math.random()}`, false, topic.id)
    // The row that the cursor points to goes as well.
    await api.db.prompt.deleteMany({ where: { projectId: project, text: 'd', isBranded: true } })
  })
  expect(pages).toEqual([
    [
      ['Shoes', false, 'b', 1],
      ['Shoes', true, 'd', 1],
    ],
    [
      [null, false, 'b', 1],
      [null, false, 'd', 1],
    ],
    [[null, true, 'b', 1]],
  ])
})

test('a table without a dimension has one row, and nothing after it', async () => {
  for (const table of [
    'dataset: traffic, fields: ["visits"]',
    'dataset: prompts, fields: ["prompts"]',
  ]) {
    const { nodes, pageInfo } = await read(table, null)
    expect([nodes.length, pageInfo.hasNextPage]).toEqual([1, false])
    const beyond = await read(table, pageInfo.endCursor)
    expect(beyond).toMatchObject({ totalCount: 1, nodes: [], pageInfo: { hasNextPage: false } })
  }
})
