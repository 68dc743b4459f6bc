import { execFile, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'

const preload = `--import=${new URL('../kit/observability/loaded.mjs', import.meta.url)}`
let dir: string

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'sightline-idle-'))
})
afterAll(() => rm(dir, { recursive: true }))

/** The packages that a process has loaded. */
async function packagesOf(pid: number | undefined): Promise<string[]> {
  const loaded = await readFile(join(dir, String(pid)), 'utf8')
  const names = loaded.matchAll(/.*node_modules\/((?:@[^/]+\/)?[^/\n]+)/g)
  return [...new Set([...names].map(([, name = '']) => name))]
}

/** What a part of the service has loaded when it waits for its first message. */
async function loadedBy(part: string): Promise<string[]> {
  const child = fork(new URL(`../../cli/service/${part}-main.ts`, import.meta.url), {
    execArgv: [preload],
    env: { ...process.env, LOADED_DIR: dir },
    // A ping is no beginning: some parts complain.
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  child.send({ type: 'ping' })
  await once(child, 'message')
  child.disconnect()
  await once(child, 'exit')
  return packagesOf(child.pid)
}

/** Each takes 3 to 20 MB of a process, and an idle one needs none of them. */
const heavy = [
  'undici',
  'graphql',
  'piscina',
  'csv-parse',
  'saxes',
  'yauzl',
  'entities',
  'htmlparser2',
  'cheerio',
  'openai',
  'eld',
  'dictionary-en',
  'dictionary-es',
  'google-auth-library',
  'vite',
  '@opentelemetry/sdk-trace',
  '@nats-io/jetstream',
  '@nats-io/transport-node',
  'ioredis',
  '@modelcontextprotocol/server',
  'oidc-provider',
  'koa',
  'jose',
]
const heavyOf = (packages: readonly string[]) => packages.filter((name) => heavy.includes(name))

test.each(['tracker', 'tracker-writer', 'worker'])(
  'an idle %s loads no heavy package',
  async (part) => {
    expect(heavyOf(await loadedBy(part))).toEqual([])
  },
)

test('an idle API does not load what reads files or asks providers', async () => {
  const packages = heavyOf(await loadedBy('api'))
  // The API answers by the graph, and checks the names of brands.
  expect(packages.toSorted()).toEqual(['csv-parse', 'dictionary-en', 'graphql'])
})

test('the supervisor loads neither the catalog nor what its parts work with', async () => {
  const program = "import './cli/service/supervisor.ts'; process.stdout.write(String(process.pid))"
  const args = [preload, '--input-type=module', '--eval', program]
  const options = { env: { ...process.env, LOADED_DIR: dir } }
  const { stdout } = await promisify(execFile)(process.execPath, args, options)
  const packages = await packagesOf(Number(stdout))
  expect(heavyOf(packages)).toEqual([])
  expect(packages).not.toContain('@prisma/client')
  expect(packages).not.toContain('pg-boss')
})

/** What the worker does each minute while there is nothing to do. */
const minute = `
import { handlers } from './worker/handlers.ts'
const none = async () => []
const table = { findMany: none }
const db = { audit: table, project: table, projectSetup: table, run: table, report: table, $queryRawUnsafe: none }
for (const { unfinished } of Object.values(handlers)) await unfinished(db)
await handlers.schedules.run({}, { db })
process.stdout.write(String(process.pid))
`

test('a minute without work loads no package into the worker', async () => {
  const args = [preload, '--input-type=module', '--eval', minute]
  const options = { env: { ...process.env, LOADED_DIR: dir } }
  const { stdout } = await promisify(execFile)(process.execPath, args, options)
  expect(await packagesOf(Number(stdout))).toEqual([])
})
