import { beforeAll, describe, expect, test } from 'vitest'
import { useApi } from '../kit/api.ts'

const api = useApi()
let project = ''
let admin = ''

const mutation = `mutation($id: ID!, $lines: String!) {
  importAnswers(projectId: $id, content: $lines) { read loaded skipped rejected { line reason } }
}`

beforeAll(async () => {
  const workspace = await api.workspace()
  project = await workspace.project()
  admin = (await workspace.key({ scopes: ['admin'] })).key
})

async function send(lines: string) {
  const response = await api.graphql(mutation, admin, { id: project, lines })
  return (await response.json()) as { data: { importAnswers: unknown } }
}

describe('importAnswers', () => {
  const good = JSON.stringify({
    prompt: 'p',
    platform: 'chatgpt',
    collectedAt: '2025-05-10T12:00:00Z',
    text: 'Acme.',
    citations: [{ position: 1, url: 'https://a.com/x' }],
  })

  test('loads what is right, names each wrong line with its reason, and twice is once', async () => {
    const lines = [good, '{"platform":"chatgpt"}', 'not JSON', good.replace('"p"', '"q"')].join(
      '\n',
    )
    const first = await send(lines)
    expect(first.data.importAnswers).toMatchObject({ read: 4, loaded: 2, skipped: 0 })
    expect(first.data.importAnswers).toMatchObject({
      rejected: [
        { line: 2, reason: expect.stringContaining('prompt') },
        { line: 3, reason: expect.any(String) },
      ],
    })
    const again = await send(lines)
    expect(again.data.importAnswers).toMatchObject({ read: 4, loaded: 0, skipped: 2 })
    const response = await api.get(
      `/api/mcp/projects/${project}/sources/domains?from=2025-05-01&to=2025-05-31`,
      admin,
    )
    expect(await response.json()).toMatchObject({
      totalSources: 1,
      sources: [{ domain: 'a.com', totalCitations: 2, frequency: 2, usage: 100 }],
    })
  })
})
