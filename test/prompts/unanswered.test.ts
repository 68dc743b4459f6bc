import { beforeAll, expect, test } from 'vitest'
import { useApi } from '../kit/api.ts'
import { asking } from '../kit/changes.ts'

const api = useApi()
let key = ''
let project = ''
const ask = asking(api, () => key)

/** In the order in which they were added: two have answers in May, one in April, one is archived, one is new. */
beforeAll(async () => {
  const workspace = await api.workspace()
  key = (await workspace.key({ scopes: ['admin'] })).key
  project = await workspace.project()
  await workspace.load(project, [
    { prompt: 'april?', collectedAt: '2025-04-30T23:59:59Z', text: 'Acme.' },
    { prompt: 'may?', collectedAt: '2025-05-01T00:00:00Z', text: 'Acme.' },
    { prompt: 'nobody?', collectedAt: '2025-05-31T23:59:59Z', text: 'None.' },
  ])
  for (const [text, isTracked] of [
    ['archived?', false],
    ['new?', true],
  ] as const) {
    const at = { createdAt: new Date('2025-01-01'), textChangedAt: new Date('2025-01-01') }
    await api.db.prompt.create({ data: { projectId: project, text, isTracked, ...at } })
  }
})

async function unanswered(args: string) {
  const list = `promptsWithoutAnswers(window: { from: "2025-05-01", to: "2025-05-31" } ${args})`
  const page = '{ totalCount pageInfo { hasNextPage endCursor } nodes { text } }'
  const { data, errors } = await ask(`{ project(id: "${project}") { list: ${list} ${page} } }`)
  expect(errors).toBeUndefined()
  return data.project?.list as {
    totalCount: number
    pageInfo: { hasNextPage: boolean; endCursor: string }
    nodes: { text: string }[]
  }
}

test('tracked prompts without an answer in the window are listed, newest first', async () => {
  expect(await unanswered('')).toMatchObject({
    totalCount: 2,
    nodes: [{ text: 'april?' }, { text: 'new?' }],
    pageInfo: { hasNextPage: false },
  })
})

test('a page leads to the next', async () => {
  const { pageInfo, nodes } = await unanswered('first: 1')
  expect(nodes).toEqual([{ text: 'april?' }])
  expect(pageInfo.hasNextPage).toBe(true)
  const next = await unanswered(`first: 1, after: "${pageInfo.endCursor}"`)
  expect(next).toMatchObject({ nodes: [{ text: 'new?' }], pageInfo: { hasNextPage: false } })
})
