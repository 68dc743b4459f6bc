import { EventEmitter, once } from 'node:events'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { toolDoor } from '../../mcp/door.ts'
import { createRequestState } from '../../plugins/request-state.ts'
import { useApi } from '../kit/api.ts'
import { credentials } from '../kit/credentials.ts'

const api = useApi({ CORS_ORIGINS: 'https://app.example.com' }, undefined, {
  limits: { toolCallsPerKey: 1 },
})

let key = ''
/** Of a person who has signed in. */
let session = ''

beforeAll(async () => {
  const workspace = await api.workspace()
  await workspace.project()
  key = (await workspace.key()).key
  session = await workspace.session()
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

  test('not by the session of a browser, which reads the dashboard', async () => {
    const cookie = `sightline-session-${api.settings.PORT}=${session}`
    const sameSite = { cookie, origin: api.url, 'sec-fetch-site': 'same-origin' }
    const refused = await send({ authorization: '', ...sameSite })
    expect(refused.status).toBe(401)
    const read = await fetch(`${api.url}/graphql`, {
      method: 'POST',
      headers: { ...sameSite, 'content-type': 'application/json' },
      body: JSON.stringify({ query: '{ projects { totalCount } }' }),
    })
    expect(await read.json()).toMatchObject({ data: { projects: { totalCount: 1 } } })
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

test('nothing is subscribed to, because no list changes', async () => {
  const body = JSON.stringify({
    jsonrpc: '2.0',
    id: 7,
    method: 'subscriptions/listen',
    params: { notifications: { toolsListChanged: true } },
  })
  const refused = await send({ 'mcp-protocol-version': '2026-07-28' }, { body })
  expect(refused.status).toBe(404)
  expect(JSON.parse(refused.text)).toMatchObject({ id: 7, error: { code: -32_601 } })
})

test('calls take their own budget: none of that of REST and GraphQL', async () => {
  const before = await api.get('/api/mcp/projects', key)
  const { headers } = await send()
  const after = await api.get('/api/mcp/projects', key)
  expect(Number(headers['x-ratelimit-remaining'])).toBeLessThan(600)
  const left = (response: Response) => Number(response.headers.get('x-ratelimit-remaining'))
  expect(left(before) - left(after)).toBe(1)
})

describe('turns', () => {
  /** The door in front of a call that ends when the test says so. */
  async function doorOf(callsPerKey: number) {
    const begun: {
      readonly id: unknown
      readonly end: () => void
      readonly signal: AbortSignal
    }[] = []
    const heard = new EventEmitter()
    const reply = toolDoor({
      baseUrl: 'http://127.0.0.1:4000',
      origins: [],
      callsPerKey,
      admit: async (state) => {
        state.rateBucket = 'mcp:one'
      },
      readBody: async (incoming) => {
        const body = Buffer.concat(await incoming.toArray()).toString()
        heard.emit('arrived')
        return JSON.parse(body)
      },
      serve: (_request, body, { signal }) =>
        new Promise((resolve) => {
          const { id } = body as { id: number }
          begun.push({ id, signal, end: () => resolve(Response.json({ id })) })
          heard.emit('begun')
        }),
    })
    const gone = new Set<unknown>()
    const server = createServer(async (incoming, outgoing) => {
      incoming.socket.once('close', () => {
        gone.add(incoming.socket)
        heard.emit('gone')
      })
      const { status, body, headers } = await reply(incoming, createRequestState(nobody))
      outgoing.writeHead(status, headers).end(body)
      heard.emit('ended')
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    onTestFinished(() => new Promise((resolve) => server.close(() => resolve())))
    const { port } = server.address() as AddressInfo
    const call = (id: number, signal?: AbortSignal) =>
      fetch(`http://127.0.0.1:${port}/mcp`, {
        method: 'POST',
        body: JSON.stringify({ ...called, id }),
        ...(signal && { signal }),
      })
    return { call, begun, heard, gone }
  }

  const nobody = {
    requestId: 'r',
    address: '127.0.0.1',
    authorization: undefined,
    idempotencyKeys: [],
    ifMatch: [],
  }

  test('one call at a time, eight wait in their order, and the next is refused', async () => {
    const { call, begun, heard } = await doorOf(1)
    const first = call(0)
    await once(heard, 'begun')
    const refusing = Array.from({ length: 9 }, (_, i) => call(i + 1))
    // Eight of the nine wait: the one that does not is answered.
    const refused = await Promise.race(refusing)
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '2'])
    expect(await refused.json()).toMatchObject({
      error: { data: { code: 'too_many_calls', retryable: true } },
    })
    for (let at = 0; at < 9; at++) {
      if (!begun[at]) await once(heard, 'begun')
      begun[at]?.end()
    }
    const replies = await Promise.all([first, ...refusing])
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(9)
  })

  test('a call that waits for 20 seconds is refused', async () => {
    const { call, begun, heard } = await doorOf(1)
    const first = call(1)
    await once(heard, 'begun')
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => {
      vi.useRealTimers()
    })
    const second = call(2)
    while (vi.getTimerCount() === 0) await nextTurn()
    vi.advanceTimersByTime(20_000)
    expect((await second).status).toBe(429)
    begun[0]?.end()
    expect((await first).status).toBe(200)
  })

  test('a client that goes ends its call, and one that waited is not begun', async () => {
    const { call, begun, heard, gone } = await doorOf(1)
    const [running, waiting] = [new AbortController(), new AbortController()]
    const first = call(1, running.signal).catch(({ name }) => name)
    await once(heard, 'begun')
    const arrived = once(heard, 'arrived')
    const second = call(2, waiting.signal).catch(({ name }) => name)
    await arrived
    waiting.abort()
    running.abort()
    while (gone.size < 2) await once(heard, 'gone')
    expect(begun[0]?.signal.aborted).toBe(true)
    begun[0]?.end()
    expect(await Promise.all([first, second])).toEqual(['AbortError', 'AbortError'])
    const third = call(3)
    await once(heard, 'begun')
    begun.at(-1)?.end()
    expect((await third).status).toBe(200)
    expect(begun.map(({ id }) => id)).toEqual([1, 3])
  })
})
