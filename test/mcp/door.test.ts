import { request } from 'node:http'
import { beforeAll, describe, expect, test } from 'vitest'
import { useApi } from '../kit/api.ts'
import { credentials } from '../kit/credentials.ts'

const api = useApi({ MCP_CALLS_PER_KEY: '1', CORS_ORIGINS: 'https://app.example.com' })

let key = ''

beforeAll(async () => {
  const workspace = await api.workspace()
  await workspace.project()
  key = (await workspace.key()).key
})

const called = {
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'list_projects', arguments: {} },
}

/** Sends a request with the headers given, among them those that `fetch` sets itself. */
function send(
  headers: Record<string, string> = {},
  { method = 'POST', body = JSON.stringify(called) }: { method?: string; body?: string } = {},
) {
  return new Promise<{ status: number; headers: Record<string, unknown>; text: string }>(
    (resolve, reject) => {
      const sent = request(
        `${api.url}/mcp`,
        {
          method,
          headers: {
            'content-type': 'application/json',
            accept: 'application/json, text/event-stream',
            ...credentials(key),
            ...headers,
          },
        },
        async (response) => {
          const chunks = await response.toArray()
          const { statusCode: status = 0 } = response
          resolve({ status, headers: response.headers, text: Buffer.concat(chunks).toString() })
        },
      )
      sent.on('error', reject)
      sent.end(method === 'POST' ? body : undefined)
    },
  )
}

describe('who may call', () => {
  test.each([
    ['without a key', { authorization: '' }, 401, 'unauthorized'],
    [
      'with a cookie in place of a key',
      { authorization: '', cookie: 'session=x' },
      401,
      'unauthorized',
    ],
    ['by a name that a foreign page gave itself', { host: 'evil.example' }, 403, 'forbidden'],
    ['from a page of another site', { origin: 'https://evil.example' }, 403, 'forbidden'],
    [
      'with a text that is no JSON',
      { 'content-type': 'text/plain' },
      415,
      'unsupported_media_type',
    ],
  ])('not %s', async (_who, headers, status, code) => {
    const refused = await send(headers)
    expect(refused.status).toBe(status)
    expect(JSON.parse(refused.text)).toMatchObject({ code })
  })

  test.each([
    ['an address', { host: '192.168.1.5:4000' }],
    ['localhost', { host: 'localhost:4000' }],
    ['a page that may read answers', { origin: 'https://app.example.com' }],
  ])('%s', async (_who, headers) => {
    expect(await send(headers)).toMatchObject({ status: 200 })
  })
})

test('only POST, and at most 256 kB', async () => {
  for (const method of ['GET', 'DELETE']) {
    const refused = await send({}, { method })
    expect(refused).toMatchObject({ status: 405, headers: { allow: 'POST' } })
  }
  const body = JSON.stringify({ ...called, filler: 'x'.repeat(256 * 1024) })
  expect(await send({}, { body })).toMatchObject({ status: 413 })
})

test('calls take their own budget: none of that of REST and GraphQL', async () => {
  const before = await api.get('/api/mcp/projects', key)
  const { headers } = await send()
  const after = await api.get('/api/mcp/projects', key)
  expect(Number(headers['x-ratelimit-remaining'])).toBeLessThan(600)
  const left = (response: Response) => Number(response.headers.get('x-ratelimit-remaining'))
  expect(left(before) - left(after)).toBe(1)
})

test('one call at a time, eight wait, and the next is refused with a time to retry', async () => {
  const sent = await Promise.all(Array.from({ length: 12 }, () => send()))
  const refused = sent.filter(({ status }) => status === 429)
  expect(sent.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(9)
  for (const { text, headers } of refused) {
    expect(headers).toMatchObject({ 'retry-after': '2' })
    expect(JSON.parse(text)).toMatchObject({
      id: 1,
      error: { data: { code: 'too_many_calls', retryable: true } },
    })
  }
})
