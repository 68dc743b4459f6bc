import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { createTestDatabase } from '../kit/postgres.ts'
import { firstLine, resultOf, runCli, runJson, spawnCli, until } from '../kit/service.ts'

/** The commands of jobs, on servers that the test run shares. */

/** A site of two pages, of which the second is gone. */
const site: Record<string, [type: string, body: string]> = {
  '/sitemap.xml': ['text/plain', 'http://shop.test/a\nhttp://shop.test/b\n'],
  '/a': ['text/html', '<!doctype html><title>The page of the letter a</title><p>Letters.'],
}

const server = createServer((request, response) => {
  const [type, body] = site[request.url ?? ''] ?? []
  response.writeHead(body === undefined ? 404 : 200, { 'content-type': type ?? 'text/plain' })
  response.end(body)
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
    error: null,
  })
})

test('site audit judges the pages by itself when no worker runs, and site issues lists them', async () => {
  const audited = await runCli(['site', 'audit', '--project', project, '--json'], { env })
  expect(JSON.parse(audited.stdout)).toEqual({
    id: expect.any(String),
    status: 'completed',
    pageCount: 2,
    issueCount: expect.any(Number),
    scores: {
      overall: expect.any(Number),
      technical: expect.any(Number),
      content: expect.any(Number),
      aiReadiness: expect.any(Number),
    },
    error: null,
  })
  const shown = await runCli(['site', 'audit', '--project', project, '--max-pages', '1'], { env })
  expect(shown.stdout).toMatch(
    /^Audited 1 page.*\nOverall +\d.*\nTechnical +\d.*\nContent +\d.*\nAI /,
  )
  const issues = ['site', 'issues', '--project', project]
  const gone = { type: 'page-not-found', severity: 'high', status: 'open' }
  const all = await runJson<{ issues: { url: string }[]; checks: object[] }>(issues, { env })
  const none = { passing: null, failing: null, difference: null, interval: null }
  expect(all.checks).toContainEqual({
    id: 'page-not-found',
    passingPages: 1,
    failingPages: 1,
    crawled: { ...none, reason: 'no_traffic_source' },
    cited: { ...none, reason: 'no_citations' },
  })
  expect(all.issues.filter(({ url }) => url.endsWith('/b'))).toMatchObject([gone])
  const high = await runCli([...issues, '--severity', 'high'], { env })
  expect(high.stdout).toMatch(/^high +page-not-found +\S+shop\.test\/b$/m)
  expect(high.stdout).not.toMatch(/^(critical|medium|low)/m)
  expect(high.stdout).toMatch(/\nNot compared: \d+ checks? \(.*no traffic source/)
  const resolved = await runCli([...issues, '--status', 'resolved'], { env })
  expect(resolved.stdout).toBe('No issues.\n')
})

test('a wrong option of site issues and site audit is named', async () => {
  const urgent = ['site', 'issues', '--project', project, '--severity', 'urgent']
  expect(await runJson(urgent, { env })).toMatchObject({ error: { code: 'invalid_argument' } })
  const none = ['site', 'audit', '--project', project, '--max-pages', '0']
  expect((await runCli(none, { env })).code).toBe(2)
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

test('project create reads what the site proposes by itself when no worker runs', async () => {
  site['/'] = [
    'text/html',
    '<!doctype html><html lang="en"><title>Shop of letters</title><meta property="og:site_name" content="Shop of Letters"><a href="/a">The letter a</a><h2>Which letter comes first?</h2>',
  ]
  const about = [
    '--workspace',
    'Test',
    '--name',
    'Letters',
    '--domain',
    'shop.test',
    '--propose',
    'model',
  ]
  const made = await runCli(['project', 'create', ...about], { env })
  expect(made.stdout).toMatch(/^Project {5}\S+\nSite token {2}\S+\n\nName: {8}Shop of Letters\n/)
  expect(made.stdout).toContain('\nPrompts\n  Which letter comes first?\n')
  expect(made.stdout).toContain('\nNo provider key of the workspace has a model that writes')
  // What is printed to accept is accepted.
  const [, accept = ''] = /npx sightline (prompt add .*?'[^']*')/s.exec(made.stdout) ?? []
  const [, id = '', text = ''] = /--project (\S+) '(.*)'/.exec(accept) ?? []
  const added = await runCli(['prompt', 'add', '--project', id, text], { env })
  expect(added.stdout).toMatch(/^Added prompt \S+: Which letter comes first\?/)
})
