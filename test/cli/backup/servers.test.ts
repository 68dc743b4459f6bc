import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { startTestPostgres } from '../../kit/postgres.ts'
import {
  makeDataFolder,
  runCli,
  runJson,
  startService,
  type TestService,
} from '../../kit/service.ts'
import { startTestWarehouse } from '../../kit/warehouse.ts'

/** Backups of stores that DATABASE_URL and CLICKHOUSE_URL name, to servers and to a folder. */

let folder: Awaited<ReturnType<typeof makeDataFolder>>
let backup = ''
let project = ''
let key = ''
let wanted: Record<string, unknown>

/** Ten answers; three name Acme, and each cites one of two sites. */
const lines = Array.from({ length: 10 }, (_, at) =>
  JSON.stringify({
    prompt: 'Which anvil?',
    platform: 'chatgpt',
    run: at,
    collectedAt: '2026-11-01T08:00:00Z',
    text: at < 3 ? 'Acme.' : 'Bolt.',
    citations: [{ position: 1, url: `https://site${at % 2}.com/` }],
  }),
).join('\n')

/** Empty stores of a test's own, as the environment names them. */
async function startServers() {
  const [postgres, warehouse] = await Promise.all([startTestPostgres(), startTestWarehouse()])
  const stop = () => Promise.all([postgres.stop(), warehouse.stop()])
  return { env: { DATABASE_URL: postgres.url, CLICKHOUSE_URL: warehouse.url }, stop }
}

async function readsOf(service: TestService): Promise<Record<string, unknown>> {
  const reads: Record<string, unknown> = {}
  for (const path of ['visibility', 'sources/domains', 'answers', 'prompts', 'competitors']) {
    const of = 'from=2026-11-01&to=2026-11-02'
    const response = await service.get(`/api/mcp/projects/${project}/${path}?${of}`, key)
    expect([path, response.status]).toEqual([path, 200])
    reads[path] = await response.json()
  }
  return reads
}

beforeAll(async () => {
  folder = await makeDataFolder()
  const servers = await startServers()
  const env = { ...servers.env, SIGHTLINE_DEMO: '0' }
  const service = await startService({ dataDir: folder.path, env })
  const run = <T = { id: string; key: string }>(...args: string[]) =>
    runJson<T>(args, { env: service.env })
  const workspace = (await run('workspace', 'create', '--name', 'Acme')).id
  const made = ['--name', 'Acme', '--domain', 'acme.com', '--competitor', 'Bolt:bolt.io']
  project = (await run('project', 'create', '--workspace', workspace, ...made)).id
  key = (await run('key', 'create', '--workspace', workspace, '--scope', 'read')).key
  const imported = ['import', 'answers', '-', '--project', project, '--json']
  await runCli(imported, { env: service.env, input: lines })
  wanted = await readsOf(service)
  backup = join(folder.parent, 'backup')
  const report = await run<object>('backup', backup)
  expect(report).toMatchObject({ rows: { warehouse: expect.any(Number) } })
  await service.stop()
  await servers.stop()
})
afterAll(() => folder.remove())

test('the numbers are as a hand counts them before the backup', () => {
  expect(wanted.visibility).toMatchObject({
    summary: { totalResponses: 10, responsesWithBrand: 3, visibilityScore: 30 },
  })
})

test('stores of servers come back on empty servers, and refuse a second restore', async () => {
  const servers = await startServers()
  onTestFinished(async () => void (await servers.stop()))
  const dataDir = join(folder.parent, 'on-servers')
  const env = { ...servers.env, SIGHTLINE_DEMO: '0', DATA_DIR: dataDir }
  expect(await runJson(['restore', backup], { env })).toMatchObject({ rows: expect.anything() })
  const other = { ...env, DATA_DIR: join(folder.parent, 'second') }
  expect(await runJson(['restore', backup], { env: other })).toMatchObject({
    error: { code: 'store_not_empty' },
  })
  const service = await startService({ dataDir, env })
  expect(await readsOf(service)).toEqual(wanted)
  await service.stop()
})

test('stores of servers come back in a folder, and those of a folder on servers', async () => {
  const dataDir = join(folder.parent, 'in-folder')
  const env = { SIGHTLINE_DEMO: '0' }
  await runJson(['restore', backup], { env: { ...env, DATA_DIR: dataDir } })
  const service = await startService({ dataDir, env })
  expect(await readsOf(service)).toEqual(wanted)
  const again = join(folder.parent, 'of-folder')
  await runJson(['backup', again], { env: service.env })
  await service.stop()

  const servers = await startServers()
  onTestFinished(async () => void (await servers.stop()))
  const moved = { ...env, ...servers.env, DATA_DIR: join(folder.parent, 'moved') }
  expect(await runJson(['restore', again], { env: moved })).toMatchObject({
    rows: expect.anything(),
  })
  const onServers = await startService({ dataDir: moved.DATA_DIR, env: moved })
  expect(await readsOf(onServers)).toEqual(wanted)
  await onServers.stop()
})
