import { expect, test } from 'vitest'
import { useApi } from '../kit/api.ts'

/** Nothing listens there: the limiter is away from the start. */
const api = useApi({ REDIS_URL: 'redis://127.0.0.1:1' })

test('without its limiter both doors answer, and without rate headers', async () => {
  const workspace = await api.workspace()
  const project = await workspace.project()
  const { key } = await workspace.key()
  const replies = [
    await api.get(`/api/mcp/projects/${project}/topics`, key),
    await api.graphql(`{ project(id: "${project}") { name } }`, key),
  ]
  for (const { status, headers } of replies) {
    expect(status).toBe(200)
    expect([...headers.keys()].filter((name) => name.includes('ratelimit'))).toEqual([])
  }
})
