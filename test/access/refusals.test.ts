import { once } from 'node:events'
import { connect } from 'node:net'
import { beforeAll, describe, expect, test } from 'vitest'
import { makeApiKey } from '../../core/access.ts'
import { memoryLimiter } from '../../plugins/limiter.ts'
import { countRequest } from '../../plugins/rate-limit.ts'
import { createRequestState } from '../../plugins/request-state.ts'
import { type TestWorkspace, useApi } from '../kit/api.ts'
import { isSoak } from '../kit/soak.ts'

const api = useApi()

let workspace: TestWorkspace
let admin = { id: '', key: '' }

beforeAll(async () => {
  workspace = await api.workspace()
  admin = await workspace.key({ scopes: ['admin'] })
  await workspace.project()
})

/** Sends a head as it is written, and gives the answer whole. */
async function send(head: string): Promise<string> {
  const { hostname, port } = new URL(api.url)
  const socket = connect(Number(port), hostname)
  socket.write(`${head}\r\nConnection: close\r\n\r\n`)
  let answer = ''
  socket.on('data', (data) => {
    answer += String(data)
  })
  await once(socket, 'close')
  return answer
}

describe('an address that cannot be read', () => {
  test.each([
    ['GET', '/graphql?query={__typename}', 'a b'],
    ['GET', '/graphql?query={__typename}', 'x/y'],
    ['POST', '/graphql', '[::1'],
    ['GET', '/api/mcp/projects', 'a:99999'],
    ['GET', '/graphql', 'user@host'],
    ['GET', 'http://localhost/api/mcp/projects', 'localhost'],
  ])('%s %s of the host "%s" is 400 with a problem', async (method, target, host) => {
    const authorization = `Authorization: Bearer ${admin.key}`
    const answer = await send(`${method} ${target} HTTP/1.1\r\nHost: ${host}\r\n${authorization}`)
    expect(answer).toMatch(/^HTTP\/1.1 400 /)
    expect(answer).toContain('application/problem+json')
    expect(answer).toContain('"code":"invalid_argument"')
    expect(answer).not.toContain('node_modules')
  })

  test('`//` is a path that leads nowhere, whatever follows', async () => {
    const head = `Host: localhost\r\nAuthorization: Bearer ${admin.key}`
    for (const target of ['//', '//graphql', '//localhost/api/mcp/projects', '///', '/%']) {
      const answer = await send(`GET ${target} HTTP/1.1\r\n${head}`)
      expect(answer).toMatch(/^HTTP\/1.1 404 /)
      expect(answer).toContain('"code":"not_found"')
    }
  })

  test('a request without a host is 400 with a problem', async () => {
    expect(await send('GET /api/mcp/projects HTTP/1.1')).toContain('"code":"invalid_argument"')
  })
})

describe('names that every object has', () => {
  test.each([
    '{ __proto__: projects { totalCount } }',
    '{ constructor: projects { totalCount } toString: projects { totalCount } }',
    '{ __proto__ }',
    '{ projects { constructor } }',
    'query ($constructor: Int) { projects(first: $constructor) { totalCount } }',
    'query ($__proto__: Int) { projects(first: $__proto__) { totalCount } }',
    '{ projects(__proto__: 1) { totalCount } }',
    'query constructor { projects { totalCount } }',
    '{ ...toString } fragment toString on Query { projects { valueOf: totalCount } }',
  ])('%s is answered alike each time', async (query) => {
    const variables = JSON.parse('{ "constructor": 1, "__proto__": 1 }')
    const answers: string[] = []
    for (let i = 0; i < 3; i++) {
      const response = await api.graphql(query, admin.key, variables)
      const text = await response.text()
      answers.push(`${response.status} ${text.replaceAll(/"requestId":"[^"]*"/g, '')}`)
    }
    expect(new Set(answers).size).toBe(1)
    expect(answers[0]).toMatch(/^(200 \{"data"|400 )/)
  })
})

test('no answer of GraphQL is stored, whatever its status', async () => {
  const answers = [
    await api.graphql('{ projects { totalCount } }', admin.key),
    await api.graphql('{ nothing }', admin.key),
    await api.graphql('{ projects { totalCount } }'),
  ]
  expect(answers.map(({ status }) => status)).toEqual([200, 400, 401])
  for (const { headers } of answers) expect(headers.get('cache-control')).toBe('no-store')
})

test('a key and the key that replaces it use one rate', async () => {
  const old = await workspace.key({ scopes: ['admin'] })
  const left = async (key: string) => {
    const { headers } = await api.get('/api/mcp/projects', key)
    return Number(headers.get('x-ratelimit-remaining'))
  }
  const replace = async ({ id, key }: { id: string; key: string }) => {
    const args = `workspaceId: "${workspace.id}", keyId: "${id}", graceSeconds: 600`
    const text = `mutation { rotateKey(${args}) { key apiKey { id } } }`
    type Answer = { data: { rotateKey: { key: string; apiKey: { id: string } } } }
    const { data } = (await (await api.graphql(text, key)).json()) as Answer
    return { id: data.rotateKey.apiKey.id, key: data.rotateKey.key }
  }
  const first = await left(old.key)
  const next = await replace(old)
  expect(await left(next.key)).toBe(first - 2)
  expect(await left(old.key)).toBe(first - 3)
  const last = await replace(next)
  expect(await left(last.key)).toBe(first - 5)
})

test('a request over the rate is refused without a look-up of its key', async () => {
  const { key } = await workspace.key()
  let statements = 0
  const keyByHash = async (hash: string) => {
    statements += 1
    const row = await api.db.apiKey.findUnique({ where: { hash }, include: { workspace: true } })
    return row && { ...row, plan: row.workspace.plan, sessionId: null, rotatedAt: null }
  }
  const parts = { keyByHash, noteUse: () => undefined, limiter: memoryLimiter(1) }
  const ask = async () => {
    const nothing = { idempotencyKeys: [], ifMatch: [], requestId: 'test', address: '::1' }
    const state = createRequestState({ ...nothing, authorization: `Bearer ${key}` })
    const code = await countRequest(parts, state).catch((fault) => fault.code)
    return [code, state.headers['X-RateLimit-Remaining']]
  }
  expect(await ask()).toEqual([undefined, '0'])
  expect(await ask()).toEqual(['rate_limited', '0'])
  const before = statements
  for (let i = 0; i < 5; i++) expect(await ask()).toEqual(['rate_limited', '0'])
  expect(statements).toBe(before)
})

if (isSoak) {
  test('guessed keys of an address over its rate are answered one after another, and a real key at once', async () => {
    const mistyped = `${makeApiKey().key.slice(0, -1)}!`
    const guess = () => api.get('/api/mcp/projects', mistyped)
    for (let i = 0; i < 12; i++) await Promise.all(Array.from({ length: 50 }, guess))
    const began = performance.now()
    let lastGuess = 0
    const guesses = Array.from({ length: 100 }, async (_, i) => {
      const { status } = await api.get('/api/mcp/projects', i % 2 ? mistyped : makeApiKey().key)
      lastGuess = performance.now() - began
      return status
    })
    const { status } = await api.get('/api/mcp/projects', admin.key)
    expect(status).toBe(200)
    expect(new Set(await Promise.all(guesses))).toEqual(new Set([401]))
    expect(lastGuess).toBeGreaterThan(900)
  })
}
