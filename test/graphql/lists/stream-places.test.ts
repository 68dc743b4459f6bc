import { beforeAll, expect, test } from 'vitest'
import { type TestWorkspace, useApi } from '../../kit/api.ts'
import { until } from '../../kit/service.ts'

const api = useApi({}, undefined, { limits: { streamsPerKey: 2 } })

let workspace: TestWorkspace
let project = ''

beforeAll(async () => {
  workspace = await api.workspace()
  project = await workspace.project()
})

interface Stream {
  readonly response: Response
  close(): void
}

async function open(key: string, id = project): Promise<Stream> {
  const controller = new AbortController()
  const response = await fetch(`${api.url}/graphql`, {
    method: 'POST',
    signal: controller.signal,
    headers: {
      authorization: `Bearer ${key}`,
      accept: 'text/event-stream',
      'content-type': 'application/json',
    },
    body: JSON.stringify({
      query: `subscription { projectUpdated(projectId: "${id}") { __typename } }`,
    }),
  })
  return { response, close: () => controller.abort() }
}

/** Opens a stream once a place is free. */
async function openLater(key: string): Promise<Stream> {
  let stream = await open(key)
  await until(async () => {
    if (stream.response.status === 200) return true
    stream = await open(key)
    return stream.response.status === 200
  })
  return stream
}

test('a key has two streams at a time, another key has its own, and a closed stream frees a place', async () => {
  const { key } = await workspace.key()
  const { key: other } = await workspace.key()
  const streams = [await open(key), await open(key)]
  expect(streams.map(({ response }) => response.status)).toEqual([200, 200])
  const { response: refused } = await open(key)
  expect(refused.status).toBe(429)
  expect(refused.headers.get('retry-after')).toBe('5')
  const text = await refused.text()
  expect(JSON.parse(/\{.*\}/.exec(text)?.[0] ?? '{}')).toMatchObject({
    errors: [{ extensions: { code: 'too_many_streams', retryable: true } }],
  })
  const otherStream = await open(other)
  expect(otherStream.response.status).toBe(200)
  streams[0]?.close()
  const next = await openLater(key)
  for (const each of [next, otherStream, ...streams]) each.close()
})

test('streams that end at once take no place for long', async () => {
  const { key } = await workspace.key()
  for (let i = 0; i < 6; i++) {
    const stream = await openLater(key)
    stream.close()
  }
})

test('refused subscriptions take no place', async () => {
  const { key } = await workspace.key()
  for (let i = 0; i < 4; i++) {
    const { response } = await open(key, 'no-project')
    expect(await response.text()).toContain('not_found')
    const asked = await api.graphql(
      `subscription { projectUpdated(projectId: "${project}") { __typename } }`,
      key,
    )
    expect(asked.status).toBe(400)
  }
  const stream = await open(key)
  expect(stream.response.status).toBe(200)
  stream.close()
})

test('the stream of a revoked key gives its place back', async () => {
  const { id, key } = await workspace.key()
  const streams = [await open(key), await open(key)]
  await api.db.apiKey.update({ where: { id }, data: { revokedAt: new Date() } })
  for (const { response } of streams) expect(await response.text()).toContain('unauthorized')
  await api.db.apiKey.update({ where: { id }, data: { revokedAt: null } })
  const stream = await open(key)
  expect(stream.response.status).toBe(200)
  stream.close()
})
