import { once } from 'node:events'
import { Agent, get, type IncomingMessage } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestWorkspace, useApi } from '../kit/api.ts'
import { replyLookups } from '../kit/rest/fresh-api.ts'
import { isSoak } from '../kit/soak.ts'

/** Requests that follow each other on one connection, with replies out of memory. */

const api = useApi()
const agent = new Agent({ keepAlive: true, maxSockets: 1 })
let workspace: TestWorkspace
let path = ''

beforeAll(async () => {
  workspace = await api.workspace()
  path = `/api/mcp/projects/${await workspace.project()}/topics`
})
afterAll(() => agent.destroy())

/** The status, the requests left, and whether the connection was there before. */
async function ask(authorization: string) {
  const request = get(api.url + path, { agent, headers: { authorization } })
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  response.resume()
  await once(response, 'end')
  const left = Number(response.headers['x-ratelimit-remaining'])
  return {
    status: response.statusCode,
    left,
    headers: response.headers,
    again: request.reusedSocket,
  }
}

const outcome = async (key: string, scheme = 'Bearer') => {
  const { status, left } = await ask(`${scheme} ${key}`)
  return [status, left]
}

test('each request is of its own key, whatever key came before it', async () => {
  const [one, two] = [(await workspace.key()).key, (await workspace.key()).key]
  await outcome(one)
  await outcome(two)
  const before = await replyLookups(api)
  expect(await outcome(one)).toEqual([200, 598])
  expect(await outcome(one)).toEqual([200, 597])
  expect(await outcome(two)).toEqual([200, 598])
  expect(await outcome(one)).toEqual([200, 596])
  expect(await outcome(one, 'bearer')).toEqual([200, 595])
  expect((await ask(`Bearer ${two}`)).again).toBe(true)
  expect((await replyLookups(api)).hits - before.hits).toBe(6)
  expect((await outcome(`${two}x`))[0]).toBe(401)
  expect((await outcome(two.slice(0, -1)))[0]).toBe(401)
  expect(await outcome(two)).toEqual([200, 596])
})

test('a key that is revoked or blocked is refused on the connection that has just used it', async () => {
  const { id, key } = await workspace.key()
  for (const left of [599, 598, 597]) expect(await outcome(key)).toEqual([200, left])
  await api.db.apiKey.update({ where: { id }, data: { revokedAt: new Date() } })
  expect((await ask(`Bearer ${key}`)).status).toBe(401)
  const other = await workspace.key()
  for (const left of [599, 598]) expect(await outcome(other.key)).toEqual([200, left])
  await api.db.keyBlock.create({ data: { workspaceId: workspace.id, apiKeyId: other.id } })
  expect(await outcome(other.key)).toEqual([403, 597])
})

test('a key that ends is refused at its end, while memory still holds it', async () => {
  const expiresAt = new Date(Date.now() + 3000)
  const { key } = await workspace.key({ expiresAt })
  for (const left of [599, 598]) expect(await outcome(key)).toEqual([200, left])
  await new Promise((resolve) => setTimeout(resolve, expiresAt.getTime() - Date.now() + 50))
  expect((await ask(`Bearer ${key}`)).status).toBe(401)
})

if (isSoak) {
  test('of 605 requests 600 are answered from memory, and the others say when to come again', async () => {
    const { key } = await workspace.key()
    const answers = []
    for (let i = 0; i < 605; i++) answers.push(await ask(`Bearer ${key}`))
    expect(answers.slice(0, 600).map(({ left }) => left)).toEqual(
      Array.from({ length: 600 }, (_, i) => 599 - i),
    )
    for (const { status, left, headers } of answers.slice(600)) {
      expect([status, left]).toEqual([429, 0])
      expect(headers['content-type']).toBe('application/problem+json')
      expect(Number(headers['retry-after'])).toBeGreaterThan(0)
      expect(Number(headers['retry-after'])).toBeLessThanOrEqual(60)
    }
  })
}
