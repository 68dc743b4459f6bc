import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { createTestDatabase } from '../kit/postgres.ts'
import { firstLine, resultOf, runCli, runJson, spawnCli, until } from '../kit/service.ts'

/** The commands of jobs, on servers that the test run shares. */

const server = createServer((request, response) => {
  response.statusCode = request.url === '/sitemap.xml' ? 200 : 404
  response.end('http://shop.test/a\nhttp://shop.test/b\n')
})
let database: Awaited<ReturnType<typeof createTestDatabase>>
let env: Record<string, string> = {}
let project = ''

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  database = await createTestDatabase(inject('databaseUrl'))
  env = {
    DATABASE_URL: database.url,
    CLICKHOUSE_URL: inject('clickhouseUrl'),
    DATA_DIR: `${inject('runFolder')}/site-cli`,
    ALLOW_PRIVATE_HOSTS: `shop.test:80=127.0.0.1:${port}`,
    AUDIT_DELAY_MS: '0',
  }
  const { id } = await runJson<{ id: string }>(['workspace', 'create', '--name', 'Test'], { env })
  const about = ['--workspace', id, '--name', 'Shop', '--domain', 'shop.test']
  project = (await runJson<{ id: string }>(['project', 'create', ...about], { env })).id
})
afterAll(async () => {
  server.close()
  await database.drop()
})

const refresh = ['site', 'sitemap', '--project']

test('site sitemap reads the sitemap by itself when no worker runs', async () => {
  expect(await runJson([...refresh, project], { env })).toEqual({
    id: expect.any(String),
    status: 'idle',
    urls: 2,
  })
})

test('site sitemap says why a sitemap cannot be read', async () => {
  const closed = { ...env, ALLOW_PRIVATE_HOSTS: '' }
  const { code, stderr } = await runCli([...refresh, project], { env: closed })
  expect([code, stderr]).toEqual([1, expect.stringContaining('shop.test')])
})

test('a worker alone does the jobs of others, and ends in order', async () => {
  const worker = spawnCli(['worker', '--json'], { env })
  const ended = resultOf(worker)
  const { pid } = JSON.parse(await firstLine(worker))
  expect(pid).toBe(worker.pid)
  expect(await runJson([...refresh, project], { env })).toMatchObject({ status: 'idle', urls: 2 })
  worker.kill('SIGTERM')
  expect((await ended).code).toBe(0)
  await until(() => worker.exitCode !== null)
})
