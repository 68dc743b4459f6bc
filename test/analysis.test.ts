import { expect, test } from 'vitest'
import { useApi } from './kit/api.ts'

const api = useApi()

test('a competitor that is added appears in the share of voice once the mutation has counted it', async () => {
  const workspace = await api.workspace()
  const projectId = await workspace.project()
  const { key } = await workspace.key({ scopes: ['admin'] })
  await workspace.load(projectId, [
    { text: 'Acme is great. Bolt is terrible.' },
    { prompt: 'second', text: 'Acme.' },
    { prompt: 'third', text: 'Nobody.' },
  ])
  const competitor = { projectId, name: 'Bolt', domain: 'bolt.io' }
  const { id } = await api.db.competitor.create({ data: competitor })
  const path = `/api/mcp/projects/${projectId}/share-of-voice?from=2025-05-01&to=2025-05-31`
  const voiceOfBolt = async () => {
    const { competitors } = (await (await api.get(path, key)).json()) as {
      competitors: { competitorId: string; sov: number | null }[]
    }
    return competitors.find(({ competitorId }) => competitorId === id)?.sov
  }
  expect(await voiceOfBolt()).toBe(0)

  const response = await api.graphql(
    'mutation($id: ID!) { reanalyze(projectId: $id) { analysis answerCount mentionCount } }',
    key,
    { id: projectId },
  )
  expect(await response.json()).toEqual({
    data: { reanalyze: { analysis: 3, answerCount: 3, mentionCount: 3 } },
  })
  // One of the three mentions, of two answers that name somebody.
  expect(await voiceOfBolt()).toBe(33.33)
})
