import { beforeAll, describe, expect, test } from 'vitest'
import { type TestWorkspace, useApi } from '../kit/api.ts'
import { subscribe } from '../kit/graphql/live.ts'

/** What a request may make in memory while it runs, whatever its cost said: four megabytes here. */

const api = useApi({}, undefined, { limits: { maxResponseBytes: 1024 ** 2 } })
let workspace: TestWorkspace
let project = ''
let key = ''

const window = 'window: { from: "2025-05-01", to: "2025-05-31" }'

/** 60 answers of one prompt, each with 5 citations. */
beforeAll(async () => {
  workspace = await api.workspace()
  project = await workspace.project()
  key = (await workspace.key()).key
  const citations = Array.from({ length: 5 }, (_, i) => ({ url: `https://acme.com/${i}` }))
  const lines = Array.from({ length: 60 }, (_, i) => ({
    collectedAt: `2025-05-10T08:00:${String(i).padStart(2, '0')}Z`,
    citations,
  }))
  await workspace.load(project, lines)
})

/** The answers of the prompt of each answer: `n * n * 5` citations, each with a page. */
const product = (n: number) =>
  `answers(${window}, first: ${n}) { nodes { prompt { answers(${window}, first: ${n}) {
    nodes { citations { url page { url } } } } } } }`

async function ask(selection: string) {
  const response = await api.graphql(`{ project(id: "${project}") { ${selection} } }`, key)
  const { data, errors } = await response.json()
  return { status: response.status, data, code: errors?.[0].extensions.code }
}

describe('a document whose lists multiply', () => {
  test('ends when it has made too much, and others are answered meanwhile', async () => {
    const other = (await workspace.key()).key
    // The second time it is compiled.
    for (let i = 0; i < 3; i++) {
      const [large, small] = await Promise.all([
        ask(product(60)),
        api.get(`/api/mcp/projects/${project}/answers?from=2025-05-01&to=2025-05-31`, other),
      ])
      expect(large).toMatchObject({ status: 400, code: 'query_too_large' })
      expect(large.data).toBeUndefined()
      expect(small.status).toBe(200)
    }
  })

  test('is answered whole where it makes less, in several turns too', async () => {
    const { status, data, code } = await ask(product(20))
    expect({ status, code }).toEqual({ status: 200, code: undefined })
    const { nodes } = data.project.answers
    expect(nodes).toHaveLength(20)
    for (const { prompt } of nodes) {
      expect(prompt.answers.nodes).toHaveLength(20)
      for (const { citations } of prompt.answers.nodes) expect(citations).toHaveLength(5)
    }
  })

  test('ends for one event of a stream, which goes on', async () => {
    const stream = await subscribe(
      api,
      key,
      `projectUpdated(projectId: "${project}", kinds: [data_imported]) { project { ${product(60)} } }`,
    )
    for (const text of ['One.', 'Two.']) {
      await workspace.load(project, [{ text, collectedAt: '2025-05-09T08:00:00Z' }])
      const event = await stream.next()
      expect(event?.errors?.[0]?.extensions?.code).toBe('query_too_large')
    }
    await stream.end()
  })
})
