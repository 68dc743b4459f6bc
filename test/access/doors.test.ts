import { randomUUID } from 'node:crypto'
import { parseList } from 'structured-headers'
import { beforeAll, describe, expect, test } from 'vitest'
import { makeApiKey } from '../../core/access.ts'
import { useApi } from '../kit/api.ts'
import { assertProblem } from '../kit/rest/problem-schema.ts'
import { sized } from '../kit/soak.ts'

const api = useApi()

let project = ''
let other = ''
let key = ''
let bound = ''
let stranger = ''

beforeAll(async () => {
  const workspace = await api.workspace()
  project = await workspace.project()
  other = await workspace.project({ name: 'Other' })
  key = (await workspace.key()).key
  bound = (await workspace.key({ projectId: project })).key
  stranger = (await (await api.workspace()).key()).key
})

const path = (id: string) => `/api/mcp/projects/${id}/topics`

describe('the key is checked first', () => {
  const ghost = makeApiKey().key
  test.each([
    ['missing', undefined],
    ['another prefix', 'sk_live_abc'],
    ['mistyped', `${ghost.slice(0, -1)}${ghost.endsWith('0') ? '1' : '0'}`],
    ['unknown', ghost],
  ])(
    '%s: 401 with the rate headers of the address, at both doors, on any path',
    async (_kind, given) => {
      for (const response of [
        await api.get(path(project), given),
        await api.get('/api/mcp/nonsense', given),
        await api.graphql('{ nonsense }', given),
      ]) {
        expect(response.status).toBe(401)
        expect(response.headers.get('www-authenticate')).toBe('Bearer')
        expect(response.headers.get('ratelimit')).toMatch(/^"default";r=\d+;t=\d+$/)
        const body = (await response.json()) as {
          code?: string
          errors?: { extensions: { code: string } }[]
        }
        expect(body.code ?? body.errors?.[0]?.extensions.code).toBe('unauthorized')
      }
    },
  )

  test('revoked and expired keys are refused at once', async () => {
    const workspace = await api.workspace()
    const revoked = await workspace.key()
    expect((await api.get('/api/mcp/projects', revoked.key)).status).toBe(200)
    await api.db.apiKey.update({ where: { id: revoked.id }, data: { revokedAt: new Date() } })
    expect((await api.get('/api/mcp/projects', revoked.key)).status).toBe(401)
    const expired = await workspace.key({ expiresAt: new Date(Date.now() + 3_600_000) })
    expect((await api.get('/api/mcp/projects', expired.key)).status).toBe(200)
    const expiresAt = new Date(Date.now() - 1)
    await api.db.apiKey.update({ where: { id: expired.id }, data: { expiresAt } })
    expect((await api.get('/api/mcp/projects', expired.key)).status).toBe(401)
  })
})

describe('what a key may not know of does not exist', () => {
  test('a bound key gets the same 404 as for a missing project, byte for byte but for the request id', async () => {
    const texts = []
    for (const id of [other, '3fa85f64-5717-4562-b3fc-2c963f66afa6', 'nonsense']) {
      const response = await api.get(path(id), bound)
      expect(response.status).toBe(404)
      const requestId = response.headers.get('x-request-id') ?? ''
      const text = await response.text()
      expect(text).toContain(requestId)
      texts.push(text.replace(requestId, ''))
    }
    expect(new Set(texts).size).toBe(1)
    const problem = { ...JSON.parse(texts[0] ?? ''), requestId: randomUUID() }
    expect(assertProblem(problem)).toMatchObject({ code: 'not_found', status: 404 })
  })

  test('an unbound key of a stranger is forbidden, a bound key reads its own project', async () => {
    expect(await (await api.get(path(project), stranger)).json()).toMatchObject({
      status: 403,
      code: 'forbidden',
    })
    expect((await api.get(path(project), bound)).status).toBe(200)
    expect((await api.get(path(project), key)).status).toBe(200)
  })
})

describe('HTTP', () => {
  test('every answer has a request id and the rate headers, and they parse', async () => {
    for (const target of [path(project), '/api/mcp/nonsense', path('nonsense')]) {
      const { headers } = await api.get(target, key)
      expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
      const [[name, rate]] = parseList(headers.get('ratelimit') ?? '') as [
        [string, Map<string, number>],
      ]
      expect(name).toBe('default')
      expect(rate.get('r')).toBe(Number(headers.get('x-ratelimit-remaining')))
      expect(rate.get('t')).toBeLessThanOrEqual(60)
      const [[, policy]] = parseList(headers.get('ratelimit-policy') ?? '') as [
        [string, Map<string, number>],
      ]
      expect([policy.get('q'), policy.get('w')]).toEqual([600, 60])
      expect(headers.get('x-ratelimit-limit')).toBe('600')
      const reset = Number(headers.get('x-ratelimit-reset')) - Date.now() / 1000
      expect(reset).toBeGreaterThan(0)
      expect(reset).toBeLessThanOrEqual(61)
    }
  })

  /** 21 units each: a hundred topics, and of each a hundred answers with their citations. */
  const costly =
    'topics(first: 100) { nodes { answers(first: 100) { nodes { citations { page { url } } } } } }'

  test('the request after 600 units of a minute is 429 with Retry-After, at both doors', async () => {
    // The minute begins with the first of them: on a machine that is too busy for them all, with another key again.
    const burst = async (): Promise<{ key: string }> => {
      const home = await api.workspace()
      const fresh = await home.key()
      const documents = sized({ normal: 28, soak: 0 })
      const projectId = await home.project()
      const topics = Array.from({ length: 100 }, (_, i) => ({ projectId, name: `Topic ${i}` }))
      await api.db.topic.createMany({ data: topics })
      const query = `{ project(id: "${projectId}") { ${costly} } }`
      const began = performance.now()
      for (let i = 0; i < documents; i++) {
        expect((await api.graphql(query, fresh.key)).headers.get('x-query-cost')).toBe('21')
      }
      // Twenty at a time: 600 at once wait longer for a connection to the catalog than a busy machine gives.
      for (let left = 600 - 21 * documents; left > 0; left -= 20) {
        const asked = Array.from({ length: Math.min(left, 20) }, () =>
          api.get('/api/mcp/projects', fresh.key),
        )
        const statuses = (await Promise.all(asked)).map((response) => response.status)
        expect(new Set(statuses)).toEqual(new Set([200]))
      }
      return performance.now() - began < 45_000 ? fresh : burst()
    }
    const fresh = await burst()
    for (const response of [
      await api.get('/api/mcp/projects', fresh.key),
      await api.graphql('{ projects { nodes { id } } }', fresh.key),
    ]) {
      expect(response.status).toBe(429)
      expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0)
      expect(response.headers.get('x-ratelimit-remaining')).toBe('0')
      expect(await response.text()).toContain('rate_limited')
    }
    expect((await api.get('/api/mcp/projects', key)).status).toBe(200)
  })

  test('an unknown path is 404, a known one with another method 405 with Allow', async () => {
    const missing = await api.get('/api/mcp/nonsense', key)
    expect(missing.headers.get('content-type')).toBe('application/problem+json')
    expect(assertProblem(await missing.json())).toMatchObject({ status: 404, code: 'not_found' })
    const wrong = await fetch(`${api.url}${path(project)}`, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${key}` },
    })
    expect(wrong.status).toBe(405)
    expect(wrong.headers.get('allow')).toBe('GET, HEAD')
    expect(assertProblem(await wrong.json())).toMatchObject({ code: 'method_not_allowed' })
    expect((await api.get('/api/mcp/projects/%zz/topics', key)).status).toBe(404)
  })

  test('HEAD answers like GET without the body', async () => {
    const get = await api.get(path(project), key)
    const head = await fetch(`${api.url}${path(project)}`, {
      method: 'HEAD',
      headers: { authorization: `Bearer ${key}` },
    })
    expect(head.status).toBe(200)
    expect(await head.text()).toBe('')
    for (const name of ['etag', 'content-length', 'content-type']) {
      expect(head.headers.get(name)).toBe(get.headers.get(name))
    }
  })

  test('a known ETag gives 304 without a body, an unknown one the whole', async () => {
    const first = await api.get(path(project), key)
    const tag = first.headers.get('etag') ?? ''
    for (const known of [tag, `"x", ${tag}`, '*', tag.replace('W/', '')]) {
      const again = await api.get(path(project), key, { 'if-none-match': known })
      expect([again.status, await again.text()]).toEqual([304, ''])
      expect(again.headers.get('etag')).toBe(tag)
      expect(again.headers.get('x-ratelimit-remaining')).not.toBeNull()
    }
    expect((await api.get(path(project), key, { 'if-none-match': '"x"' })).status).toBe(200)
  })
})

describe('/graphql', () => {
  const post = (body: string, contentType = 'application/json') =>
    fetch(`${api.url}/graphql`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': contentType },
      body,
    })
  const codeOf = async (response: Response) => {
    const { errors } = (await response.json()) as {
      errors: { extensions: Record<string, unknown> }[]
    }
    expect(errors[0]?.extensions.requestId).toBe(response.headers.get('x-request-id'))
    return [response.status, errors[0]?.extensions.code]
  }

  test('a body of another type is 415, one that is too large 413, one that is not JSON 400', async () => {
    expect(await codeOf(await post('{ projects { nodes { id } } }', 'text/plain'))).toEqual([
      415,
      'unsupported_media_type',
    ])
    expect(await codeOf(await post(`{"query":"${'x'.repeat(17_000_000)}"}`))).toEqual([
      413,
      'payload_too_large',
    ])
    expect(await codeOf(await post('{'))).toEqual([400, 'invalid_argument'])
  })

  test('another method is 405', async () => {
    const response = await fetch(`${api.url}/graphql`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${key}` },
    })
    expect(response.status).toBe(405)
  })

  test('a query that does not fit the schema is 400', async () => {
    expect(await codeOf(await api.graphql('{ nonsense }', key))).toEqual([400, 'invalid_argument'])
    // More than once: a document is compiled at its second run.
    for (let run = 0; run < 3; run++) {
      const query = 'query($n: Int) { projects(first: $n) { nodes { id } } }'
      const variables = await api.graphql(query, key, { n: 'x' })
      expect(await codeOf(variables)).toEqual([400, 'invalid_argument'])
    }
  })

  test.each([
    [
      'depth',
      '{ projects { nodes { sourceDomains { nodes { metrics { citationRate { value } } } } } } }',
      200,
    ],
    [
      'aliases',
      `{ ${Array.from({ length: 40 }, (_, i) => `a${i}: projects { nodes { id } }`).join(' ')} }`,
      400,
    ],
    [
      'introspection aliases',
      `{ ${Array.from({ length: 40 }, (_, i) => `a${i}: __typename`).join(' ')} }`,
      400,
    ],
    ['directives', `{ projects { nodes { id ${'@skip(if: false) '.repeat(20)} } } }`, 400],
    ['tokens', `{ ${'projects { nodes { id } } '.repeat(1000)} }`, 400],
    [
      'introspection depth',
      `{ __schema ${'{ types { fields { type '.repeat(4)}{ name }${' } } }'.repeat(4)} }`,
      400,
    ],
  ])('a document is bounded by its %s', async (_limit, query, status) => {
    expect((await api.graphql(query, key)).status).toBe(status)
  })

  test('one field that fails leaves its neighbours an answer', async () => {
    const response = await api.graphql(
      `{ good: project(id: "${project}") { name } bad: project(id: "${project}") { sourceDomains(window: { days: 0 }) { totalSources: totalCount } } }`,
      key,
    )
    expect(response.status).toBe(200)
    const { data, errors } = (await response.json()) as {
      data: unknown
      errors: { message: string; path: string[]; extensions: { code: string; details: unknown } }[]
    }
    expect(data).toEqual({ good: { name: 'Acme' }, bad: { sourceDomains: null } })
    expect(errors[0]?.path).toEqual(['bad', 'sourceDomains'])
    expect(errors[0]?.extensions).toMatchObject({
      code: 'invalid_argument',
      details: { fieldErrors: { 'window.days': ['must be a whole number from 1; got `0`'] } },
    })
  })

  test('the same faults carry the same code as in REST', async () => {
    for (const [given, id, code] of [
      [key, 'nonsense', 'not_found'],
      [bound, other, 'not_found'],
      [stranger, project, 'forbidden'],
    ] as const) {
      const response = await api.graphql(`{ project(id: "${id}") { name } }`, given)
      expect(await codeOf(response)).toEqual([200, code])
    }
  })
})
