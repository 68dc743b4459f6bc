import { beforeAll, describe, expect, test } from 'vitest'
import { readSettings } from '../../core/settings.ts'
import { useApi } from '../kit/api.ts'
import { plainFetch } from '../kit/rest/checked-fetch.ts'

const site = 'https://app.example.com'

const closed = useApi()
const open = useApi({ CORS_ORIGINS: `${site},http://localhost:5173` })
const toAll = useApi({ CORS_ORIGINS: '*' })

let key = ''

beforeAll(async () => {
  const workspace = await open.workspace()
  await workspace.project()
  key = (await workspace.key()).key
})

/** Both doors, and a document of a page. */
type Place = readonly [method: string, path: string, body: string]

const places: readonly Place[] = [
  ['GET', '/api/mcp/projects', ''],
  ['POST', '/graphql', '{"query":"{ projects { totalCount } }"}'],
]

function send(
  api: typeof open,
  [method, path, body]: Place,
  headers: Record<string, string>,
): Promise<Response> {
  const own = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const init = body === '' ? {} : { body }
  return fetch(api.url + path, { method, headers: { ...own, ...headers }, ...init })
}

/** A question of the browser itself, which no operation of the API answers. */
const preflight = (api: typeof open, path: string, origin: string) =>
  plainFetch(api.url + path, {
    method: 'OPTIONS',
    headers: {
      origin,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization,content-type,idempotency-key',
    },
  })

const allowOrigin = ({ headers }: Response) => headers.get('access-control-allow-origin')

describe.each(places)('%s %s', (...place) => {
  const [, path] = place

  test('may be read by a script of a listed site, with the headers that clients need', async () => {
    const response = await send(open, place, { origin: site })
    expect(allowOrigin(response)).toBe(site)
    expect(response.headers.get('vary')).toMatch(/^Origin/)
    expect(response.headers.get('access-control-allow-credentials')).toBeNull()
    const exposed = response.headers.get('access-control-expose-headers')?.split(', ')
    expect(exposed).toEqual(
      expect.arrayContaining([
        'X-Request-Id',
        'RateLimit',
        'RateLimit-Policy',
        'X-RateLimit-Limit',
        'X-RateLimit-Remaining',
        'X-RateLimit-Reset',
        'Retry-After',
        'ETag',
        'Link',
        'X-Idempotent-Replay',
        'X-Idempotent-Skipped',
      ]),
    )
  })

  test('answers a preflight without a key', async () => {
    const response = await preflight(open, path, site)
    expect(response.status).toBe(204)
    expect(allowOrigin(response)).toBe(site)
    expect(response.headers.get('access-control-allow-methods')).toContain('PATCH')
    expect(response.headers.get('access-control-allow-headers')).toContain('idempotency-key')
    expect(response.headers.get('vary')).toBe('Origin, Access-Control-Request-Headers')
  })

  test('may not be read by a script of another site, nor of any without the setting', async () => {
    const refused = ['https://evil.example', `${site}.evil.example`, 'http://app.example.com']
    for (const origin of [...refused, 'null']) {
      const response = await send(open, place, { origin })
      expect(allowOrigin(response)).toBeNull()
      expect(response.headers.get('vary')).toMatch(/^Origin/)
      expect(allowOrigin(await preflight(open, path, origin))).toBeNull()
    }
    for (const response of [await send(closed, place, { origin: site })]) {
      expect(allowOrigin(response)).toBeNull()
      expect(response.headers.get('vary') ?? '').not.toContain('Origin')
    }
    expect(allowOrigin(await preflight(closed, path, site))).toBeNull()
  })

  test('may be read by every script with `*`', async () => {
    expect(allowOrigin(await send(toAll, place, { origin: 'https://any.example' }))).toBe('*')
    expect((await preflight(toAll, path, 'null')).status).toBe(204)
  })
})

test('a refusal may be read too, so that a script learns why', async () => {
  const response = await fetch(`${open.url}/api/mcp/projects`, { headers: { origin: site } })
  expect([response.status, allowOrigin(response)]).toEqual([401, site])
})

test('neither pages nor the exchange of a code are open to other sites', async () => {
  for (const path of ['/docs', '/page-key', '/healthz', '/bot']) {
    expect(allowOrigin(await fetch(toAll.url + path, { headers: { origin: site } }))).toBeNull()
    expect(allowOrigin(await preflight(toAll, path, site))).toBeNull()
  }
})

test.each(['app.example.com', 'https://app.example.com/', 'https://*.example.com', 'null', 'a,b'])(
  'the setting refuses "%s"',
  (text) => {
    expect(() => readSettings({ CORS_ORIGINS: text })).toThrow('CORS_ORIGINS')
  },
)
