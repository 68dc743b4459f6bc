import { randomBytes } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { readSettings } from '../../core/settings.ts'
import { type Catalog, createCatalog } from '../../prisma/client.ts'
import { createKey } from '../../resolvers/keys/keys.ts'
import { createProject } from '../../resolvers/projects/create.ts'
import { createWorkspace } from '../../resolvers/workspaces.ts'
import { type Api, startApi } from '../../server.ts'
import { createTestDatabase } from '../kit/postgres.ts'
import { assertProblem } from '../kit/rest/problem-schema.ts'

/** An API over a catalog of its own, which these tests may break, and a warehouse that is not there. */
let catalog: Awaited<ReturnType<typeof createTestDatabase>>
let db: Catalog
let api: Api
let url = ''
let key = ''
let project = ''
const logged: string[] = []

beforeAll(async () => {
  catalog = await createTestDatabase(inject('databaseUrl'))
  db = createCatalog(catalog.url)
  api = await startApi({
    settings: readSettings({ PUBLIC_URL: 'https://sightline.example/' }),
    databaseUrl: catalog.url,
    clickhouseUrl: 'http://default:secret-of-the-warehouse@127.0.0.1:9',
    secrets: { cursorSecret: randomBytes(32).toString('base64url'), signingSecrets: ['x'] },
    log: pino({ level: 'info' }, { write: (line: string) => logged.push(line) }),
  })
  await new Promise<void>((resolve) => api.server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(api.server.address() as AddressInfo).port}`
  const workspaceId = (await createWorkspace(db, { name: 'Errors' })).id
  project = (await createProject(db, { workspaceId, name: 'Acme', domain: 'acme.com' }, 'x')).id
  key = (await createKey(db, { workspaceId, scopes: ['read'] })).key
})
afterAll(async () => {
  await api.close()
  await db.$disconnect()
  await catalog.drop()
})

const headers = () => ({ authorization: `Bearer ${key}`, 'content-type': 'application/json' })

async function rest(path: string) {
  const response = await fetch(`${url}/api/mcp/projects/${project}${path}`, { headers: headers() })
  expect(response.headers.get('content-type')).toBe('application/problem+json')
  const problem = assertProblem(await response.json())
  expect(problem.requestId).toBe(response.headers.get('x-request-id'))
  expect(problem.status).toBe(response.status)
  return problem
}

async function graph(field: string) {
  const body = JSON.stringify({ query: `{ project(id: "${project}") { ${field} } }` })
  const response = await fetch(`${url}/graphql`, { method: 'POST', headers: headers(), body })
  const { errors } = (await response.json()) as {
    errors: { message: string; extensions: Record<string, unknown> }[]
  }
  const [error] = errors
  expect(errors).toHaveLength(1)
  expect(error?.extensions.requestId).toBe(response.headers.get('x-request-id'))
  return { ...error?.extensions, message: error?.message, requestId: error?.extensions.requestId }
}

describe('an engine that does not answer', () => {
  test('is 502 and may be asked again, at both doors', async () => {
    const problem = await rest('/sources/domains')
    expect(problem).toMatchObject({ status: 502, code: 'internal_error', retryable: true })
    expect(problem.type).toBe('https://sightline.example/docs/errors#internal_error')
    expect(await graph('sourceDomains { totalSources: totalCount }')).toMatchObject({
      status: 502,
      code: 'internal_error',
      retryable: true,
    })
  })

  test('makes the service not ready, while it is alive', async () => {
    expect((await fetch(`${url}/healthz`)).status).toBe(200)
    const ready = await fetch(`${url}/readyz`)
    expect(ready.status).toBe(503)
    expect(await ready.json()).toEqual({
      status: 'not ready',
      engines: { postgresql: true, clickhouse: false },
    })
  })
})

test('an address with an empty id is that of nothing', async () => {
  // The path with an id takes POST, and answers 405 to GET.
  expect(await rest('/prompts//tracking')).toMatchObject({ status: 404, code: 'not_found' })
})

describe('an unexpected failure', () => {
  beforeAll(async () => {
    await db.$executeRaw`ALTER TABLE "Topic" RENAME TO "SecretTableName"`
  })

  test('is masked, and its request id finds it in the log', async () => {
    for (const told of [await rest('/topics'), await graph('topics { nodes { id } }')]) {
      expect(told).toMatchObject({ status: 500, code: 'internal_error' })
      expect(told).not.toHaveProperty('retryable')
      expect(JSON.stringify(told)).not.toMatch(/Topic|relation|SELECT|prisma/i)
      const line = logged.find(
        (text) => text.includes(String(told.requestId)) && text.includes('"level":50'),
      )
      expect(line).toContain('Topic')
    }
  })

  test('no log line holds a secret', () => {
    expect(logged.length).toBeGreaterThan(5)
    expect(logged.join('')).not.toContain(key)
    expect(logged.join('')).not.toContain('secret-of-the-warehouse')
    expect(logged.join('')).not.toContain(new URL(catalog.url).password)
  })
})
